#include "lib/front/checks.h"

#include "lib/front/variadic.h"
#include "lib/front/weave.h"

extern "C" {
#include "lib/protocol/checks.h"
#include "lib/clib/clib.h"
}

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace duct
{
namespace
{

// The shift amount before clang converted it to the left operand's type.
Value *shift_amount(const Instruction &i)
{
	Value *n = i.getOperand(1);
	auto *cast = dyn_cast<CastInst>(n);
	if (cast && cast->getName().starts_with("sh_prom"))
		return cast->getOperand(0);
	return n;
}

bool may_divide_badly(const Instruction &i)
{
	auto *c = dyn_cast<ConstantInt>(i.getOperand(1));
	bool is_signed = i.getOpcode() == Instruction::SDiv || i.getOpcode() == Instruction::SRem;
	return !c || c->isZero() || (is_signed && c->isMinusOne());
}

bool may_shift_too_far(const Instruction &i)
{
	auto *c = dyn_cast<ConstantInt>(shift_amount(i));
	return !c || c->getValue().uge(i.getType()->getIntegerBitWidth());
}

// A memory access: `bytes` from p on; or, for a library function, as many as it touches there
// (`how`), which depends on p, q and n.
struct Access {
	Value *p, *bytes;
	enum duct_touch how;
	Value *q, *n;
	bool modelled = false;
};

Value *bytes_of(const Instruction &i, const Type *t)
{
	uint64_t n = i.getModule()->getDataLayout().getTypeStoreSize(const_cast<Type *>(t));
	return ConstantInt::get(Type::getInt64Ty(i.getContext()), n);
}

// The table entry of the called library function; nullptr: none.
const struct clib *library(const CallBase &call)
{
	auto *f = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
	return f && f->isDeclaration() ? clib_find(f->getName().str().c_str()) : nullptr;
}

bool is_one_of(char c, const char *list)
{
	return c && strchr(list, c);
}

// The extent of a library function's access through an argument; false: unknown before the call.
bool touch_of(struct clib_arg e, enum duct_touch &how, int &q, int &n)
{
	q = n = -1;
	if (!is_one_of(e.access, "rwb"))
		return false;
	switch (e.extent) {
	case '#':
		how = TOUCH_BYTES;
		n = e.a;
		return true;
	case 'M':
		how = TOUCH_BYTES;
		n = e.b;
		return true;
	case 'S':
		how = e.a < 0 ? TOUCH_TEXT : TOUCH_TEXT_N;
		n = e.a;
		return e.access == 'r';
	case 'U':
		how = TOUCH_UNTIL;
		n = e.a;
		return true;
	case 'V':
		how = e.b < 0 ? TOUCH_FIND : TOUCH_FIND_N;
		q = e.b < 0 ? -1 : e.a;
		n = e.b < 0 ? e.a : e.b;
		return true;
	case 'D':
		how = e.b < 0 ? TOUCH_SAME : TOUCH_SAME_N;
		q = e.a;
		n = e.b;
		return true;
	case 'E':
		how = e.b < 0 ? TOUCH_ALIKE : TOUCH_ALIKE_N;
		q = e.a;
		n = e.b;
		return true;
	case 'Y':
		how = TOUCH_SPAN;
		q = e.a;
		return true;
	case 'W':
		how = TOUCH_SPAN_NOT;
		q = e.a;
		return true;
	case 'Z':
		how = TOUCH_SEARCH;
		q = e.a;
		return true;
	case 'K':
		how = TOUCH_SEARCH_ALIKE;
		q = e.a;
		return true;
	case 'C':
		how = TOUCH_COPY;
		q = e.a;
		return true;
	case 'A':
		how = e.b < 0 ? TOUCH_APPEND : TOUCH_APPEND_N;
		q = e.a;
		n = e.b;
		return true;
	default: return false;
	}
}

// Does the function only print a string?
bool puts_text(const struct clib *c)
{
	return clib_does(c, "M") && clib_arg(c, 0).access == 'r' && clib_arg(c, 0).extent == 'S';
}

// The accesses of functions that only work on memory or print a string. Others may accept NULL as
// "not wanted".
SmallVector<Access, 2> accesses_of_call(CallBase &call)
{
	const struct clib *c = library(call);
	SmallVector<Access, 2> list;
	if (!c || !clib_is_local(c) || (clib_does(c, "oOe") && !puts_text(c))
	    || strpbrk(c->points, "n+") || !strncmp(c->name, "duct_", 5))
		return list;
	auto argument = [&](int k) { return k < 0 ? nullptr : call.getArgOperand((unsigned)k); };
	for (unsigned k = 0; k < call.arg_size(); k++) {
		enum duct_touch how;
		int q, n;
		if (touch_of(clib_arg(c, k), how, q, n) && std::max(q, n) < (int)call.arg_size())
			list.push_back({ argument(k), how == TOUCH_BYTES ? argument(n) : nullptr,
			    how, argument(q), argument(n), clib_does(c, "M") });
	}
	return list;
}

Access access(Value *p, Value *bytes)
{
	return { p, bytes, TOUCH_BYTES, nullptr, nullptr, false };
}

SmallVector<Access, 2> accesses(Instruction &i)
{
	if (auto *load = dyn_cast<LoadInst>(&i))
		return { access(load->getPointerOperand(), bytes_of(i, i.getType())) };
	if (auto *store = dyn_cast<StoreInst>(&i))
		return { access(
		    store->getPointerOperand(), bytes_of(i, store->getValueOperand()->getType())) };
	if (auto *rmw = dyn_cast<AtomicRMWInst>(&i))
		return { access(rmw->getPointerOperand(), bytes_of(i, i.getType())) };
	if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&i))
		return { access(exchange->getPointerOperand(),
		    bytes_of(i, exchange->getNewValOperand()->getType())) };
	if (auto *copy = dyn_cast<AnyMemTransferInst>(&i))
		return { access(copy->getRawDest(), copy->getLength()),
			access(copy->getRawSource(), copy->getLength()) };
	if (auto *memory = dyn_cast<AnyMemIntrinsic>(&i))
		return { access(memory->getRawDest(), memory->getLength()) };
	auto *call = dyn_cast<CallBase>(&i);
	return call ? accesses_of_call(*call) : SmallVector<Access, 2>();
}

// Parts of variables are never NULL; loaded, computed or passed pointers may be.
bool may_be_null(const Value *p)
{
	const Value *base = getUnderlyingObject(p, 0);
	if (auto *a = dyn_cast<Argument>(base))
		return !a->hasPassPointeeByValueCopyAttr();
	return !isa<AllocaInst>(base) && !isa<GlobalValue>(base);
}

bool may_meet_null(Instruction &i)
{
	auto *call = dyn_cast<CallBase>(&i);
	if (call && !isa<IntrinsicInst>(i))
		return call->isIndirectCall();
	return any_of(accesses(i), [](const Access &a) { return may_be_null(a.p); });
}

// Is the access always within a variable?
bool is_within(const Instruction &i, const Access &a)
{
	const DataLayout &layout = i.getModule()->getDataLayout();
	APInt offset(64, 0);
	const Value *base = a.p->stripAndAccumulateConstantOffsets(layout, offset, true);
	uint64_t size = 0;
	if (auto *v = dyn_cast<AllocaInst>(base))
		size = v->isArrayAllocation()
		    ? 0
		    : layout.getTypeAllocSize(v->getAllocatedType()).getFixedValue();
	else if (auto *g = dyn_cast<GlobalVariable>(base))
		size = layout.getTypeAllocSize(g->getValueType());
	StringRef text;
	if (a.how == TOUCH_TEXT && getConstantStringInfo(a.p, text))
		return true;
	auto *bytes = dyn_cast_or_null<ConstantInt>(a.bytes);
	return bytes && bytes->getValue().ule(size) && offset.ule(size - bytes->getZExtValue());
}

// Does a static variable contain an array of this type at its start? Addresses of first members are
// folded.
bool begins_in(const GlobalVariable *g, const ArrayType *array)
{
	Type *type = g->getValueType();
	while (type != array) {
		auto *outer = dyn_cast<StructType>(type);
		if (outer ? outer->getNumElements() < 2 : !isa<ArrayType>(type))
			return false;
		type = outer ? outer->getElementType(0) : cast<ArrayType>(type)->getElementType();
	}
	return type != g->getValueType();
}

// An index into an array inside a larger object, whose overflow the access alone would not show.
// Arrays of at most one element, and the last in a structure, may be longer than declared.
const Value *part_index(const Instruction &i)
{
	auto *gep = dyn_cast<GetElementPtrInst>(&i);
	auto *array = gep ? dyn_cast<ArrayType>(gep->getSourceElementType()) : nullptr;
	if (!array || gep->getNumIndices() != 2 || array->getNumElements() < 2)
		return nullptr;
	auto *outer = dyn_cast<GEPOperator>(gep->getPointerOperand());
	auto *type = outer ? dyn_cast<StructType>(outer->getSourceElementType()) : nullptr;
	auto *first = dyn_cast<GlobalVariable>(gep->getPointerOperand());
	if (first ? !begins_in(first, array)
	          : !outer || (!type && !isa<ArrayType>(outer->getSourceElementType())))
		return nullptr;
	auto *member =
	    outer ? dyn_cast<ConstantInt>(outer->getOperand(outer->getNumOperands() - 1)) : nullptr;
	if (type && (!member || member->getZExtValue() + 1 == type->getNumElements()))
		return nullptr;
	auto *index = dyn_cast<ConstantInt>(gep->getOperand(2));
	return index && index->getValue().ult(array->getNumElements()) ? nullptr
	                                                               : gep->getOperand(2);
}

// May a format contain a string conversion?
bool has_text(const Value *format)
{
	StringRef f;
	if (!getConstantStringInfo(format, f))
		return true;
	for (size_t at = 0; (at = f.find('%', at)) != StringRef::npos; at++) {
		at = f.find_first_not_of("0123456789.*-+ #'hlLqjzt", at + 1);
		if (at == StringRef::npos || f[at] == 's')
			return at != StringRef::npos;
	}
	return false;
}

// Models of these functions report what they read or wrote (duct_rt_written).
bool tells_bytes(const Instruction &i)
{
	auto *call = dyn_cast<CallBase>(&i);
	const struct clib *c = call ? library(*call) : nullptr;
	if (!c || !clib_does(c, "M"))
		return false;
	for (unsigned k = 0; k < call->arg_size(); k++) {
		struct clib_arg e = clib_arg(c, k);
		if (is_one_of(e.extent, "GIT") || (e.access == 'w' && is_one_of(e.extent, "SNLR")))
			return true;
		if (is_one_of(e.extent, "FH"))
			return has_text(call->getArgOperand(k));
	}
	return false;
}

bool frees(const Instruction &i)
{
	auto *call = dyn_cast<CallBase>(&i);
	const struct clib *c = call && call->arg_size() ? library(*call) : nullptr;
	return c && is_one_of(clib_arg(c, 0).access, "xy") && !clib_does(c, "m");
}

bool may_leave(Instruction &i)
{
	return frees(i) || tells_bytes(i) || part_index(i)
	    || any_of(accesses(i), [&](const Access &a) { return !is_within(i, a); });
}

// Does the call allocate a heap block that the caller must free, as result or through an argument?
bool allocates(const Instruction &i)
{
	auto *call = dyn_cast<CallBase>(&i);
	const struct clib *c = call ? library(*call) : nullptr;
	return c && (strpbrk(c->points, "*+"));
}

// The condition or address that an instruction depends on; nullptr: uninitialised memory cannot
// affect it.
Value *decision(Instruction &i)
{
	Value *v = nullptr;
	if (i.getMetadata("duct.branch"))
		v = isa<SwitchInst>(i)   ? cast<SwitchInst>(i).getCondition()
		    : isa<SelectInst>(i) ? cast<SelectInst>(i).getCondition()
		                         : cast<BranchInst>(i).getCondition();
	else if (auto *p = getLoadStorePointerOperand(&i))
		v = p;
	return v && (isa<Instruction>(v) || isa<Argument>(v)) && !isa<AllocaInst>(v)
	        && (v->getType()->isPointerTy() || v->getType()->getIntegerBitWidth() <= 64)
	    ? v
	    : nullptr;
}

uint32_t arithmetic_faults(const Instruction &i)
{
	if (!i.getType()->isIntegerTy())
		return 0;
	switch (i.getOpcode()) {
	case Instruction::SDiv:
	case Instruction::UDiv:
	case Instruction::SRem:
	case Instruction::URem: return may_divide_badly(i) ? 1u << CHECK_DIV : 0;
	case Instruction::Add:
	case Instruction::Sub:
	case Instruction::Mul: return i.hasNoSignedWrap() ? 1u << CHECK_OVERFLOW : 0;
	case Instruction::Shl:
	case Instruction::LShr:
	case Instruction::AShr: return may_shift_too_far(i) ? 1u << CHECK_SHIFT : 0;
	default: return 0;
	}
}

} // namespace

uint32_t faults_of(Instruction &i, uint32_t wanted)
{
	uint32_t kinds = arithmetic_faults(i);
	if (wanted >> CHECK_NULL & 1 && may_meet_null(i))
		kinds |= 1u << CHECK_NULL;
	if (wanted >> CHECK_BOUNDS & 1 && may_leave(i))
		kinds |= 1u << CHECK_BOUNDS;
	if (wanted >> CHECK_UNINIT & 1 && decision(i))
		kinds |= 1u << CHECK_UNINIT;
	if (wanted >> CHECK_LEAK & 1 && allocates(i))
		kinds |= 1u << CHECK_LEAK;
	return kinds & wanted;
}

void note_faults(Instruction &i, uint32_t inst, uint32_t kinds)
{
	LLVMContext &c = i.getContext();
	auto number = [&](uint32_t v) {
		return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(c), v));
	};
	i.setMetadata("duct.check", MDNode::get(c, { number(inst), number(kinds) }));
}

namespace
{

// The divisor is not 0, and it is not the minimum divided by -1.
Value *divides_well(IRBuilder<> &b, Instruction &i)
{
	Value *x = i.getOperand(0), *y = i.getOperand(1);
	auto *type = cast<IntegerType>(i.getType());
	Value *good = b.CreateICmpNE(y, ConstantInt::get(type, 0));
	if (i.getOpcode() != Instruction::SDiv && i.getOpcode() != Instruction::SRem)
		return good;
	APInt least = APInt::getSignedMinValue(type->getBitWidth());
	return b.CreateAnd(good,
	    b.CreateOr(b.CreateICmpNE(y, Constant::getAllOnesValue(type)),
	        b.CreateICmpNE(x, ConstantInt::get(type, least))));
}

Value *stays_in_range(IRBuilder<> &b, Instruction &i)
{
	Intrinsic::ID id = i.getOpcode() == Instruction::Add ? Intrinsic::sadd_with_overflow
	    : i.getOpcode() == Instruction::Sub              ? Intrinsic::ssub_with_overflow
	                                                     : Intrinsic::smul_with_overflow;
	Value *pair = b.CreateBinaryIntrinsic(id, i.getOperand(0), i.getOperand(1));
	return b.CreateNot(b.CreateExtractValue(pair, 1));
}

// The amount is less than the width. The shift itself is executed modulo the width, as on x86.
Value *shifts_within(IRBuilder<> &b, Instruction &i)
{
	Value *n = shift_amount(i);
	unsigned width = i.getType()->getIntegerBitWidth();
	Value *good = !isUIntN(n->getType()->getIntegerBitWidth(), width)
	    ? (Value *)b.getTrue()
	    : b.CreateICmpULT(n, ConstantInt::get(n->getType(), width));
	if (isPowerOf2_32(width))
		i.setOperand(
		    1, b.CreateAnd(i.getOperand(1), ConstantInt::get(i.getType(), width - 1)));
	return good;
}

// The index is within the array. Forming the address one past the end is allowed if it is not
// accessed.
Value *indexes_within(IRBuilder<> &b, Instruction &i)
{
	auto *gep = cast<GetElementPtrInst>(&i);
	uint64_t n = cast<ArrayType>(gep->getSourceElementType())->getNumElements();
	bool used =
	    any_of(gep->users(), [&](User *u) { return getLoadStorePointerOperand(u) == gep; });
	Value *index = gep->getOperand(2);
	return b.CreateICmpULT(index, ConstantInt::get(index->getType(), used ? n : n + 1));
}

Value *condition(IRBuilder<> &b, Instruction &i, unsigned kind)
{
	switch (kind) {
	case CHECK_DIV: return divides_well(b, i);
	case CHECK_OVERFLOW: return stays_in_range(b, i);
	case CHECK_SHIFT: return shifts_within(b, i);
	case CHECK_BOUNDS: return part_index(i) ? indexes_within(b, i) : nullptr;
	default: return nullptr;
	}
}

uint32_t field(const MDNode *md, unsigned k)
{
	return mdconst::extract<ConstantInt>(md->getOperand(k))->getZExtValue();
}

bool is_noted(const Instruction &i, const MDNode *md)
{
	return md
	    && (field(md, 1) >> CHECK_NULL & 1
	        || (field(md, 1) >> CHECK_BOUNDS & 1 && (frees(i) || tells_bytes(i))));
}

void plant_condition(Module &m, IRBuilder<> &b, uint32_t inst, unsigned kind, Value *safe)
{
	Function *f = marker(m, marker_check, { b.getInt32Ty(), b.getInt32Ty(), b.getInt1Ty() });
	// without this, the division that follows would imply that it is safe
	f->removeFnAttr(Attribute::WillReturn);
	b.CreateCall(f, { b.getInt32(inst), b.getInt32(kind), safe });
}

void plant_conditions(Module &m, Instruction &i, const MDNode *md)
{
	IRBuilder<> b(&i);
	for (unsigned kind = 1; kind < CHECK_KINDS; kind++)
		if (Value *safe = field(md, 1) >> kind & 1 ? condition(b, i, kind) : nullptr)
			plant_condition(m, b, field(md, 0), kind, safe);
}

// Faults of the processor, whether or not they are checked for: a bad division ends the run and is
// a path condition; a shift uses its amount modulo the width.
void plant_machine(Module &m, Instruction &i, uint32_t watched)
{
	uint32_t kinds = arithmetic_faults(i) & ~watched;
	IRBuilder<> b(&i);
	if (kinds >> CHECK_DIV & 1)
		plant_condition(m, b, 0, CHECK_NONE, divides_well(b, i));
	if (kinds >> CHECK_SHIFT & 1)
		shifts_within(b, i);
}

bool calls(const BasicBlock &block)
{
	return any_of(
	    block, [](const Instruction &i) { return isa<CallBase>(i) && !isa<IntrinsicInst>(i); });
}

// The number of bytes that a library function is about to touch.
Value *touched(Module &m, IRBuilder<> &b, const Access &a)
{
	Type *p = b.getPtrTy(), *i64 = b.getInt64Ty();
	auto f = m.getOrInsertFunction(
	    "duct_rt_touches", FunctionType::get(i64, { b.getInt32Ty(), p, p, i64 }, false));
	Value *q = !a.q ? ConstantPointerNull::get(b.getPtrTy())
	    : a.q->getType()->isPointerTy()
	    ? a.q
	    : b.CreateIntToPtr(b.CreateZExtOrTrunc(a.q, i64), b.getPtrTy());
	return b.CreateCall(f,
	    { b.getInt32(a.how | (a.modelled ? TOUCH_MODELLED : 0)), a.p, q,
	        a.n ? b.CreateZExtOrTrunc(a.n, i64) : b.getInt64(0) });
}

// The only variable that a pointer can point into: also for loads from a local pointer whose stored
// values all point into it. nullptr: unknown or several.
Value *only_origin(Value *p, SmallPtrSetImpl<const Value *> &seen)
{
	Value *base = getUnderlyingObject(p, 0);
	if (isa<AllocaInst>(base) || isa<GlobalVariable>(base))
		return base;
	auto *load = dyn_cast<LoadInst>(base);
	auto *from = load ? dyn_cast<AllocaInst>(load->getPointerOperand()) : nullptr;
	Value *only = nullptr;
	if (!from || !from->getAllocatedType()->isPointerTy() || !seen.insert(from).second)
		return nullptr;
	for (User *u : from->users()) {
		auto *store = dyn_cast<StoreInst>(u);
		if (isa<LoadInst>(u))
			continue;
		if (!store || store->getPointerOperand() != from)
			return nullptr;
		Value *again = getUnderlyingObject(store->getValueOperand(), 0);
		auto *moved = dyn_cast<LoadInst>(again);
		if (moved && moved->getPointerOperand() == from)
			continue;
		Value *one = only_origin(again, seen);
		if (!one || (only && one != only))
			return nullptr;
		only = one;
	}
	return only;
}

// block: id to record where the access is not known to be valid; 0: it is recorded anyway.
void plant_accesses(Module &m, Instruction &i, uint32_t inst, uint32_t block)
{
	IRBuilder<> b(&i);
	Type *p = b.getPtrTy(), *i32 = b.getInt32Ty();
	for (const Access &a : accesses(i)) {
		if (is_within(i, a))
			continue;
		if (Value *list = a.bytes ? va_list_of(a.p) : nullptr) {
			auto f = m.getOrInsertFunction("duct_rt_va_access",
			    FunctionType::get(b.getVoidTy(), { i32, p, p, b.getInt64Ty() }, false));
			b.CreateCall(f,
			    { b.getInt32(inst), list, a.p,
			        b.CreateZExtOrTrunc(a.bytes, b.getInt64Ty()) });
			continue;
		}
		SmallPtrSet<const Value *, 4> seen;
		Value *base = getUnderlyingObject(a.p, 0), *only = only_origin(base, seen);
		base = only ? only : base;
		Value *bytes =
		    a.bytes ? b.CreateZExtOrTrunc(a.bytes, b.getInt64Ty()) : touched(m, b, a);
		b.CreateCall(marker(m, marker_access, { i32, p, p, b.getInt64Ty(), i32, i32 }),
		    { b.getInt32(inst), base, a.p, bytes,
		        b.getInt32(isa<AllocaInst>(base) || isa<GlobalVariable>(base)),
		        b.getInt32(block) });
	}
}

void plant_decision(Module &m, Instruction &i, uint32_t inst)
{
	IRBuilder<> b(&i);
	Value *v = decision(i);
	v = v->getType()->isPointerTy() ? b.CreatePtrToInt(v, b.getInt64Ty())
	                                : b.CreateZExt(v, b.getInt64Ty());
	b.CreateCall(
	    marker(m, marker_uninit, { b.getInt32Ty(), b.getInt64Ty() }), { b.getInt32(inst), v });
}

void plant_alloc(Module &m, Instruction &i, uint32_t inst)
{
	IRBuilder<> b(&i);
	b.CreateCall(marker(m, marker_alloc, { b.getInt32Ty() }), { b.getInt32(inst) });
}

// Does the bounds check of a load record its position? Then a load known to be in bounds cannot
// fail.
bool is_noted_by_bounds(Instruction &i)
{
	const MDNode *md = i.getMetadata("duct.check");
	return isa<LoadInst>(i) && md && field(md, 1) >> CHECK_BOUNDS & 1
	    && !is_within(i, accesses(i)[0]);
}

uint32_t block_id(const BasicBlock &block)
{
	return field(block.getTerminator()->getMetadata("duct.block"), 0);
}

// A fault's address is known when it occurs. Its position is recorded if several accesses could
// have caused it, or the current block id may be that of an inlined function. Returns whether the
// latter holds.
bool plant_notes(Module &m, BasicBlock &block)
{
	SmallVector<Instruction *, 8> list;
	for (Instruction &i : block)
		if (is_noted(i, i.getMetadata("duct.check")))
			list.push_back(&i);
	if (list.size() < 2 && !calls(block))
		return false;
	for (Instruction *i : list) {
		if (is_noted_by_bounds(*i))
			continue;
		IRBuilder<> b(i);
		b.CreateCall(marker(m, marker_at, { b.getInt32Ty(), b.getInt32Ty() }),
		    { b.getInt32(field(i->getMetadata("duct.check"), 0)),
		        b.getInt32(block_id(block)) });
	}
	return true;
}

void plant_all(Module &m, Instruction &i, const MDNode *md, bool noted)
{
	uint32_t inst = field(md, 0), kinds = field(md, 1);
	plant_conditions(m, i, md);
	if (kinds >> CHECK_BOUNDS & 1)
		plant_accesses(
		    m, i, inst, noted && is_noted_by_bounds(i) ? block_id(*i.getParent()) : 0);
	if (kinds >> CHECK_UNINIT & 1)
		plant_decision(m, i, inst);
	if (kinds >> CHECK_LEAK & 1)
		plant_alloc(m, i, inst);
}

void wrap(Instruction &i)
{
	if (isa<OverflowingBinaryOperator>(i) || isa<GetElementPtrInst>(i))
		i.dropPoisonGeneratingFlags();
}

} // namespace

void plant_checks(Module &m)
{
	for (Function &f : m)
		for (BasicBlock &block : f) {
			bool noted = plant_notes(m, block);
			for (Instruction &i : make_early_inc_range(block)) {
				MDNode *md = i.getMetadata("duct.check");
				if (md)
					plant_all(m, i, md, noted);
				plant_machine(m, i, md ? field(md, 1) : 0);
				wrap(i);
			}
		}
}

} // namespace duct
