// inst: writes instructions as records.
#include "lib/front/flow_writer.h"

#include "lib/front/checks.h"

extern "C" {
#include "lib/protocol/checks.h"
#include "lib/protocol/criterion.h"
}

#include <clang/Basic/FileManager.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/Path.h>

using namespace llvm;

namespace duct
{
namespace
{

const char *predicate(CmpInst::Predicate p)
{
	static const char *const fp[] = { "ffalse", "foeq", "fogt", "foge", "folt", "fole", "fone",
		"ford", "funo", "fueq", "fugt", "fuge", "fult", "fule", "fune", "ftrue" };
	static const char *const in[] = { "eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge",
		"slt", "sle" };
	return CmpInst::isFPPredicate(p) ? fp[p] : in[p - CmpInst::FIRST_ICMP_PREDICATE];
}

const char *operation(const Instruction &i)
{
	switch (i.getOpcode()) {
	case Instruction::Add: return "add";
	case Instruction::Sub: return "sub";
	case Instruction::Mul: return "mul";
	case Instruction::UDiv: return "udiv";
	case Instruction::SDiv: return "sdiv";
	case Instruction::URem: return "urem";
	case Instruction::SRem: return "srem";
	case Instruction::Shl: return "shl";
	case Instruction::LShr: return "lshr";
	case Instruction::AShr: return "ashr";
	case Instruction::And: return "and";
	case Instruction::Or: return "or";
	case Instruction::Xor: return "xor";
	case Instruction::FAdd: return "fadd";
	case Instruction::FSub: return "fsub";
	case Instruction::FMul: return "fmul";
	case Instruction::FDiv: return "fdiv";
	case Instruction::FRem: return "frem";
	case Instruction::FNeg: return "fneg";
	case Instruction::ZExt: return "zext";
	case Instruction::SExt: return "sext";
	case Instruction::Trunc: return "trunc";
	case Instruction::PtrToInt:
	case Instruction::IntToPtr: return "zext";
	case Instruction::FPTrunc: return "ftrunc";
	case Instruction::FPExt: return "fext";
	case Instruction::FPToSI: return "fto.s";
	case Instruction::FPToUI: return "fto.u";
	case Instruction::SIToFP: return "fof.s";
	case Instruction::UIToFP: return "fof.u";
	case Instruction::Load: return "load";
	case Instruction::Store: return "store";
	case Instruction::Select: return "select";
	case Instruction::PHI: return "phi";
	case Instruction::Br: return "br";
	case Instruction::Switch: return "switch";
	case Instruction::IndirectBr: return "goto";
	case Instruction::Ret: return "ret";
	case Instruction::Unreachable: return "unreachable";
	case Instruction::ExtractValue: return "part";
	case Instruction::GetElementPtr: return "addr";
	case Instruction::Alloca: return "alloca";
	default: return nullptr;
	}
}

const char *intrinsic(Intrinsic::ID id)
{
	switch (id) {
	case Intrinsic::ctpop: return "ctpop";
	case Intrinsic::cttz: return "cttz";
	case Intrinsic::ctlz: return "ctlz";
	case Intrinsic::bswap: return "bswap";
	case Intrinsic::bitreverse: return "bitreverse";
	case Intrinsic::abs: return "abs";
	case Intrinsic::umin: return "umin";
	case Intrinsic::umax: return "umax";
	case Intrinsic::smin: return "smin";
	case Intrinsic::smax: return "smax";
	case Intrinsic::fshl: return "fshl";
	case Intrinsic::fshr: return "fshr";
	case Intrinsic::sadd_with_overflow: return "sadd.overflow";
	case Intrinsic::uadd_with_overflow: return "uadd.overflow";
	case Intrinsic::smul_with_overflow: return "smul.overflow";
	case Intrinsic::umul_with_overflow: return "umul.overflow";
	case Intrinsic::ssub_with_overflow: return "ssub.overflow";
	case Intrinsic::usub_with_overflow: return "usub.overflow";
	case Intrinsic::fabs: return "fabs";
	case Intrinsic::copysign: return "fcopysign";
	case Intrinsic::is_fpclass: return "fclass";
	case Intrinsic::sqrt: return "fsqrt";
	case Intrinsic::floor: return "fround.down";
	case Intrinsic::ceil: return "fround.up";
	case Intrinsic::trunc: return "fround.zero";
	case Intrinsic::rint:
	case Intrinsic::nearbyint:
	case Intrinsic::roundeven: return "fround.even";
	case Intrinsic::round: return "fround.away";
	default: return nullptr;
	}
}

// An operation that optimisers may compute in another way.
bool is_fast(const Instruction &i)
{
	auto *number = dyn_cast<FPMathOperator>(&i);
	bool moved = isa<PHINode>(i) || isa<SelectInst>(i);
	return number && !moved && number->getFastMathFlags().any();
}

// Is it an intrinsic that only informs optimisers or debuggers?
bool is_note(const Instruction &i)
{
	auto *c = dyn_cast<IntrinsicInst>(&i);
	if (!c)
		return false;
	switch (c->getIntrinsicID()) {
	case Intrinsic::dbg_declare:
	case Intrinsic::dbg_value:
	case Intrinsic::dbg_label:
	case Intrinsic::lifetime_start:
	case Intrinsic::lifetime_end:
	case Intrinsic::assume:
	case Intrinsic::experimental_noalias_scope_decl: return true;
	default: return false;
	}
}

uint64_t bits_of(const DataLayout &layout, Type *t)
{
	return t->isSized() ? layout.getTypeSizeInBits(t).getKnownMinValue() : 0;
}

std::string offset_text(int64_t n)
{
	return n ? (n > 0 ? "+" : "") + std::to_string(n) : "";
}

std::string constant_text(const APInt &v)
{
	SmallString<48> s;
	if (v.getBitWidth() > 64)
		v.toStringUnsigned(s, 16), s.insert(s.begin(), { '0', 'x' });
	else
		v.toString(s, 10, v.getBitWidth() > 1);
	return s.str().lower();
}

} // namespace

bool FlowWriter::skipped(const Instruction &i)
{
	return is_note(i) || (isa<AllocaInst>(i) && var.count(&i));
}

void FlowWriter::number(Function &f)
{
	for (Instruction &i : llvm::instructions(f))
		if (!skipped(i))
			inst[&i] = ++insts;
}

std::string FlowWriter::operand(const Value *v)
{
	auto n = inst.find(v);
	if (n != inst.end())
		return "%" + std::to_string(n->second);
	auto x = var.find(v);
	if (x != var.end())
		return "&" + std::to_string(x->second.id);
	if (auto *b = dyn_cast<BasicBlock>(v))
		return "!" + std::to_string(numbers.block.at(b));
	if (auto *a = dyn_cast<Argument>(v))
		return "^" + std::to_string(a->getArgNo());
	if (auto *c = dyn_cast<ConstantInt>(v))
		return constant_text(c->getValue());
	if (auto *c = dyn_cast<ConstantFP>(v)) {
		SmallString<40> s;
		c->getValueAPF().bitcastToAPInt().toStringUnsigned(s, 16);
		return "~" + s.str().lower();
	}
	if (isa<ConstantPointerNull>(v))
		return "0";
	if (auto *f = dyn_cast<Function>(v))
		return "@" + name_of(f);
	if (auto *a = dyn_cast<GlobalAlias>(v))
		return "@" + name_of(a);
	auto d = data.find(v);
	if (d != data.end())
		return "$" + std::to_string(d->second);
	if (isa<ConstantExpr>(v) && (v->getType()->isPointerTy() || v->getType()->isIntegerTy())) {
		if (auto *e = cast<ConstantExpr>(v); e->isCast())
			return operand(e->getOperand(0));
		APInt off(
		    layout.getIndexTypeSizeInBits(PointerType::getUnqual(v->getContext())), 0);
		if (v->getType()->isPointerTy()) {
			const Value *base = v->stripAndAccumulateConstantOffsets(layout, off, true);
			if (base != v)
				return operand(base) + offset_text(off.getSExtValue());
		}
	}
	return "-";
}

// Writes the operands after the fixed fields; `known`: call of an intrinsic that is an operation of
// its own.
void FlowWriter::operands(Instruction &i, bool known)
{
	auto *call = dyn_cast<CallBase>(&i);
	auto *gep = dyn_cast<GetElementPtrInst>(&i);
	bool memory = isa<AnyMemTransferInst>(&i) || isa<AnyMemSetInst>(&i);
	auto put = [&](const Value *v) { out.str(operand(v)); };
	if (memory) {
		for (unsigned k = 0; k < 3; k++)
			put(i.getOperand(k));
	} else if (call) {
		if (!known && !call->isInlineAsm())
			put(call->getCalledOperand());
		for (const Use &u : call->args())
			put(u.get());
	} else if (auto *a = dyn_cast<AllocaInst>(&i)) {
		std::optional<TypeSize> size = a->getAllocationSize(layout);
		size ? out.num(size->getFixedValue()) : (put(a->getArraySize()), out);
	} else if (gep) {
		MapVector<Value *, APInt> variable;
		unsigned bits = layout.getIndexTypeSizeInBits(gep->getType());
		APInt constant(bits, 0);
		put(gep->getPointerOperand());
		if (cast<GEPOperator>(gep)->collectOffset(layout, bits, variable, constant)) {
			out.sint(constant.getSExtValue());
			for (auto &p : variable) {
				put(p.first);
				out.sint(p.second.getSExtValue());
			}
		} else
			out.raw("-");
	} else if (auto *phi = dyn_cast<PHINode>(&i)) {
		for (unsigned k = 0; k < phi->getNumIncomingValues(); k++) {
			put(phi->getIncomingValue(k));
			put(phi->getIncomingBlock(k));
		}
	} else if (auto *br = dyn_cast<BranchInst>(&i)) {
		if (br->isConditional())
			put(br->getCondition());
		for (unsigned k = 0; k < br->getNumSuccessors(); k++)
			put(br->getSuccessor(k));
	} else {
		for (const Use &u : i.operands())
			put(u.get());
		if (auto *part = dyn_cast<ExtractValueInst>(&i))
			for (unsigned k : part->getIndices())
				out.num(k);
	}
}

bool FlowWriter::is_brace(const DebugLoc &loc)
{
	const clang::SourceManager &sm = ast.getSourceManager();
	SmallString<256> path = loc->getFilename();

	if (!sys::path::is_absolute(path)) {
		path = loc->getDirectory();
		sys::path::append(path, loc->getFilename());
	}
	auto entry = sm.getFileManager().getOptionalFileRef(path);
	clang::SourceLocation at = entry
	    ? sm.translateFileLineCol(*entry, loc.getLine(), loc.getCol())
	    : clang::SourceLocation();
	bool wrong = at.isInvalid();
	const char *c = wrong ? nullptr : sm.getCharacterData(at, &wrong);
	return !wrong && *c == '}';
}

// The jump from the end of a compound statement has the position of its brace, which may stand on a
// line of other code, as in `} else if (c)`: it counts as part of the statement, or the
// condition, before it.
DebugLoc FlowWriter::position(const Instruction &i)
{
	auto *jump = dyn_cast<BranchInst>(&i);
	const Instruction *before = &i;

	if (!jump || jump->isConditional() || !i.getDebugLoc() || !i.getDebugLoc().getLine()
	    || !is_brace(i.getDebugLoc()))
		return i.getDebugLoc();
	while ((before = before->getPrevNode()))
		if (before->getDebugLoc() && before->getDebugLoc().getLine())
			return before->getDebugLoc();
	const BasicBlock *only = i.getParent()->getSinglePredecessor();
	return only ? only->getTerminator()->getDebugLoc() : DebugLoc();
}

// How the machine sees the type of a call: `v`, `iBYTES`, `fBYTES` or `p` for the result and each
// argument, with a blank before each; empty when the call does not tell.
std::string FlowWriter::signature(const CallBase &call)
{
	const FunctionType *type = call.getFunctionType();
	std::string text;
	auto add = [&](const Type *t) {
		uint64_t bits = t->isIntegerTy() ? t->getIntegerBitWidth() : 0;
		if (t->isVoidTy())
			text += " v";
		else if (t->isPointerTy())
			text += " p";
		else if (t->isFloatingPointTy())
			text += " f" + utostr(layout.getTypeAllocSize(const_cast<Type *>(t)));
		else if (bits == 1 || (bits >= 8 && isPowerOf2_64(bits)))
			text += " i" + utostr(bits == 1 ? 1 : bits / 8);
		else
			return false;
		return true;
	};
	bool good = !type->isVarArg() && add(type->getReturnType());
	for (unsigned k = 0; good && k < type->getNumParams(); k++)
		good = add(type->getParamType(k)) && !call.isByValArgument(k)
		    && !call.paramHasAttr(k, Attribute::StructRet);
	return good ? text : "";
}

void FlowWriter::instruction(Instruction &i, uint32_t block)
{
	DebugLoc place = position(i);
	auto *call = dyn_cast<CallBase>(&i);
	auto *copy = dyn_cast<AnyMemTransferInst>(&i);
	auto *fill = dyn_cast<AnyMemSetInst>(&i);
	auto *cmp = dyn_cast<CmpInst>(&i);
	bool is_class = call && call->getIntrinsicID() == Intrinsic::is_fpclass;
	const char *op = cmp ? predicate(cmp->getPredicate())
	    : copy           ? "copy"
	    : fill           ? "fill"
	                     : operation(i);
	uint64_t width = bits_of(layout,
	    cmp || is_class         ? i.getOperand(0)->getType()
	        : isa<StoreInst>(i) ? i.getOperand(0)->getType()
	                            : i.getType());
	if (isa<ReturnInst>(i) && i.getNumOperands())
		width = bits_of(layout, i.getOperand(0)->getType());
	const char *known = call && call->getCalledFunction()
	    ? intrinsic(call->getCalledFunction()->getIntrinsicID())
	    : nullptr;
	if (call && !op)
		op = known ? known : call->isInlineAsm() ? "asm" : "call";
	if (is_fast(i) && (!call || known))
		op = "ffast";
	if (i.getType()->isVectorTy() || isa<FreezeInst>(i))
		op = nullptr;
	bool pointer_change =
	    (i.getOpcode() == Instruction::PtrToInt || i.getOpcode() == Instruction::IntToPtr)
	    && bits_of(layout, i.getType()) < bits_of(layout, i.getOperand(0)->getType());
	if (pointer_change)
		op = "trunc";
	if (place)
		file(place->getFile());
	out.rec("inst").num(inst.at(&i)).num(block).raw(op ? op : "other").num(width);
	at(place);
	if (!op)
		out.raw(i.getOpcodeName());
	size_t begin = out.text.size();
	operands(i, known);
	bool whole = op && strcmp(op, "asm") && !i.isAtomic()
	    && (out.text.substr(begin) + '\t').find("\t-\t") == std::string::npos;
	auto found = numbers.branch_of.find(&i);
	if (found != numbers.branch_of.end())
		out.raw("?" + std::to_string(found->second));
	out.end();
	if (!whole)
		exact(i);
	check(i);
	if (pairs && op
	    && (!strcmp(op, "call") || !strcmp(op, "asm") || isa<ReturnInst>(i)
	        || writes_temporary(i)))
		note_inst(i);
	if (call && !known && !call->isInlineAsm() && !isa<IntrinsicInst>(&i)) {
		auto *f = dyn_cast<Function>(call->getCalledOperand()->stripPointerCasts());
		out.rec("call")
		    .num(inst.at(&i))
		    .str(f ? name_of(f) : "")
		    .num(call->arg_size())
		    .str(f ? "" : signature(*call))
		    .end();
	}
}

// Writes an instruction that the records do not describe completely, as LLVM prints it, without its
// position.
void FlowWriter::exact(const Instruction &i)
{
	Instruction *copy = i.clone();
	copy->dropUnknownNonDebugMetadata();
	copy->setDebugLoc(DebugLoc());
	exact("%" + std::to_string(inst.at(&i)), *copy);
	copy->deleteValue();
}

bool FlowWriter::writes_temporary(const Instruction &i)
{
	auto *store = dyn_cast<StoreInst>(&i);
	auto *copy = dyn_cast<AnyMemTransferInst>(&i);
	const Value *to = store ? store->getPointerOperand() : copy ? copy->getRawDest() : nullptr;
	return to && isa<AllocaInst>(to) && !var.count(to);
}

void FlowWriter::note_inst(Instruction &i)
{
	LLVMContext &c = i.getContext();
	i.setMetadata("duct.inst",
	    MDNode::get(
	        c, ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(c), inst.at(&i)))));
}

// Writes a record for each way in which the instruction may fail; these are not part of the unit's
// key.
void FlowWriter::check(Instruction &i)
{
	uint32_t kinds = faults_of(i, wanted);
	if (kinds && woven)
		note_faults(i, inst.at(&i), kinds);
	for (unsigned k = 1; k < CHECK_KINDS; k++)
		if (kinds >> k & 1)
			at(checks.rec("check")
			        .num(inst.at(&i))
			        .raw(check_name(k))
			        .num(funcs)
			        .num(numbers.block.at(i.getParent())),
			    i.getDebugLoc())
			    .end();
	if (objectives && wanted)
		objective(i);
}

// The block that a record of objectives at the instruction names: of a loop the first of its body.
static const BasicBlock *objective_block(const Instruction &i)
{
	const MDNode *loop = i.getMetadata("duct.loop");
	for (const BasicBlock &b : *i.getFunction())
		if (loop && b.getTerminator()->getMetadata("duct.body") == loop)
			return &b;
	return i.getParent();
}

// Writes a record for each objective at the instruction, likewise.
void FlowWriter::objective(Instruction &i)
{
	std::vector<Objective> list = objectives->at(i);
	for (const Objective &o : list) {
		Out &to = checks.rec("objective")
		              .num(inst.at(&i))
		              .raw(check_name(o.kind))
		              .raw(criterion_name(criterion_of_check(o.check)))
		              .num(funcs)
		              .num(numbers.block.at(objective_block(i)));
		if (o.place.line && files.count(o.place.file))
			to.num(files[o.place.file]).num(o.place.line).num(o.place.col);
		else
			at(to, i.getDebugLoc());
		to.str(o.text).end();
	}
	if (!list.empty() && woven)
		Objectives::note(i, inst.at(&i), list);
}

void FlowWriter::instructions(Function &f)
{
	number(f);
	bool entered = false;
	for (BasicBlock &b : f)
		for (Instruction &i : b) {
			if (skipped(i))
				continue;
			instruction(i, numbers.block.at(&b));
			for (Argument &a : f.args()) // structs by value are already in memory
				if (!entered && a.hasByValAttr() && var.count(&a))
					effect("def", defs, i, &a,
					    layout.getTypeStoreSize(a.getParamByValType()), "e",
					    {});
			entered = true;
			effects(i);
		}
}

} // namespace duct
