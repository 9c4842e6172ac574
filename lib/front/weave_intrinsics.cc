// weave_intrinsics: LLVM's integer intrinsics, composed of plain operations.
#include "lib/front/weave.h"

namespace duct
{

using namespace llvm;

Sym Weaver::bit_intrinsic(B &b, IntrinsicInst &i, enum duct_bits which)
{
	unsigned width = i.getType()->getIntegerBitWidth();
	return { b.CreateCall(rt("duct_rt_bits", i32, { i32, i32, i32 }),
		     { b.getInt32(which), b.getInt32(width), node(i.getArgOperand(0)) }),
		nullptr };
}

// fshl(a, b, n): the high half of a:b shifted left by n modulo the width; fshr likewise to the
// right.
Sym Weaver::funnel(B &b, IntrinsicInst &i)
{
	unsigned width = i.getType()->getIntegerBitWidth();
	bool left = i.getIntrinsicID() == Intrinsic::fshl;
	Sym hi = sym(b, i.getArgOperand(0)), lo = sym(b, i.getArgOperand(1)),
	    n = sym(b, i.getArgOperand(2));
	n = binary(b, OP_UREM, n, number(width, width));
	Sym both = binary(b, OP_OR,
	    binary(b, OP_SHL, unary(b, OP_ZEXT, hi, 2 * width), number(2 * width, width)),
	    unary(b, OP_ZEXT, lo, 2 * width));
	n = unary(b, OP_ZEXT, n, 2 * width);
	both = binary(b, left ? OP_SHL : OP_LSHR, both, n);
	return unary(b, OP_EXTRACT, both, width, left ? width : 0);
}

Sym Weaver::saturate(B &b, IntrinsicInst &i)
{
	Sym x = sym(b, i.getArgOperand(0)), y = sym(b, i.getArgOperand(1));
	unsigned width = i.getType()->getIntegerBitWidth();
	if (i.getIntrinsicID() == Intrinsic::usub_sat)
		return ite(b, binary(b, OP_ULT, x, y), number(width, 0), binary(b, OP_SUB, x, y));
	Sym sum = binary(b, OP_ADD, x, y);
	return ite(
	    b, binary(b, OP_ULT, sum, x), { zero, Constant::getAllOnesValue(i.getType()) }, sum);
}

// {result, overflow}: overflow if the exact result, in a wider type, does not fit the narrow one.
Nodes Weaver::overflow(B &b, IntrinsicInst &i)
{
	auto *w = cast<WithOverflowInst>(&i);
	Sym x = sym(b, i.getArgOperand(0)), y = sym(b, i.getArgOperand(1));
	unsigned width = x.v->getType()->getIntegerBitWidth();
	enum op op = w->getBinaryOp() == Instruction::Add ? OP_ADD
	    : w->getBinaryOp() == Instruction::Sub        ? OP_SUB
	                                                  : OP_MUL;
	enum op extend = w->isSigned() ? OP_SEXT : OP_ZEXT;
	unsigned more = op == OP_MUL ? 2 * width : width + 1;
	Sym wrapped = binary(b, op, x, y);
	Sym exact = binary(b, op, unary(b, extend, x, more), unary(b, extend, y, more));
	APInt most = w->isSigned() ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
	auto limit = [&](const APInt &v) {
		return Sym{ zero, ConstantInt::get(exact.v->getType(), v) };
	};
	Sym over = binary(b, w->isSigned() ? OP_SLT : OP_ULT, limit(most.zext(more)), exact);
	if (w->isSigned())
		over = binary(b, OP_OR, over,
		    binary(b, OP_SLT, exact, limit(APInt::getSignedMinValue(width).sext(more))));
	return { wrapped.n, over.n };
}

Sym Weaver::intrinsic(B &b, IntrinsicInst &i)
{
	auto arg = [&](unsigned k) { return sym(b, i.getArgOperand(k)); };
	auto pick = [&](CmpInst::Predicate p) {
		return ite(b, compare(b, p, arg(0), arg(1)), arg(0), arg(1));
	};
	unsigned width = dl.getTypeSizeInBits(i.getType());
	switch (i.getIntrinsicID()) {
	case Intrinsic::umin: return pick(CmpInst::ICMP_ULT);
	case Intrinsic::umax: return pick(CmpInst::ICMP_UGT);
	case Intrinsic::smin: return pick(CmpInst::ICMP_SLT);
	case Intrinsic::smax: return pick(CmpInst::ICMP_SGT);
	case Intrinsic::abs:
		return ite(b, binary(b, OP_SLT, arg(0), number(width, 0)),
		    unary(b, OP_NEG, arg(0), width), arg(0));
	case Intrinsic::ptrmask: return binary(b, OP_AND, arg(0), arg(1));
	case Intrinsic::uadd_sat:
	case Intrinsic::usub_sat: return saturate(b, i);
	case Intrinsic::fshl:
	case Intrinsic::fshr: return funnel(b, i);
	case Intrinsic::ctpop: return bit_intrinsic(b, i, DUCT_CTPOP);
	case Intrinsic::cttz: return bit_intrinsic(b, i, DUCT_CTTZ);
	case Intrinsic::ctlz: return bit_intrinsic(b, i, DUCT_CTLZ);
	case Intrinsic::bswap: return bit_intrinsic(b, i, DUCT_BSWAP);
	case Intrinsic::bitreverse: return bit_intrinsic(b, i, DUCT_BITREVERSE);
	default: return { nullptr, nullptr };
	}
}

static bool is_modelled(const IntrinsicInst &i, unsigned width)
{
	switch (i.getIntrinsicID()) {
	case Intrinsic::umin:
	case Intrinsic::umax:
	case Intrinsic::smin:
	case Intrinsic::smax:
	case Intrinsic::abs:
	case Intrinsic::ptrmask:
	case Intrinsic::uadd_sat:
	case Intrinsic::usub_sat: return true;
	case Intrinsic::ctpop:
	case Intrinsic::cttz:
	case Intrinsic::ctlz:
	case Intrinsic::bswap:
	case Intrinsic::bitreverse:
	case Intrinsic::fshl:
	case Intrinsic::fshr:
	case Intrinsic::smul_with_overflow:
	case Intrinsic::umul_with_overflow: return width <= 64;
	case Intrinsic::sadd_with_overflow:
	case Intrinsic::uadd_with_overflow:
	case Intrinsic::ssub_with_overflow:
	case Intrinsic::usub_with_overflow: return width < 128;
	default: return false;
	}
}

bool Weaver::visit_intrinsic(IntrinsicInst &i)
{
	switch (i.getIntrinsicID()) {
	case Intrinsic::expect:
	case Intrinsic::expect_with_probability:
	case Intrinsic::ssa_copy:
	case Intrinsic::launder_invariant_group:
	case Intrinsic::strip_invariant_group:
	case Intrinsic::annotation:
	case Intrinsic::ptr_annotation:
		defer(i, { i.getArgOperand(0) }, 1,
		    [=, &i](B &) { return nodes(i.getArgOperand(0)); });
		return true;
	default: break;
	}
	if (visit_number_intrinsic(i))
		return true;
	if (i.arg_empty() || i.getType()->isVectorTy()
	    || !i.getArgOperand(0)->getType()->isIntOrPtrTy()
	    || !is_modelled(i, dl.getTypeSizeInBits(i.getArgOperand(0)->getType())))
		return false;
	SmallVector<Value *, 3> operands(i.args());
	bool pair = isa<WithOverflowInst>(i);
	defer(i, operands, pair ? 2 : 1,
	    [=, &i](B &b) { return pair ? overflow(b, i) : Nodes{ intrinsic(b, i).n }; });
	return true;
}

} // namespace duct
