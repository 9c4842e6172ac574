// weave_abstract: instrument --abstract. Each function asks at its entry whether the call is
// abstract; the runtime is told where variables are; loads at symbolic addresses ask where to load
// from. See "abstract calls" in abi.h.
#include "lib/front/weave.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace duct
{

using namespace llvm;

// GCC warns about new and delete of LLVM values; the module owns them.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

static const char asks[] = "duct_rt_abstract", answers[] = "duct_rt_answer";
static const char self[] = ".duct.self"; // placeholder for the unit's descriptor

static CallInst *enter_marker(Function &f)
{
	for (Instruction &i : f.getEntryBlock())
		if (auto *call = dyn_cast<CallInst>(&i))
			if (Function *to = call->getCalledFunction();
			    to && to->getName() == marker_enter)
				return call;
	return nullptr;
}

static bool can_be_abstract(const Function &f)
{
	return !f.isDeclaration() && !f.isVarArg() && !f.doesNotReturn() && f.getName() != "main";
}

// May the argument be a pointer? Parts of structures are passed as integers.
static bool may_point(const Argument &a)
{
	return a.getType()->isPointerTy() || a.getType()->isIntegerTy(64);
}

// Stores the possible pointers among the arguments in an array; n: their number; which: a bit for
// each argument that is one. Arguments that are none may be optimised away later.
static Value *pointers(IRBuilder<> &b, Function &f, unsigned &n, uint64_t &which)
{
	n = 0;
	which = 0;
	for (Argument &a : f.args()) {
		n += may_point(a);
		which |= a.getArgNo() < 64 ? (uint64_t)may_point(a) << a.getArgNo() : 0;
	}
	Type *ptr = b.getPtrTy();
	Value *list = b.CreateAlloca(ptr, b.getInt32(n ? n : 1));
	unsigned at = 0;
	for (Argument &a : f.args())
		if (may_point(a))
			b.CreateStore(&a, b.CreateConstGEP1_32(ptr, list, at++));
	return list;
}

static void ask(Module &m, Function &f, GlobalVariable *unit, Value *id)
{
	Type *t = f.getReturnType(), *kept = t;
	BasicBlock &entry = f.getEntryBlock();
	Instruction *at = &*entry.getFirstNonPHIOrDbgOrAlloca();
	IRBuilder<> b(at);
	Type *i32 = b.getInt32Ty(), *i64 = b.getInt64Ty(), *ptr = b.getPtrTy();
	b.SetCurrentDebugLocation(DebugLoc());
	if (t->isIntegerTy()) // whole bytes, so that any memory content is a value
		kept = b.getIntNTy((t->getIntegerBitWidth() + 7) / 8 * 8);
	unsigned n;
	uint64_t which;
	Value *list = pointers(b, f, n, which), *slot = b.CreateAlloca(t->isVoidTy() ? i32 : kept);
	FunctionCallee callee = m.getOrInsertFunction(
	    asks, FunctionType::get(i32, { ptr, i32, i32, ptr, i64, i32, ptr, ptr, i64 }, false));
	Value *answer = b.CreateCall(callee,
	    { unit, id, b.getInt32(0), slot,
	        b.getInt64(
	            t->isVoidTy() ? 0 : m.getDataLayout().getTypeStoreSize(kept).getFixedValue()),
	        b.getInt32(n), list, ConstantPointerNull::get(b.getPtrTy()), b.getInt64(which) });
	Instruction *end = SplitBlockAndInsertIfThen(
	    b.CreateICmpNE(answer, b.getInt32(0)), at->getIterator(), true);
	IRBuilder<> skip(end);
	if (t->isVoidTy())
		skip.CreateRetVoid();
	else if (t == kept)
		skip.CreateRet(skip.CreateLoad(t, slot));
	else
		skip.CreateRet(skip.CreateTrunc(skip.CreateLoad(kept, slot), t));
	end->eraseFromParent();
	f.addFnAttr(Attribute::NoInline);
	f.removeFnAttr(Attribute::AlwaysInline);
}

// Reports the result of an executed call before the function's end is reported.
static void answer(Module &m, Function &f)
{
	FunctionCallee callee = m.getOrInsertFunction(answers, Type::getVoidTy(m.getContext()),
	    Type::getInt64Ty(m.getContext()), Type::getInt32Ty(m.getContext()));
	SmallVector<CallInst *, 4> ends;
	for (Instruction &i : instructions(f))
		if (auto *call = dyn_cast<CallInst>(&i))
			if (Function *to = call->getCalledFunction();
			    to && to->getName() == marker_leave)
				ends.push_back(call);
	for (CallInst *end : ends)
		if (auto *ret = dyn_cast<ReturnInst>(end->getNextNode())) {
			IRBuilder<> b(end);
			b.CreateCall(callee,
			    { b.CreateZExt(ret->getReturnValue(), b.getInt64Ty()), b.getInt32(0) });
		}
}

// Lists variables by flow id for the runtime. The references keep them from being optimised away.
static void list_variables(Module &m, GlobalVariable *unit)
{
	LLVMContext &c = m.getContext();
	Type *i64 = Type::getInt64Ty(c);
	PointerType *ptr = PointerType::get(c, 0);
	auto *entry = StructType::get(c, { ptr, ptr, i64, i64 });
	SmallVector<Constant *, 32> list;
	for (GlobalVariable &g : m.globals())
		if (MDNode *md = g.getMetadata("duct.var");
		    md && !g.isDeclaration() && !g.isThreadLocal() && !g.isConstant())
			list.push_back(ConstantStruct::get(entry,
			    { unit, &g,
			        ConstantInt::get(
			            i64, m.getDataLayout().getTypeAllocSize(g.getValueType())),
			        mdconst::extract<ConstantInt>(md->getOperand(0)) }));
	if (list.empty())
		return;
	Constant *all = ConstantArray::get(ArrayType::get(entry, list.size()), list);
	auto *table = new GlobalVariable(
	    m, all->getType(), false, GlobalValue::InternalLinkage, all, ".duct.variables");
	table->setSection("duct_variables");
	table->setAlignment(Align(8));
	appendToUsed(m, { table });
}

void plant_abstract(Module &m)
{
	auto *unit = new GlobalVariable(
	    m, Type::getInt8Ty(m.getContext()), false, GlobalValue::ExternalLinkage, nullptr, self);
	for (Function &f : m)
		if (CallInst *enter = can_be_abstract(f) ? enter_marker(f) : nullptr) {
			ask(m, f, unit, enter->getArgOperand(0));
			if (f.getReturnType()->isIntegerTy()
			    && f.getReturnType()->getIntegerBitWidth() <= 64)
				answer(m, f);
		}
	list_variables(m, unit);
}

void name_unit(Module &m, GlobalVariable *unit)
{
	GlobalVariable *g = m.getNamedGlobal(self);
	if (!g)
		return;
	g->replaceAllUsesWith(unit);
	g->eraseFromParent();
}

// An array with the nodes of the arguments that may be pointers.
Value *Weaver::pointer_nodes(B &b)
{
	Value *list = B(&f->getEntryBlock(), f->getEntryBlock().begin())
	                  .CreateAlloca(i32, b.getInt32(std::max<unsigned>(f->arg_size(), 1)));
	unsigned at = 0;
	for (Argument &a : f->args())
		if (may_point(a)) {
			const Nodes n = a.hasByValAttr() ? Nodes() : nodes(&a);
			b.CreateStore(
			    n.size() == 1 ? n[0] : zero, b.CreateConstGEP1_32(i32, list, at++));
		}
	return list;
}

// Lowers the question at entry, adding whether an argument is symbolic, and the call that reports
// the answer, adding its node.
bool Weaver::lower_ask(CallBase &call)
{
	Function *to = call.getCalledFunction();
	if (to && to->getName() == answers) {
		call.setArgOperand(1, node(call.getArgOperand(0)));
		return true;
	}
	if (!to || to->getName() != asks)
		return false;
	Nodes list;
	for (Argument &a : f->args())
		if (!a.hasByValAttr())
			for (Value *n : nodes(&a))
				list.push_back(n);
	B b(&call);
	if (Value *any_of = any(b, list)) {
		call.setArgOperand(2, any_of);
		call.setArgOperand(7, pointer_nodes(b));
	}
	return true;
}

// Lets a load at a symbolic address read a fresh input instead; its pointer is then concrete.
void Weaver::reach(LoadInst &i)
{
	Value *p = i.getPointerOperand(), *pn = node(p);
	if (!options.abstract || is_zero(pn))
		return;
	B head(&i);
	BasicBlock *from = i.getParent();
	Instruction *term = SplitBlockAndInsertIfThen(
	    head.CreateICmpNE(pn, zero), i.getIterator(), false, unlikely);
	B slow(term);
	Value *to = slow.CreateCall(rt("duct_rt_reach", ptr, { ptr, ptr, i32, i64 }),
	    { unit, p, pn, slow.getInt64(dl.getTypeStoreSize(i.getType())) });
	Value *kept = slow.CreateSelect(slow.CreateICmpEQ(to, p), pn, zero);
	auto phi = [&](Value *otherwise, Value *then) {
		PHINode *x =
		    PHINode::Create(then->getType(), 2, "", i.getParent()->getFirstNonPHIIt());
		x->addIncoming(otherwise, from);
		x->addIncoming(then, term->getParent());
		return x;
	};
	Value *address = phi(p, to), *n = phi(zero, kept);
	set(*address, { n });
	i.setOperand(LoadInst::getPointerOperandIndex(), address);
}

} // namespace duct
