// weave_values: expressions. Cold code computes values beside their nodes, since builders need
// both.
#include "lib/front/weave.h"

#include <llvm/IR/Operator.h>

namespace duct
{

using namespace llvm;

Value *Weaver::as_integer(B &b, Value *v)
{
	if (v->getType()->isFPOrFPVectorTy() || v->getType()->isVectorTy())
		return b.CreateBitCast(v, IntegerType::get(c, dl.getTypeSizeInBits(v->getType())));
	return v->getType()->isPointerTy() ? b.CreatePtrToInt(v, i64) : v;
}

Value *Weaver::as_word(B &b, Value *v)
{
	return b.CreateZExtOrTrunc(as_integer(b, v), i64);
}

// Values of more than 64 bits are passed in stack slots of the function.
Value *Weaver::as_wide(B &b, Value *v, int which)
{
	if (!wide[which]) {
		B entry(&f->getEntryBlock(), f->getEntryBlock().begin());
		wide[which] = entry.CreateAlloca(Type::getInt128Ty(c));
	}
	b.CreateStore(b.CreateZExt(v, Type::getInt128Ty(c)), wide[which]);
	return wide[which];
}

Sym Weaver::sym(B &b, Value *v)
{
	return { node(v), as_integer(b, v) };
}

Sym Weaver::number(unsigned width, uint64_t value)
{
	return { zero, ConstantInt::get(IntegerType::get(c, width), value) };
}

// The floating-point number with these bits.
static Value *as_number(IRBuilder<> &b, Value *bits)
{
	LLVMContext &c = b.getContext();
	unsigned width = bits->getType()->getIntegerBitWidth();
	return b.CreateBitCast(bits,
	    width == 32       ? Type::getFloatTy(c)
	        : width == 64 ? Type::getDoubleTy(c)
	                      : Type::getX86_FP80Ty(c));
}

static Value *concrete(IRBuilder<> &b, enum op op, Value *x, Value *y)
{
	switch (op) {
	case OP_ADD: return b.CreateAdd(x, y);
	case OP_SUB: return b.CreateSub(x, y);
	case OP_MUL: return b.CreateMul(x, y);
	case OP_AND: return b.CreateAnd(x, y);
	case OP_OR: return b.CreateOr(x, y);
	case OP_XOR: return b.CreateXor(x, y);
	case OP_SHL: return b.CreateShl(x, y);
	case OP_LSHR: return b.CreateLShr(x, y);
	case OP_ASHR: return b.CreateAShr(x, y);
	case OP_UREM: return b.CreateURem(x, y);
	case OP_EQ: return b.CreateICmpEQ(x, y);
	case OP_ULT: return b.CreateICmpULT(x, y);
	case OP_ULE: return b.CreateICmpULE(x, y);
	case OP_SLT: return b.CreateICmpSLT(x, y);
	case OP_SLE: return b.CreateICmpSLE(x, y);
	case OP_FEQ: return b.CreateFCmpOEQ(as_number(b, x), as_number(b, y));
	case OP_FLT: return b.CreateFCmpOLT(as_number(b, x), as_number(b, y));
	case OP_FLE: return b.CreateFCmpOLE(as_number(b, x), as_number(b, y));
	default: return nullptr; // division: the program's own result is used
	}
}

// Builders return 0 if no operand is symbolic, so both nodes may turn out to be 0.
Sym Weaver::binary(B &b, enum op op, Sym x, Sym y)
{
	Sym out{ zero, concrete(b, op, x.v, y.v) };
	unsigned width = width_of(x);
	if (is_zero(x.n) && is_zero(y.n))
		return out;
	if (width <= 64)
		out.n = b.CreateCall(rt("duct_rt_binary", i32, { i32, i32, i32, i64, i32, i64 }),
		    { b.getInt32(op), b.getInt32(width), x.n, as_word(b, x.v), y.n,
		        as_word(b, y.v) });
	else
		out.n =
		    b.CreateCall(rt("duct_rt_binary_wide", i32, { i32, i32, i32, ptr, i32, ptr }),
		        { b.getInt32(op), b.getInt32(width), x.n, as_wide(b, x.v, 0), y.n,
		            as_wide(b, y.v, 1) });
	return out;
}

Sym Weaver::unary(B &b, enum op op, Sym x, unsigned width, unsigned low)
{
	Type *t = IntegerType::get(c, width);
	Sym out{ zero, nullptr };
	switch (op) {
	case OP_NOT: out.v = b.CreateNot(x.v); break;
	case OP_NEG: out.v = b.CreateNeg(x.v); break;
	case OP_ZEXT: out.v = b.CreateZExt(x.v, t); break;
	case OP_SEXT: out.v = b.CreateSExt(x.v, t); break;
	default: out.v = b.CreateTrunc(low ? b.CreateLShr(x.v, low) : x.v, t); break;
	}
	if (is_zero(x.n) || (width == width_of(x) && op != OP_NOT && op != OP_NEG)) {
		out.n = x.n;
		return out;
	}
	out.n = b.CreateCall(rt("duct_rt_unary", i32, { i32, i32, i32, i32, i32 }),
	    { b.getInt32(op), b.getInt32(width), b.getInt32(width_of(x)), b.getInt32(low), x.n });
	return out;
}

Sym Weaver::ite(B &b, Sym cond, Sym x, Sym y)
{
	Sym out{ zero, b.CreateSelect(cond.v, x.v, y.v) };
	unsigned width = width_of(x);
	if (is_zero(cond.n) && is_zero(x.n) && is_zero(y.n))
		return out;
	if (is_zero(cond.n))
		out.n = b.CreateSelect(cond.v, x.n, y.n);
	else if (width <= 64)
		out.n = b.CreateCall(rt("duct_rt_ite", i32, { i32, i32, i64, i32, i64, i32, i64 }),
		    { b.getInt32(width), cond.n, as_word(b, cond.v), x.n, as_word(b, x.v), y.n,
		        as_word(b, y.v) });
	else
		out.n =
		    b.CreateCall(rt("duct_rt_ite_wide", i32, { i32, i32, i64, i32, ptr, i32, ptr }),
		        { b.getInt32(width), cond.n, as_word(b, cond.v), x.n, as_wide(b, x.v, 0),
		            y.n, as_wide(b, y.v, 1) });
	return out;
}

Sym Weaver::compare(B &b, CmpInst::Predicate p, Sym x, Sym y)
{
	switch (p) {
	case CmpInst::ICMP_EQ: return binary(b, OP_EQ, x, y);
	case CmpInst::ICMP_NE: return unary(b, OP_NOT, binary(b, OP_EQ, x, y), 1);
	case CmpInst::ICMP_ULT: return binary(b, OP_ULT, x, y);
	case CmpInst::ICMP_ULE: return binary(b, OP_ULE, x, y);
	case CmpInst::ICMP_UGT: return binary(b, OP_ULT, y, x);
	case CmpInst::ICMP_UGE: return binary(b, OP_ULE, y, x);
	case CmpInst::ICMP_SLT: return binary(b, OP_SLT, x, y);
	case CmpInst::ICMP_SLE: return binary(b, OP_SLE, x, y);
	case CmpInst::ICMP_SGT: return binary(b, OP_SLT, y, x);
	default: return binary(b, OP_SLE, y, x);
	}
}

static enum op op_of(unsigned opcode)
{
	switch (opcode) {
	case Instruction::Add: return OP_ADD;
	case Instruction::Sub: return OP_SUB;
	case Instruction::Mul: return OP_MUL;
	case Instruction::UDiv: return OP_UDIV;
	case Instruction::SDiv: return OP_SDIV;
	case Instruction::URem: return OP_UREM;
	case Instruction::SRem: return OP_SREM;
	case Instruction::And: return OP_AND;
	case Instruction::Or: return OP_OR;
	case Instruction::Xor: return OP_XOR;
	case Instruction::Shl: return OP_SHL;
	case Instruction::LShr: return OP_LSHR;
	case Instruction::AShr: return OP_ASHR;
	default: return OP_NONE;
	}
}

void Weaver::visit_binary(BinaryOperator &i)
{
	Value *x = i.getOperand(0), *y = i.getOperand(1);
	enum op op = op_of(i.getOpcode());
	auto *all = dyn_cast<ConstantInt>(y);
	// a complement is simpler to solve than an exclusive or
	bool complement = op == OP_XOR && all && all->isMinusOne();
	defer(i, { x, y }, 1, [=, &i](B &b) {
		return Nodes{ complement
			    ? unary(b, OP_NOT, sym(b, x), i.getType()->getIntegerBitWidth()).n
			    : binary(b, op, sym(b, x), sym(b, y)).n };
	});
}

void Weaver::visit_cast(CastInst &i)
{
	Value *x = i.getOperand(0);
	if (!is_scalar(i.getType()) || !is_scalar(x->getType())) {
		if (x->getType()->isVectorTy() || x->getType()->isFloatingPointTy())
			return;
		return visit_other(i);
	}
	if (i.getOpcode() != Instruction::BitCast && i.getType()->isVectorTy())
		return visit_other(i);
	if (i.getOpcode() != Instruction::BitCast
	    && (i.getType()->isFloatingPointTy() || x->getType()->isFloatingPointTy()))
		return visit_number_cast(i);
	unsigned from = dl.getTypeSizeInBits(x->getType()), to = dl.getTypeSizeInBits(i.getType());
	if (from == to)
		return defer(i, { x }, 1, [=](B &) { return nodes(x); });
	enum op op = i.getOpcode() == Instruction::SExt ? OP_SEXT
	    : from < to                                 ? OP_ZEXT
	                                                : OP_EXTRACT;
	defer(i, { x }, 1, [=](B &b) { return Nodes{ unary(b, op, sym(b, x), to).n }; });
}

// Is it the address of a symbol that another file of a larger program may define?
static bool is_weak(const Value *v)
{
	auto *g = dyn_cast<GlobalValue>(v->stripPointerCasts());
	return g && g->hasExternalWeakLinkage() && !g->getName().starts_with(".duct.");
}

void Weaver::visit_compare(ICmpInst &i)
{
	Value *x = i.getOperand(0), *y = i.getOperand(1);
	for (Value *v : { x, y })
		if (is_weak(v))
			tell_limit(i, "weak", v->stripPointerCasts()->getName().str().c_str());
	if (!is_scalar(x->getType()) || x->getType()->isVectorTy())
		return visit_other(i);
	defer(i, { x, y }, 1, [=, &i](B &b) {
		return Nodes{ compare(b, i.getPredicate(), sym(b, x), sym(b, y)).n };
	});
}

void Weaver::visit_select(SelectInst &i)
{
	Value *k = i.getCondition(), *x = i.getTrueValue(), *y = i.getFalseValue();
	SmallVector<Type *, 2> types;
	leaves(i.getType(), types);
	if (!k->getType()->isIntegerTy())
		return visit_other(i);
	if (is_merged(i))
		return defer(i, { k, x, y }, 1,
		    [=](B &b) { return Nodes{ chosen(b, sym(b, k), sym(b, x), sym(b, y)) }; });
	if (types.size() == 1 && is_scalar(types[0]))
		return defer(i, { k, x, y }, 1,
		    [=](B &b) { return Nodes{ ite(b, sym(b, k), sym(b, x), sym(b, y)).n }; });
	flush(&i);
	// the branch marker before it constrains the condition
	Nodes nx = nodes(x), ny = nodes(y), out;
	B at(&i);
	for (size_t j = 0; j < types.size(); j++)
		out.push_back(
		    is_zero(nx[j]) && is_zero(ny[j]) ? zero : at.CreateSelect(k, nx[j], ny[j]));
	set(i, out);
}

// The offset as an expression: the sum of index times stride over the symbolic indices, plus a
// constant, the rest of the distance between base and result.
void Weaver::visit_gep(GetElementPtrInst &i)
{
	Value *base = i.getPointerOperand();
	if (!is_scalar(i.getType()))
		return visit_other(i);
	MapVector<Value *, APInt> index;
	APInt constant(64, 0);
	if (!cast<GEPOperator>(i).collectOffset(dl, 64, index, constant))
		return visit_other(i);
	SmallVector<Value *, 4> operands{ base };
	for (auto &kv : index)
		operands.push_back(kv.first);
	bool moved = !index.empty() || constant != 0;
	if (!moved)
		return defer(i, { base }, 1, [=](B &) { return nodes(base); });
	defer(i, operands, 1, [=](B &b) {
		Sym sum = number(64, constant.getZExtValue());
		for (auto &kv : index) {
			Sym at = sym(b, kv.first);
			unsigned width = width_of(at);
			at = unary(b, width > 64 ? OP_EXTRACT : OP_SEXT, at, 64);
			if (kv.second != 1)
				at = binary(b, OP_MUL, at, number(64, kv.second.getZExtValue()));
			sum = binary(b, OP_ADD, at, sum);
		}
		return Nodes{ b.CreateCall(rt("duct_rt_pointer", i32, { i32, i64, i32, i64 }),
		    { node(base), as_word(b, base), sum.n, sum.v }) };
	});
}

static size_t leaf_index(Type *t, ArrayRef<unsigned> path, function_ref<size_t(Type *)> count)
{
	size_t at = 0;
	for (unsigned k : path) {
		if (auto *s = dyn_cast<StructType>(t)) {
			for (unsigned i = 0; i < k; i++)
				at += count(s->getElementType(i));
			t = s->getElementType(k);
		} else {
			t = cast<ArrayType>(t)->getElementType();
			at += k * count(t);
		}
	}
	return at;
}

void Weaver::visit_extract(ExtractValueInst &i)
{
	flush(&i);
	Nodes all = nodes(i.getAggregateOperand());
	size_t at = leaf_index(i.getAggregateOperand()->getType(), i.getIndices(),
	    [&](Type *t) { return leaf_count(t); });
	set(i, Nodes(all.begin() + at, all.begin() + at + leaf_count(i.getType())));
}

void Weaver::visit_insert(InsertValueInst &i)
{
	flush(&i);
	Nodes all = nodes(i.getAggregateOperand()), part = nodes(i.getInsertedValueOperand());
	size_t at = leaf_index(i.getType(), i.getIndices(), [&](Type *t) { return leaf_count(t); });
	for (size_t k = 0; k < part.size(); k++)
		all[at + k] = part[k];
	set(i, all);
}

} // namespace duct
