/* whole: floating-point numbers rounded to whole numbers, converted to other formats and to
 * integers. */
#include "lib/blast/number.h"

#include <string.h>

/* fraction[i]: does bit i of the magnitude stand behind the point? i <= f; the last one: is it less
 * than 1? */
static void find_point(struct aig *g, const struct format *o, const lit *bits, lit *fraction)
{
	for (unsigned i = 0; i <= o->f; i++) {
		lit least[RANGE], x[RANGE];
		num_constant(o->e, num_bias(o) + o->f - i, least);
		memcpy(x, bits + o->f, o->e * sizeof *x);
		fraction[i] = num_test(g, OP_ULT, o->e, x, least);
	}
}

/* Is a magnitude that is not whole rounded up? half: its bit of weight 1/2; below: is a lower bit
 * set? odd: its bit of weight 1. */
static lit goes_up(struct aig *g, enum op op, lit sign, lit half, lit below, lit odd)
{
	switch (op) {
	case OP_FFLOOR: return aig_and(g, sign, aig_or(g, half, below));
	case OP_FCEIL: return aig_and(g, lit_not(sign), aig_or(g, half, below));
	case OP_FRINT: return aig_and(g, half, aig_or(g, below, odd));
	case OP_FROUND: return half;
	default: return LIT_FALSE;
	}
}

void num_round_whole(struct aig *g, const struct format *o, enum op op, const lit *a, lit *out)
{
	struct float_parts x;
	lit fraction[64], v[64], one[64], half = LIT_FALSE, below = LIT_FALSE, odd = LIT_FALSE, up,
	                                  carry, less, near[RANGE], e[RANGE];
	num_take_apart(g, o, a, &x);
	find_point(g, o, a, fraction);
	less = fraction[o->f];
	for (unsigned i = 0; i < o->f; i++) {
		lit top =
		    aig_and(g, fraction[i], i + 1 < o->f ? lit_not(fraction[i + 1]) : LIT_TRUE);
		half = aig_or(g, half, aig_and(g, top, a[i]));
		below = aig_or(g, below, aig_and(g, aig_and(g, fraction[i], lit_not(top)), a[i]));
		odd = aig_or(g, odd,
		    aig_and(g, aig_and(g, a[i], lit_not(fraction[i])),
		        i ? fraction[i - 1] : LIT_FALSE));
	}
	/* The leading bit is not stored. From 1 to 2 it is the bit of weight 1, from 1/2 to 1 that
	 * of weight 1/2. */
	odd = aig_or(g, odd, aig_and(g, fraction[o->f - 1], lit_not(less)));
	num_constant(o->e, num_bias(o) - 1, near);
	memcpy(e, a + o->f, o->e * sizeof *e);
	half = aig_mux(g, less, num_test(g, OP_EQ, o->e, e, near), half);
	below = aig_mux(g, less,
	    aig_or(g, num_any(g, o->f, a), aig_and(g, lit_not(half), lit_not(x.zero))), below);
	odd = aig_and(g, odd, lit_not(less));
	up = goes_up(g, op, x.sign, half, below, odd);
	/* without its fraction, then plus one where the point is */
	for (unsigned i = 0; i + 1 < o->w; i++)
		v[i] = aig_and(g, a[i], lit_not(i < o->f ? fraction[i] : less));
	carry = LIT_FALSE;
	for (unsigned i = 0; i + 1 < o->w; i++) {
		lit here = i > o->f ? LIT_FALSE
		                    : aig_and(g, i == o->f ? lit_not(less) : lit_not(fraction[i]),
		                          i ? fraction[i - 1] : LIT_FALSE),
		    add = aig_or(g, carry, aig_and(g, here, up)), was = v[i];
		v[i] = aig_xor(g, was, add);
		carry = aig_and(g, was, add);
	}
	num_constant(o->w - 1, num_bias(o) << o->f, one);
	for (unsigned i = 0; i + 1 < o->w; i++)
		v[i] = aig_mux(g, aig_and(g, less, up), one[i], v[i]);
	v[o->w - 1] = x.sign;
	memcpy(out, v, o->w * sizeof *out);
	num_not_a_number(g, o, &x, NULL, v);
	num_choose(g, o->w, x.nan, v, out, out);
}

/* ---- conversions */

void num_convert(
    struct aig *g, const struct format *to, const struct format *o, const lit *a, lit *out)
{
	struct float_parts x;
	unsigned n = (o->f > to->f + 2 ? o->f : to->f + 2) + 1;
	lit m[64], e[RANGE], v[64];
	num_take_apart(g, o, a, &x);
	num_constant(n, 0, m);
	memcpy(m + n - o->f - 1, x.m, (o->f + 1) * sizeof *m);
	memcpy(e, x.x, sizeof e);
	num_move(g, (int64_t)num_bias(to) - (int64_t)num_bias(o), e);
	num_round_up(g, to, x.sign, n, m, e, out);
	num_zero(to, x.sign, v);
	num_choose(g, to->w, x.zero, v, out, out);
	num_infinity(to, x.sign, v);
	num_choose(g, to->w, x.inf, v, out, out);
	for (unsigned i = 0; i < to->f; i++) { /* the fraction of NaN, from its highest bit on */
		int from = (int)i + (int)o->f - (int)to->f;
		v[i] = from >= 0 ? a[from] : LIT_FALSE;
	}
	v[to->f - 1] = LIT_TRUE;
	num_choose(g, to->w, x.nan, v, out, out);
}

void num_from_integer(
    struct aig *g, const struct format *to, bool is_signed, unsigned wa, const lit *a, lit *out)
{
	unsigned n = (wa > to->f + 3 ? wa : to->f + 3);
	lit m[DIGITS], e[RANGE], v[64], sign = is_signed ? a[wa - 1] : LIT_FALSE,
	                                none = lit_not(num_any(g, wa, a));
	num_constant(n, 0, m);
	for (unsigned i = 0; i < wa; i++)
		m[n - wa + i] = aig_xor(g, a[i], sign);
	num_add_bit(g, wa, m + n - wa, sign);
	num_exponent((int64_t)num_bias(to) + wa - 1, e);
	num_normalise(g, n, m, e);
	num_round_up(g, to, sign, n, m, e, out);
	num_zero(to, LIT_FALSE, v);
	num_choose(g, to->w, none, v, out, out);
}

/* The whole part of the magnitude in w bits; false literal: it needs more. */
static lit whole_part(
    struct aig *g, const struct format *o, const struct float_parts *x, unsigned w, lit *out)
{
	unsigned n = o->f + w;
	lit m[DIGITS], by[RANGE], end[RANGE], least[RANGE], fits;
	num_constant(n, 0, m);
	memcpy(m, x->m, (o->f + 1) * sizeof *m);
	memcpy(by, x->x, sizeof by);
	num_move(g, -(int64_t)num_bias(o), by);
	num_exponent(w, end);
	num_exponent(0, least);
	fits = num_test(g, OP_SLT, RANGE, by, end);
	for (unsigned k = 0; 1u << k < w; k++)
		for (unsigned i = n; i-- > 0;)
			m[i] = aig_mux(g, by[k], i >= 1u << k ? m[i - (1u << k)] : LIT_FALSE, m[i]);
	for (unsigned i = 0; i < w; i++)
		out[i] = aig_and(g, m[o->f + i], lit_not(num_test(g, OP_SLT, RANGE, by, least)));
	return aig_and(g, fits, aig_and(g, lit_not(x->nan), lit_not(x->inf)));
}

/* Out of range: the sign bit alone. */
static void to_signed(
    struct aig *g, unsigned w, const struct float_parts *x, lit fits, const lit *whole, lit *out)
{
	lit rest = num_any(g, w - 1, whole), in;
	in = aig_and(g, fits, aig_or(g, lit_not(whole[w - 1]), aig_and(g, x->sign, lit_not(rest))));
	for (unsigned i = 0; i < w; i++)
		out[i] = aig_xor(g, whole[i], x->sign);
	num_add_bit(g, w, out, x->sign);
	for (unsigned i = 0; i < w; i++)
		out[i] = aig_mux(g, in, out[i], i + 1 == w ? LIT_TRUE : LIT_FALSE);
}

void num_to_integer(
    struct aig *g, unsigned w, bool is_signed, const struct format *o, const lit *a, lit *out)
{
	struct float_parts x;
	lit whole[64], fits, above;
	num_take_apart(g, o, a, &x);
	fits = whole_part(g, o, &x, w, whole);
	to_signed(g, w, &x, fits, whole, out);
	if (is_signed)
		return;
	above = aig_and(g, aig_and(g, lit_not(x.sign), lit_not(x.nan)), lit_not(x.zero));
	for (unsigned i = 0; i < w; i++)
		out[i] = aig_mux(g, aig_and(g, above, lit_not(fits)), LIT_FALSE,
		    aig_mux(g, aig_and(g, above, whole[w - 1]), whole[i], out[i]));
}
