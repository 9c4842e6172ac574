// weave_unit: the descriptor of an object file (abi.h, struct duct_unit), and the program's start.
#include "lib/front/weave.h"
extern "C" {
#include "lib/protocol/stamp.h"
}

#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <sys/mman.h>
#include <unistd.h>

namespace duct
{

using namespace llvm;

// GCC warns about new and delete of LLVM values; the module owns them.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

static GlobalVariable *constant(
    Module &m, Constant *value, const char *name, bool is_constant = true)
{
	auto *g = new GlobalVariable(
	    m, value->getType(), is_constant, GlobalValue::PrivateLinkage, value, name);
	g->setAlignment(Align(8));
	return g;
}

static Constant *branch_entry(Module &m, StructType *type, const BranchInfo &info)
{
	LLVMContext &c = m.getContext();
	Type *i32 = Type::getInt32Ty(c), *i8 = Type::getInt8Ty(c);
	Constant *none = ConstantPointerNull::get(PointerType::get(c, 0)), *values = none,
	         *shared = none;
	if (!info.values.empty())
		values = constant(
		    m, ConstantDataArray::get(c, ArrayRef<uint64_t>(info.values)), ".duct.cases");
	if (llvm::is_contained(info.shared, 1))
		shared = constant(
		    m, ConstantDataArray::get(c, ArrayRef<uint8_t>(info.shared)), ".duct.shared");
	return ConstantStruct::get(type,
	    { ConstantInt::get(i32, info.first), ConstantInt::get(i32, info.values.size()), values,
	        shared, ConstantInt::get(i8, info.kind), ConstantInt::get(i8, info.required) });
}

GlobalVariable *unit_descriptor(Module &m, const Unit &unit, const WeaveOptions &options)
{
	LLVMContext &c = m.getContext();
	Type *i8 = Type::getInt8Ty(c), *i32 = Type::getInt32Ty(c), *i64 = Type::getInt64Ty(c);
	PointerType *ptr = PointerType::get(c, 0);
	auto *branch = StructType::get(c, { i32, i32, ptr, ptr, i8, i8 });
	SmallVector<Constant *, 64> list;
	uint32_t outcomes = unit.outcomes;
	for (const BranchInfo &b : unit.branch)
		list.push_back(branch_entry(m, branch, b));
	auto *table = constant(
	    m, ConstantArray::get(ArrayType::get(branch, list.size()), list), ".duct.branches");
	auto *own =
	    constant(m, ConstantAggregateZero::get(ArrayType::get(i8, outcomes + unit.blocks + 1)),
	        ".duct.cover", false);
	auto *name =
	    constant(m, ConstantDataArray::getString(c, m.getSourceFileName()), ".duct.name");
	auto *type = StructType::create(
	    c, { i64, ptr, ptr, i32, i32, i32, i32, ptr, ptr, ptr }, "duct_unit");
	auto *stamp =
	    new GlobalVariable(m, i8, true, GlobalValue::ExternalLinkage, nullptr, duct_stamp);
	auto number = [&](uint32_t v) { return ConstantInt::get(i32, v); };
	auto *init = ConstantStruct::get(type,
	    { ConstantInt::get(i64, unit.key), own, own, number(unit.branch.size()),
	        number(outcomes), number(unit.blocks),
	        number((options.model ? 1 : 0) | (options.flows ? DUCT_UNIT_FLOWS : 0)
	            | unit.checks << DUCT_UNIT_CHECKS),
	        table, name, stamp });
	auto *g =
	    new GlobalVariable(m, type, false, GlobalValue::InternalLinkage, init, ".duct.unit");
	g->setSection("duct_units");
	g->setAlignment(Align(8));
	appendToUsed(m, { g });
	return g;
}

// Is the global registered? Scalars only if their address escapes, or all if bounds are checked,
// which needs their neighbours.
static bool is_registered(const GlobalVariable &g, bool scalars)
{
	Type *t = g.getValueType();
	return !g.isDeclaration() && !g.isThreadLocal() && !g.getName().starts_with(".duct")
	    && !g.getName().starts_with("llvm.")
	    && (scalars || t->isAggregateType() || !g.hasLocalLinkage() || is_object(g))
	    && !g.hasAvailableExternallyLinkage() && g.getAddressSpace() == 0
	    && g.getParent()->getDataLayout().getTypeAllocSize(t) > 0;
}

// Registers globals in a constructor that runs before all others of the program, from a table.
void register_globals(Module &m, bool scalars)
{
	LLVMContext &c = m.getContext();
	Type *i32 = Type::getInt32Ty(c), *i64 = Type::getInt64Ty(c), *none = Type::getVoidTy(c);
	PointerType *ptr = PointerType::get(c, 0);
	auto *entry = StructType::get(c, { ptr, i64, i32 });
	SmallVector<Constant *, 32> list;
	for (GlobalVariable &g : m.globals())
		if (is_registered(g, scalars))
			list.push_back(ConstantStruct::get(entry,
			    { &g,
			        ConstantInt::get(
			            i64, m.getDataLayout().getTypeAllocSize(g.getValueType())),
			        ConstantInt::get(i32, g.isConstant()) }));
	if (list.empty())
		return;
	auto *table = constant(
	    m, ConstantArray::get(ArrayType::get(entry, list.size()), list), ".duct.globals");
	auto *f = Function::Create(
	    FunctionType::get(none, false), GlobalValue::InternalLinkage, "duct.globals", m);
	f->addFnAttr("duct.raw");
	BasicBlock *first = BasicBlock::Create(c, "", f), *loop = BasicBlock::Create(c, "", f),
	           *end = BasicBlock::Create(c, "", f);
	IRBuilder<> b(first);
	b.CreateBr(loop);
	b.SetInsertPoint(loop);
	PHINode *i = b.CreatePHI(i64, 2);
	i->addIncoming(b.getInt64(0), first);
	Value *at = b.CreateGEP(entry, table, i);
	b.CreateCall(m.getOrInsertFunction(
	                 "duct_rt_global", FunctionType::get(none, { ptr, i64, i32 }, false)),
	    { b.CreateLoad(ptr, at), b.CreateLoad(i64, b.CreateStructGEP(entry, at, 1)),
	        b.CreateLoad(i32, b.CreateStructGEP(entry, at, 2)) });
	Value *next = b.CreateAdd(i, b.getInt64(1));
	i->addIncoming(next, loop);
	b.CreateCondBr(b.CreateICmpULT(next, b.getInt64(list.size())), loop, end);
	b.SetInsertPoint(end);
	b.CreateRetVoid();
	appendToGlobalCtors(m, f, 1);
}

// As text that the assembler has to parse: the assembler that reads a file does it in a tenth of
// the time.
static std::string as_text(const std::string &flow)
{
	static const char hex[] = "01234567";
	std::string text;
	text.reserve(flow.size() * 5 / 4 + 256);
	for (size_t i = 0; i < flow.size();) {
		text += ".ascii \"";
		for (size_t end = std::min(flow.size(), i + 256); i < end; i++) {
			unsigned char ch = flow[i];
			if (ch >= ' ' && ch < 127 && ch != '"' && ch != '\\') {
				text += ch;
				continue;
			}
			text += '\\';
			text += hex[ch >> 6];
			text += hex[ch >> 3 & 7];
			text += hex[ch & 7];
		}
		text += "\"\n";
	}
	return text;
}

// A file without a name that has the text and is there as long as this process; "": there is none.
static std::string as_file(const std::string &flow)
{
	int fd = memfd_create("flow", MFD_CLOEXEC);
	std::string path = "/proc/self/fd/" + std::to_string(fd);
	for (size_t at = 0; fd >= 0 && at < flow.size();) {
		ssize_t n = write(fd, flow.data() + at, flow.size() - at);
		if (n < 0) {
			close(fd);
			return "";
		}
		at += n;
	}
	return fd >= 0 && access(path.c_str(), R_OK) == 0 ? path : "";
}

// Embeds the unit's flow records in a section that is not loaded.
void embed_flow(Module &m, const std::string &flow)
{
	std::string file = as_file(flow);
	m.appendModuleInlineAsm(".pushsection .duct_flow,\"\",@progbits\n"
	    + (file.empty() ? as_text(flow) : ".incbin \"" + file + "\"\n") + ".popsection\n");
}

// With a harness, the program's own main is an ordinary function.
void rename_main(Module &m, const std::string &entry)
{
	if (entry.empty())
		return;
	if (Function *f = m.getFunction("main"))
		f->setName("duct_user_main");
}

// The arguments of main that it uses.
static uint32_t looks_at(const Function &f)
{
	auto uses = [&](unsigned i) { return i < f.arg_size() && !f.getArg(i)->use_empty(); };
	return (uses(0) ? DUCT_LOOKS_ARGC : 0) | (uses(1) ? DUCT_LOOKS_ARGV : 0);
}

// Before environ, or the third argument of main, is read, a library model makes it an input.
void plant_environ(Module &m, const std::string &entry)
{
	Type *ptr = PointerType::get(m.getContext(), 0);
	Function *main = entry.empty() ? m.getFunction("main") : nullptr;
	if (main && !main->isDeclaration() && main->arg_size() > 2 && !main->getArg(2)->use_empty()
	    && main->getArg(2)->getType() == ptr) {
		IRBuilder<> b(&*main->getEntryBlock().getFirstInsertionPt());
		auto *load = b.CreateLoad(ptr, m.getOrInsertGlobal("environ", ptr));
		main->getArg(2)->replaceAllUsesWith(load);
	}
	for (const char *name : { "environ", "__environ", "_environ" }) {
		GlobalVariable *g = m.getGlobalVariable(name);
		if (!g || !g->isDeclaration())
			continue;
		FunctionCallee make = m.getOrInsertFunction("duct_model_environ",
		    FunctionType::get(Type::getVoidTy(m.getContext()), false));
		for (User *u : g->users())
			if (auto *load = dyn_cast<LoadInst>(u))
				IRBuilder<>(load).CreateCall(make, {});
	}
}

// Passes the node of argc with the call, as woven code does.
static void give_argc(IRBuilder<> &b, Module &m, Function *inner)
{
	Type *i32 = b.getInt32Ty(), *ptr = b.getPtrTy();
	auto *array = ArrayType::get(i32, DUCT_MAX_ARGS);
	Value *n = b.CreateLoad(i32, m.getOrInsertGlobal("duct_argc_node", i32));
	Value *slots = m.getOrInsertGlobal("duct_args", array);
	b.CreateStore(n, slots);
	for (unsigned i = 1; i < 3; i++)
		b.CreateStore(b.getInt32(0), b.CreateConstGEP2_32(array, slots, 0, i));
	Value *token = b.CreateSelect(
	    b.CreateIsNotNull(n), inner, ConstantPointerNull::get(cast<PointerType>(ptr)));
	b.CreateStore(token, m.getOrInsertGlobal("duct_args_for", ptr));
}

void hook_main(Module &m, const std::string &entry)
{
	Function *inner = m.getFunction(entry.empty() ? "main" : entry);
	if (!inner || inner->isDeclaration())
		return;
	if (entry.empty()) {
		inner->setName("duct_user_main");
		inner->setLinkage(GlobalValue::InternalLinkage);
	}
	LLVMContext &c = m.getContext();
	Type *i32 = Type::getInt32Ty(c), *i64 = Type::getInt64Ty(c), *none = Type::getVoidTy(c);
	PointerType *ptr = PointerType::get(c, 0);
	auto *f = Function::Create(FunctionType::get(i32, { i32, ptr, ptr }, false),
	    GlobalValue::ExternalLinkage, "main", m);
	IRBuilder<> b(BasicBlock::Create(c, "", f));
	SmallVector<AllocaInst *, 3> slot;
	SmallVector<Value *, 3> args;
	for (Argument &a : f->args())
		slot.push_back(b.CreateAlloca(a.getType()));
	for (Argument &a : f->args())
		b.CreateStore(&a, slot[a.getArgNo()]);
	if (uint32_t looks = entry.empty() ? looks_at(*inner) : 0)
		b.CreateStore(b.getInt32(looks), m.getOrInsertGlobal("duct_main_looks", i32));
	b.CreateCall(m.getOrInsertFunction(
	                 "duct_rt_main", FunctionType::get(none, { ptr, ptr, ptr }, false)),
	    { slot[0], slot[1], slot[2] });
	for (Argument &a : inner->args())
		args.push_back(a.getArgNo() < 3 && a.getType() == f->getArg(a.getArgNo())->getType()
		        ? (Value *)b.CreateLoad(a.getType(), slot[a.getArgNo()])
		        : Constant::getNullValue(a.getType()));
	if (entry.empty() && !args.empty())
		give_argc(b, m, inner);
	Value *r = b.CreateCall(inner, args);
	if (!r->getType()->isIntegerTy())
		r = b.getInt32(0);
	if (!entry.empty())
		b.CreateCall(
		    m.getOrInsertFunction("duct_rt_returned", FunctionType::get(none, {}, false)),
		    {});
	else
		b.CreateCall(m.getOrInsertFunction(
		                 "duct_rt_result", FunctionType::get(none, { i64 }, false)),
		    { b.CreateSExtOrTrunc(r, i64) });
	b.CreateRet(b.CreateSExtOrTrunc(r, i32));
}

} // namespace duct
