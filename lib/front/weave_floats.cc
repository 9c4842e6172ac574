// weave_floats: floating-point operations. A number's node represents its bits; moving or changing
// bits is plain arithmetic.
#include "lib/front/weave.h"

namespace duct
{

using namespace llvm;

static bool is_number_type(const Type *t)
{
	return t->isFloatTy() || t->isDoubleTy() || t->isX86_FP80Ty();
}

// Builds instruction i as operation `op` of `width` bits (0: the result's). The checking build
// compares with the program's own result.
Nodes Weaver::number_op(B &b, Instruction &i, enum op op, unsigned width)
{
	Sym x = sym(b, i.getOperand(0)), y{ zero, nullptr }, result = sym(b, &i);
	bool two = isa<BinaryOperator>(i);
	if (two)
		y = sym(b, i.getOperand(1));
	Value *vx = as_wide(b, x.v, 0),
	      *vy = two ? as_wide(b, y.v, 1) : ConstantPointerNull::get(ptr);
	return { b.CreateCall(
	    rt("duct_rt_float", i32, { ptr, i32, i32, i32, i32, ptr, i32, ptr, ptr, i32 }),
	    { unit, b.getInt32(op), b.getInt32(width ? width : width_of(result)),
		b.getInt32(width_of(x)), x.n, vx, y.n, vy, as_wide(b, result.v, 2),
		b.getInt32(width_of(result)) }) };
}

static enum op float_op_of(unsigned opcode)
{
	switch (opcode) {
	case Instruction::FAdd: return OP_FADD;
	case Instruction::FSub: return OP_FSUB;
	case Instruction::FMul: return OP_FMUL;
	case Instruction::FDiv: return OP_FDIV;
	default: return OP_FREM;
	}
}

void Weaver::visit_number_op(Instruction &i)
{
	Value *x = i.getOperand(0);
	if (!is_number_type(i.getType()))
		return visit_other(i);
	if (i.getOpcode() == Instruction::FNeg)
		return defer(i, { x }, 1, [=](B &b) {
			Sym bits = sym(b, x);
			Constant *sign = ConstantInt::get(c, APInt::getSignMask(width_of(bits)));
			return Nodes{ binary(b, OP_XOR, bits, { zero, sign }).n };
		});
	defer(i, { x, i.getOperand(1) }, 1,
	    [=, &i](B &b) { return number_op(b, i, float_op_of(i.getOpcode())); });
}

// Conversions to narrow integers truncate the result of the conversion that the processor has.
void Weaver::visit_number_cast(CastInst &i)
{
	unsigned to = dl.getTypeSizeInBits(i.getType()), width = to;
	enum op op = OP_FCVT;
	switch (i.getOpcode()) {
	case Instruction::SIToFP: op = OP_SITOF; break;
	case Instruction::UIToFP: op = OP_UITOF; break;
	case Instruction::FPToSI:
		op = OP_FTOSI;
		width = to <= 32 ? 32 : to <= 64 ? 64 : 128;
		break;
	case Instruction::FPToUI:
		op = to <= 32 ? OP_FTOSI : OP_FTOUI;
		width = to < 32 ? 32 : to <= 64 ? 64 : 128;
		break;
	default: break;
	}
	defer(i, { i.getOperand(0) }, 1, [=, &i](B &b) { return number_op(b, i, op, width); });
}

Sym Weaver::is_number(B &b, Sym x)
{
	return binary(b, OP_FEQ, x, x);
}

// Ordered comparisons are false if an operand is NaN; unordered ones are their negations.
Sym Weaver::compare_numbers(B &b, CmpInst::Predicate p, Sym x, Sym y)
{
	if (CmpInst::isUnordered(p) || p == CmpInst::FCMP_TRUE)
		return unary(
		    b, OP_NOT, compare_numbers(b, CmpInst::getInversePredicate(p), x, y), 1);
	switch (p) {
	case CmpInst::FCMP_OEQ: return binary(b, OP_FEQ, x, y);
	case CmpInst::FCMP_OLT: return binary(b, OP_FLT, x, y);
	case CmpInst::FCMP_OLE: return binary(b, OP_FLE, x, y);
	case CmpInst::FCMP_OGT: return binary(b, OP_FLT, y, x);
	case CmpInst::FCMP_OGE: return binary(b, OP_FLE, y, x);
	case CmpInst::FCMP_ONE:
		return binary(b, OP_OR, binary(b, OP_FLT, x, y), binary(b, OP_FLT, y, x));
	case CmpInst::FCMP_ORD: return binary(b, OP_AND, is_number(b, x), is_number(b, y));
	default: return number(1, 0);
	}
}

void Weaver::visit_number_compare(FCmpInst &i)
{
	Value *x = i.getOperand(0), *y = i.getOperand(1);
	if (!is_number_type(x->getType()))
		return visit_other(i);
	defer(i, { x, y }, 1, [=, &i](B &b) {
		return Nodes{ compare_numbers(b, i.getPredicate(), sym(b, x), sym(b, y)).n };
	});
}

// All bits except the sign.
Sym Weaver::magnitude(B &b, Sym x)
{
	return binary(
	    b, OP_AND, x, { zero, ConstantInt::get(c, APInt::getSignedMaxValue(width_of(x))) });
}

// llvm.is.fpclass: compares the magnitude with the least value of each class.
Sym Weaver::classify(B &b, Sym x, Type *t, unsigned mask)
{
	unsigned w = width_of(x);
	APInt infinite = APFloat::getInf(t->getFltSemantics()).bitcastToAPInt();
	APInt normal = APFloat::getSmallestNormalized(t->getFltSemantics()).bitcastToAPInt();
	APInt quiet = infinite | APInt::getOneBitSet(w, w == 32 ? 22 : w == 64 ? 51 : 62);
	const struct {
		unsigned negative, positive;
		APInt from;
	} classes[] = {
		{ fcNegZero, fcPosZero, APInt(w, 0) },
		{ fcNegSubnormal, fcPosSubnormal, APInt(w, 1) },
		{ fcNegNormal, fcPosNormal, normal },
		{ fcNegInf, fcPosInf, infinite },
		{ fcSNan, fcSNan, infinite + 1 },
		{ fcQNan, fcQNan, quiet },
	};
	Sym m = magnitude(b, x), minus = unary(b, OP_EXTRACT, x, 1, w - 1), sum = number(1, 0);
	for (size_t k = 0; k < std::size(classes); k++) {
		bool no = mask & classes[k].negative, yes = mask & classes[k].positive;
		if (!no && !yes)
			continue;
		Sym in = binary(b, OP_ULE, { zero, ConstantInt::get(c, classes[k].from) }, m);
		if (k + 1 < std::size(classes))
			in = binary(b, OP_AND, in,
			    binary(
			        b, OP_ULT, m, { zero, ConstantInt::get(c, classes[k + 1].from) }));
		if (no != yes)
			in = binary(b, OP_AND, in, no ? minus : unary(b, OP_NOT, minus, 1));
		sum = binary(b, OP_OR, sum, in);
	}
	return sum;
}

// ---- small vectors: the concatenated bits of their elements, first element lowest

Sym Weaver::elements(B &b, ArrayRef<Sym> all)
{
	Sym sum = all.back();
	unsigned part = width_of(sum);
	for (size_t k = all.size() - 1; k-- > 0;) {
		unsigned width = width_of(sum) + part;
		Sym high = binary(b, OP_SHL, unary(b, OP_ZEXT, sum, width),
		    { zero, ConstantInt::get(c, APInt(width, part)) });
		sum = binary(b, OP_OR, high, unary(b, OP_ZEXT, all[k], width));
	}
	return sum;
}

// Undefined elements are 0.
Sym Weaver::element(B &b, Value *vector, unsigned index)
{
	if (auto *known = dyn_cast<Constant>(vector)) {
		Constant *e = known->getAggregateElement(index);
		return sym(b, isa<UndefValue>(e) ? Constant::getNullValue(e->getType()) : e);
	}
	unsigned part = vector->getType()->getScalarSizeInBits();
	return unary(b, OP_EXTRACT, sym(b, vector), part, part * index);
}

void Weaver::visit_element(ExtractElementInst &i)
{
	Value *vector = i.getVectorOperand();
	auto *k = dyn_cast<ConstantInt>(i.getIndexOperand());
	if (!is_scalar(vector->getType()) || !k)
		return visit_other(i);
	defer(i, { vector }, 1,
	    [=](B &b) { return Nodes{ element(b, vector, k->getZExtValue()).n }; });
}

void Weaver::visit_set_element(InsertElementInst &i)
{
	Value *vector = i.getOperand(0), *v = i.getOperand(1);
	auto *k = dyn_cast<ConstantInt>(i.getOperand(2));
	if (!is_scalar(i.getType()) || !k)
		return visit_other(i);
	unsigned n = cast<FixedVectorType>(i.getType())->getNumElements();
	defer(i, { vector, v }, 1, [=](B &b) {
		SmallVector<Sym, 4> all;
		for (unsigned e = 0; e < n; e++)
			all.push_back(e == k->getZExtValue() ? sym(b, v) : element(b, vector, e));
		return Nodes{ elements(b, all).n };
	});
}

void Weaver::visit_shuffle(ShuffleVectorInst &i)
{
	Value *x = i.getOperand(0), *y = i.getOperand(1);
	if (!is_scalar(i.getType()) || !is_scalar(x->getType()))
		return visit_other(i);
	int n = cast<FixedVectorType>(x->getType())->getNumElements();
	defer(i, { x, y }, 1, [=, &i](B &b) {
		SmallVector<Sym, 4> all;
		for (int k : i.getShuffleMask())
			all.push_back(k < 0 ? number(i.getType()->getScalarSizeInBits(), 0)
			                    : element(b, k < n ? x : y, k < n ? k : k - n));
		return Nodes{ elements(b, all).n };
	});
}

static enum op rounding(Intrinsic::ID id)
{
	switch (id) {
	case Intrinsic::sqrt: return OP_FSQRT;
	case Intrinsic::floor: return OP_FFLOOR;
	case Intrinsic::ceil: return OP_FCEIL;
	case Intrinsic::trunc: return OP_FTRUNC;
	case Intrinsic::rint:
	case Intrinsic::nearbyint:
	case Intrinsic::roundeven: return OP_FRINT;
	case Intrinsic::round: return OP_FROUND;
	default: return OP_NONE;
	}
}

Sym Weaver::number_intrinsic(B &b, IntrinsicInst &i)
{
	Sym x = sym(b, i.getArgOperand(0));
	Type *t = i.getArgOperand(0)->getType();
	if (i.getIntrinsicID() == Intrinsic::is_fpclass)
		return classify(b, x, t, cast<ConstantInt>(i.getArgOperand(1))->getZExtValue());
	if (i.getIntrinsicID() == Intrinsic::fabs)
		return magnitude(b, x);
	Sym y = sym(b, i.getArgOperand(1));
	if (i.getIntrinsicID() == Intrinsic::copysign) {
		Constant *sign = ConstantInt::get(c, APInt::getSignMask(width_of(x)));
		return binary(b, OP_OR, magnitude(b, x), binary(b, OP_AND, y, { zero, sign }));
	}
	bool least = i.getIntrinsicID() == Intrinsic::minnum;
	Sym pick = ite(b, least ? binary(b, OP_FLT, x, y) : binary(b, OP_FLT, y, x), x, y);
	return ite(b, is_number(b, x), ite(b, is_number(b, y), pick, x), y);
}

bool Weaver::visit_number_intrinsic(IntrinsicInst &i)
{
	if (i.arg_empty() || !is_number_type(i.getArgOperand(0)->getType()))
		return false;
	SmallVector<Value *, 3> operands(i.args());
	enum op op = rounding(i.getIntrinsicID());
	if (op != OP_NONE) {
		defer(i, operands, 1, [=, &i](B &b) { return number_op(b, i, op); });
		return true;
	}
	switch (i.getIntrinsicID()) {
	case Intrinsic::fabs:
	case Intrinsic::copysign:
	case Intrinsic::is_fpclass:
	case Intrinsic::minnum:
	case Intrinsic::maxnum:
		defer(i, operands, 1, [=, &i](B &b) { return Nodes{ number_intrinsic(b, i).n }; });
		return true;
	default: return false;
	}
}

} // namespace duct
