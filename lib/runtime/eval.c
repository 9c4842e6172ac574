/* Concrete semantics of the operations (lib/protocol/op.h). */
#include "lib/runtime/rt.h"

duct_wide duct_sign_extend(duct_wide v, uint32_t from, uint32_t to)
{
	if (v >> (from - 1) & 1)
		v |= ~duct_mask(from);
	return v & duct_mask(to);
}

/* Quotient and remainder; where 64 bits are enough, without libgcc's 128-bit division. */
static void divide(duct_wide a, duct_wide b, duct_wide *q, duct_wide *r)
{
	if (a >> 64 || b >> 64) {
		*q = a / b;
		*r = a % b;
	} else {
		*q = (uint64_t)a / (uint64_t)b;
		*r = (uint64_t)a % (uint64_t)b;
	}
}

/* Signed division by magnitudes: x/0 is 1 or -1 by the sign of x, x%0 is x, as in SMT-LIB. */
static duct_wide divide_signed(bool remainder, uint32_t w, duct_wide a, duct_wide b)
{
	duct_wide m = duct_mask(w), q, r;
	bool na = a >> (w - 1) & 1, nb = b >> (w - 1) & 1;
	duct_wide x = na ? -a & m : a, y = nb ? -b & m : b;

	if (!y) {
		q = na ? 1 : m;
		return remainder ? a : q;
	}
	divide(x, y, &q, &r);
	if (remainder)
		return (na ? -r : r) & m;
	return (na != nb ? -q : q) & m;
}

static duct_wide divide_unsigned(bool remainder, uint32_t w, duct_wide a, duct_wide b)
{
	duct_wide q, r;

	if (!b)
		return remainder ? a : duct_mask(w);
	divide(a, b, &q, &r);
	return remainder ? r : q;
}

static duct_wide shift(enum op op, uint32_t w, duct_wide a, duct_wide b)
{
	if (b >= w)
		return op == OP_ASHR && a >> (w - 1) & 1 ? duct_mask(w) : 0;
	if (op == OP_SHL)
		return a << b & duct_mask(w);
	if (op == OP_LSHR || !(a >> (w - 1) & 1))
		return a >> b;
	return (a >> b | ~(duct_mask(w) >> b)) & duct_mask(w);
}

static bool less_signed(uint32_t w, duct_wide a, duct_wide b)
{
	duct_wide sign = (duct_wide)1 << (w - 1);

	return (a ^ sign) < (b ^ sign);
}

duct_wide duct_eval(enum op op, uint32_t w, duct_wide a, duct_wide b)
{
	duct_wide m = duct_mask(w);

	switch (op) {
	case OP_ADD: return (a + b) & m;
	case OP_SUB: return (a - b) & m;
	case OP_MUL: return a * b & m;
	case OP_UDIV: return divide_unsigned(false, w, a, b);
	case OP_UREM: return divide_unsigned(true, w, a, b);
	case OP_SDIV: return divide_signed(false, w, a, b);
	case OP_SREM: return divide_signed(true, w, a, b);
	case OP_AND: return a & b;
	case OP_OR: return a | b;
	case OP_XOR: return a ^ b;
	case OP_SHL:
	case OP_LSHR:
	case OP_ASHR: return shift(op, w, a, b);
	case OP_NOT: return ~a & m;
	case OP_NEG: return -a & m;
	case OP_EQ: return a == b;
	case OP_ULT: return a < b;
	case OP_ULE: return a <= b;
	case OP_SLT: return less_signed(w, a, b);
	case OP_SLE: return !less_signed(w, b, a);
	default: return duct_float(op, 1, w, a, b); /* FEQ FLT FLE */
	}
}
