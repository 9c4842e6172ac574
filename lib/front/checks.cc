#include "lib/front/faults.h"

#include "lib/front/variadic.h"

extern "C" {
#include "lib/protocol/checks.h"
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

bool is_noted(const Instruction &i, const MDNode *md)
{
	return md
	    && (operand(md, 1) >> CHECK_NULL & 1
	        || (operand(md, 1) >> CHECK_BOUNDS & 1 && (frees(i) || tells_bytes(i))));
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
		if (Value *safe = operand(md, 1) >> kind & 1 ? condition(b, i, kind) : nullptr)
			plant_condition(m, b, operand(md, 0), kind, safe);
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
Value *touched(Module &m, IRBuilder<> &b, const Touch &a)
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

// block: the block id to record where the access is not known to be valid; 0: it is recorded
// anyway. Checks of reads come first, so that a length which is too large for the caller's object
// is blamed on the read, not on the write to the function's own object.
void plant_accesses(Module &m, Instruction &i, uint32_t inst, uint32_t block)
{
	IRBuilder<> b(&i);
	Type *p = b.getPtrTy(), *i32 = b.getInt32Ty();
	auto list = accesses(i);
	std::stable_partition(list.begin(), list.end(), [](const Touch &a) { return !a.writes; });
	for (const Touch &a : list) {
		if (is_within(i, a))
			continue;
		if (Value *args = a.bytes ? va_list_of(a.p) : nullptr) {
			auto f = m.getOrInsertFunction("duct_rt_va_access",
			    FunctionType::get(b.getVoidTy(), { i32, p, p, b.getInt64Ty() }, false));
			b.CreateCall(f,
			    { b.getInt32(inst), args, a.p,
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
		        b.getInt32(
		            (isa<AllocaInst>(base) || isa<GlobalVariable>(base) ? ACCESS_DIRECT : 0)
		            | (a.writes ? ACCESS_WRITES : 0)),
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
	return isa<LoadInst>(i) && md && operand(md, 1) >> CHECK_BOUNDS & 1
	    && !is_within(i, accesses(i)[0]);
}

uint32_t block_id(const BasicBlock &block)
{
	return operand(block.getTerminator()->getMetadata("duct.block"), 0);
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
		    { b.getInt32(operand(i->getMetadata("duct.check"), 0)),
		        b.getInt32(block_id(block)) });
	}
	return true;
}

void plant_all(Module &m, Instruction &i, const MDNode *md, bool noted)
{
	uint32_t inst = operand(md, 0), kinds = operand(md, 1);
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
				plant_machine(m, i, md ? operand(md, 1) : 0);
				wrap(i);
			}
		}
}

} // namespace duct
