/* number: what circuits of floating-point operations have in common; private to lib/blast. A number
 * is taken apart into sign, exponent and a significand whose leading bit is set; what is computed
 * of these is rounded to nearest, ties to even, and packed once. */
#ifndef DUCT_BLAST_NUMBER_H
#define DUCT_BLAST_NUMBER_H

#include "lib/blast/inner.h"

#define DIGITS 128 /* of any significand */
#define RANGE 16   /* bits of an exponent, signed: enough for 64-bit numbers */

struct format {
	unsigned w, e, f; /* bits: all, of the exponent, of the fraction */
};

/* m: f + 1 bits, the highest is set unless the number is zero; x: as in the format, but of a
 * subnormal number that of its leading bit. */
struct float_parts {
	const lit *bits;
	lit sign, nan, inf, zero, x[RANGE], m[64];
};

/* Where these hold, in this order, NaN, infinity or zero instead of what is there. */
struct special {
	lit nan, inf, zero, inf_sign, zero_sign;
};

bool num_format_of(unsigned w, struct format *o);
uint64_t num_bias(const struct format *o);
void num_constant(unsigned w, uint64_t v, lit *out);
void num_exponent(int64_t v, lit *out);
void num_choose(struct aig *g, unsigned w, lit c, const lit *then, const lit *other, lit *out);
void num_plus(struct aig *g, enum op op, unsigned w, const lit *a, const lit *b, lit *out);
lit num_test(struct aig *g, enum op op, unsigned w, const lit *a, const lit *b);
lit num_any(struct aig *g, unsigned w, const lit *a);
lit num_all(struct aig *g, unsigned w, const lit *a);
void num_add_bit(struct aig *g, unsigned w, lit *a, lit carry);
/* The exponent with a number added. */
void num_move(struct aig *g, int64_t by, lit *x);
/* To the left until the highest bit is set; what is zero remains so. */
void num_normalise(struct aig *g, unsigned n, lit *m, lit *x);
/* To the right, where `when` holds; the lowest bit then also says whether any bit was lost. */
void num_lower(struct aig *g, unsigned n, lit *m, const lit *by, lit when);
void num_take_apart(struct aig *g, const struct format *o, const lit *bits, struct float_parts *n);
/* Packs what is not zero: m has n > f + 2 bits, the highest set, x is the exponent of that. */
void num_round_up(
    struct aig *g, const struct format *o, lit sign, unsigned n, lit *m, lit *x, lit *out);
void num_infinity(const struct format *o, lit sign, lit *out);
void num_zero(const struct format *o, lit sign, lit *out);
/* The first operand that is NaN, made quiet; else the default one. b: NULL for unary operations. */
void num_not_a_number(struct aig *g, const struct format *o, const struct float_parts *a,
    const struct float_parts *b, lit *out);
void num_apply(struct aig *g, const struct format *o, const struct special *s,
    const struct float_parts *a, const struct float_parts *b, lit *out);
lit num_either_nan(struct aig *g, const struct float_parts *a, const struct float_parts *b);

/* whole.c. num_round_whole: to a whole number, by op. num_convert: from one format to another. */
void num_round_whole(struct aig *g, const struct format *o, enum op op, const lit *a, lit *out);
void num_convert(
    struct aig *g, const struct format *to, const struct format *o, const lit *a, lit *out);
void num_from_integer(
    struct aig *g, const struct format *to, bool is_signed, unsigned wa, const lit *a, lit *out);
void num_to_integer(
    struct aig *g, unsigned w, bool is_signed, const struct format *o, const lit *a, lit *out);

#endif
