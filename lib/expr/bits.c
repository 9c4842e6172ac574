/* bits: concrete semantics of the operations (SMT-LIB, total). */
#include "lib/expr/bits.h"
#include "lib/protocol/float.h"

static u128 udiv(unsigned w, u128 a, u128 b)
{
	return b ? a / b : bits_mask(w);
}
static u128 urem(u128 a, u128 b)
{
	return b ? a % b : a;
}

/* Divides magnitudes, so that INT_MIN / -1 wraps as in SMT-LIB. */
static u128 sdiv(unsigned w, u128 a, u128 b)
{
	bool na = a & bits_sign(w), nb = b & bits_sign(w);
	u128 q = udiv(w, na ? bits_cut(-a, w) : a, nb ? bits_cut(-b, w) : b);
	return bits_cut(na != nb ? -q : q, w);
}

static u128 srem(unsigned w, u128 a, u128 b)
{
	bool na = a & bits_sign(w), nb = b & bits_sign(w);
	u128 r = urem(na ? bits_cut(-a, w) : a, nb ? bits_cut(-b, w) : b);
	return bits_cut(na ? -r : r, w);
}

static u128 shift(enum op op, unsigned w, u128 a, u128 b)
{
	bool out = b >= w;
	switch (op) {
	case OP_SHL: return out ? 0 : bits_cut(a << b, w);
	case OP_LSHR: return out ? 0 : a >> b;
	default: return bits_cut((u128)(bits_signed(a, w) >> (out ? w - 1 : (unsigned)b)), w);
	}
}

u128 bits_binary(enum op op, unsigned w, unsigned wa, unsigned wb, u128 a, u128 b)
{
	switch (op) {
	case OP_ADD: return bits_cut(a + b, w);
	case OP_SUB: return bits_cut(a - b, w);
	case OP_MUL: return bits_cut(a * b, w);
	case OP_UDIV: return udiv(w, a, b);
	case OP_SDIV: return sdiv(w, a, b);
	case OP_UREM: return urem(a, b);
	case OP_SREM: return srem(w, a, b);
	case OP_AND: return a & b;
	case OP_OR: return a | b;
	case OP_XOR: return a ^ b;
	case OP_SHL:
	case OP_LSHR:
	case OP_ASHR: return shift(op, w, a, b);
	case OP_EQ: return a == b;
	case OP_ULT: return a < b;
	case OP_ULE: return a <= b;
	case OP_SLT: return bits_signed(a, wa) < bits_signed(b, wa);
	case OP_SLE: return bits_signed(a, wa) <= bits_signed(b, wa);
	case OP_CONCAT: return a << wb | b;
	default: return duct_float_eval(op, w, wa, a, b);
	}
}

u128 bits_unary(enum op op, unsigned w, unsigned wa, unsigned low, u128 a)
{
	switch (op) {
	case OP_NOT: return bits_cut(~a, w);
	case OP_NEG: return bits_cut(-a, w);
	case OP_ZEXT: return a;
	case OP_SEXT: return bits_cut((u128)bits_signed(a, wa), w);
	case OP_EXTRACT: return bits_cut(a >> low, w);
	default: return duct_float_eval(op, w, wa, a, 0);
	}
}
