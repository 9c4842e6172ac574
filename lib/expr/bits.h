/* bits: arithmetic on bit-vectors of 1 to 128 bits. Values are zero-extended: bits above the width
 * are 0. Private to lib/expr, lib/solve and their tests. */
#ifndef DUCT_BITS_H
#define DUCT_BITS_H

#include "lib/protocol/op.h"
#include "lib/trace/trace.h"

typedef unsigned __int128 u128;
typedef __int128 i128;

static inline u128 bits_of(struct value v)
{
	return (u128)v.hi << 64 | v.lo;
}
static inline struct value bits_value(u128 v)
{
	return (struct value){ (uint64_t)v, (uint64_t)(v >> 64) };
}
static inline u128 bits_mask(unsigned w)
{
	return w >= 128 ? ~(u128)0 : ((u128)1 << w) - 1;
}
static inline u128 bits_cut(u128 v, unsigned w)
{
	return v & bits_mask(w);
}
static inline u128 bits_sign(unsigned w)
{
	return (u128)1 << (w - 1);
}
/* v, of w bits, as a signed number. */
static inline i128 bits_signed(u128 v, unsigned w)
{
	return (i128)(v << (128 - w)) >> (128 - w);
}

/* Result of a binary operation. wa, wb: widths of the operands (different only for CONCAT); w: of
 * the result. */
u128 bits_binary(enum op op, unsigned w, unsigned wa, unsigned wb, u128 a, u128 b);
/* Likewise for a unary operation; wa: width of the operand; low: EXTRACT's lowest bit. */
u128 bits_unary(enum op op, unsigned w, unsigned wa, unsigned low, u128 a);

#endif
