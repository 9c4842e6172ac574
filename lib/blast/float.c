/* float: circuits of the floating-point operations of lib/protocol/op.h on 32 and 64 bits. Results
 * are rounded to nearest, ties to even; NaN results are the bits that op.h states. */
#include "lib/blast/number.h"

#include <string.h>

/* Three bits more than the significand suffice: the lowest stands for all that was lost. */
static void add(
    struct aig *g, const struct format *o, bool minus, const lit *a, const lit *b, lit *out)
{
	struct float_parts x, y;
	unsigned n = o->f + 5;
	lit sb, swap, big[RANGE], little[RANGE], by[RANGE], m[64], k[64], sum[64], unlike, sign;
	num_take_apart(g, o, a, &x);
	num_take_apart(g, o, b, &y);
	sb = minus ? lit_not(y.sign) : y.sign;
	swap = num_test(g, OP_ULT, o->w - 1, a, b);
	/* the significands of zeros are zero, and their exponents too small to matter */
	num_constant(n, 0, m);
	num_constant(n, 0, k);
	num_choose(g, o->f + 1, swap, y.m, x.m, m + 3);
	num_choose(g, o->f + 1, swap, x.m, y.m, k + 3);
	num_choose(g, RANGE, swap, y.x, x.x, big);
	num_choose(g, RANGE, swap, x.x, y.x, little);
	num_plus(g, OP_SUB, RANGE, big, little, by);
	num_lower(g, n, k, by, LIT_TRUE);
	unlike = aig_xor(g, x.sign, sb);
	for (unsigned i = 0; i < n; i++)
		k[i] = aig_xor(g, k[i], unlike);
	num_plus(g, OP_ADD, n, m, k, sum);
	num_add_bit(g, n, sum, unlike);
	sign = aig_mux(g, swap, sb, x.sign);
	struct special s = { .zero = lit_not(num_any(g, n, sum)) };
	num_move(g, 1, big);
	num_normalise(g, n, sum, big);
	num_round_up(g, o, sign, n, sum, big, out);
	s.zero_sign = aig_and(g, x.sign, sb);
	s.inf = aig_or(g, x.inf, y.inf);
	s.inf_sign = aig_mux(g, x.inf, x.sign, sb);
	s.nan = aig_or(g, num_either_nan(g, &x, &y), aig_and(g, aig_and(g, x.inf, y.inf), unlike));
	num_apply(g, o, &s, &x, &y, out);
}

static void multiply(struct aig *g, const struct format *o, const lit *a, const lit *b, lit *out)
{
	struct float_parts x, y;
	unsigned n = 2 * o->f + 2;
	lit l[DIGITS], r[DIGITS], m[DIGITS], e[RANGE], sign;
	num_take_apart(g, o, a, &x);
	num_take_apart(g, o, b, &y);
	num_constant(n, 0, l);
	num_constant(n, 0, r);
	memcpy(l, x.m, (o->f + 1) * sizeof *l);
	memcpy(r, y.m, (o->f + 1) * sizeof *r);
	num_plus(g, OP_MUL, n, l, r, m);
	num_plus(g, OP_ADD, RANGE, x.x, y.x, e);
	num_move(g, -(int64_t)num_bias(o), e);
	for (unsigned i = n; i-- > 0;) /* the highest bit or the next is set */
		l[i] = aig_mux(g, m[n - 1], m[i], i ? m[i - 1] : LIT_FALSE);
	num_add_bit(g, RANGE, e, m[n - 1]);
	sign = aig_xor(g, x.sign, y.sign);
	num_round_up(g, o, sign, n, l, e, out);
	struct special s = { .zero = aig_or(g, x.zero, y.zero),
		.inf = aig_or(g, x.inf, y.inf),
		.zero_sign = sign,
		.inf_sign = sign };
	s.nan = aig_or(g, num_either_nan(g, &x, &y), aig_and(g, s.inf, s.zero));
	num_apply(g, o, &s, &x, &y, out);
}

/* A quotient bit a step; the rest stays below twice the divisor. */
static void divide(struct aig *g, const struct format *o, const lit *a, const lit *b, lit *out)
{
	struct float_parts x, y;
	unsigned n = o->f + 4, w = o->f + 3;
	lit rest[64], divisor[64], less[64], m[64], e[RANGE], sign, high;
	num_take_apart(g, o, a, &x);
	num_take_apart(g, o, b, &y);
	num_constant(w, 0, rest);
	num_constant(w, 0, divisor);
	memcpy(rest, x.m, (o->f + 1) * sizeof *rest);
	memcpy(divisor, y.m, (o->f + 1) * sizeof *divisor);
	for (unsigned i = n; i-- > 1;) {
		lit fits = num_test(g, OP_ULE, w, divisor, rest);
		num_plus(g, OP_SUB, w, rest, divisor, less);
		num_choose(g, w, fits, less, rest, rest);
		memmove(rest + 1, rest, (w - 1) * sizeof *rest);
		rest[0] = LIT_FALSE;
		m[i] = fits;
	}
	m[0] = num_any(g, w, rest);
	num_plus(g, OP_SUB, RANGE, x.x, y.x, e);
	num_move(g, (int64_t)num_bias(o) - 1, e);
	high = m[n - 1];
	num_add_bit(g, RANGE, e, high);
	for (unsigned i = n; i-- > 1;)
		less[i] = aig_mux(g, high, m[i], i > 1 ? m[i - 1] : LIT_FALSE);
	less[0] = m[0];
	sign = aig_xor(g, x.sign, y.sign);
	num_round_up(g, o, sign, n, less, e, out);
	struct special s = { .zero = aig_or(g, x.zero, y.inf),
		.inf = aig_or(g, x.inf, y.zero),
		.zero_sign = sign,
		.inf_sign = sign };
	s.nan = aig_or(g, num_either_nan(g, &x, &y),
	    aig_or(g, aig_and(g, x.inf, y.inf), aig_and(g, x.zero, y.zero)));
	num_apply(g, o, &s, &x, &y, out);
}

/* Square root, digit by digit from the highest: a digit is 1 if the square of the digits so far,
 * with it, does not exceed the operand. `rest` is the operand less that square. */
static void root(struct aig *g, const struct format *o, const lit *a, lit *out)
{
	struct float_parts x;
	unsigned n = o->f + 3,
	         w = o->f + 5; /* digits, the last one for what is lost; of the rest */
	lit rest[64], trial[64], less[64], m[64], e[RANGE], odd;
	num_take_apart(g, o, a, &x);
	/* the exponent less the bias becomes even: one bit more before the point where it was odd
	 */
	memcpy(e, x.x, sizeof e);
	num_move(g, -(int64_t)num_bias(o), e);
	odd = e[0];
	for (unsigned i = 0; i + 1 < RANGE; i++)
		e[i] = e[i + 1];
	num_move(g, (int64_t)num_bias(o), e);
	num_constant(w, 0, rest);
	num_constant(64, 0, m);
	for (unsigned i = n; i-- > 1;) {
		/* two more bits of the operand, which has f + 2 of them from 2^1 on */
		for (unsigned k = 0; k < 2; k++) {
			int at = (int)o->f - 2 * (int)(n - 1 - i) + 1 - (int)k; /* of the odd one */
			lit b1 = at - 1 >= 0 && at - 1 <= (int)o->f ? x.m[at - 1] : LIT_FALSE,
			    b0 = at >= 0 && at <= (int)o->f ? x.m[at] : LIT_FALSE;
			memmove(rest + 1, rest, (w - 1) * sizeof *rest);
			rest[0] = aig_mux(g, odd, b1, b0);
		}
		/* 4 * root + 1 */
		num_constant(w, 1, trial);
		for (unsigned k = 0; k + 1 < n - i && k + 2 < w; k++)
			trial[k + 2] = m[i + 1 + k];
		lit fits = num_test(g, OP_ULE, w, trial, rest);
		num_plus(g, OP_SUB, w, rest, trial, less);
		num_choose(g, w, fits, less, rest, rest);
		m[i] = fits;
	}
	m[0] = num_any(g, w, rest);
	num_round_up(g, o, LIT_FALSE, n, m, e, out);
	struct special s = {
		.zero = x.zero, .inf = x.inf, .zero_sign = x.sign, .inf_sign = LIT_FALSE
	};
	s.nan = aig_or(g, x.nan, aig_and(g, x.sign, lit_not(x.zero)));
	num_apply(g, o, &s, &x, NULL, out);
}

/* ---- comparisons */

static lit compare(struct aig *g, enum op op, const struct format *o, const lit *a, const lit *b)
{
	struct float_parts x, y;
	lit both, same, below, above;
	num_take_apart(g, o, a, &x);
	num_take_apart(g, o, b, &y);
	both = aig_and(g, x.zero, y.zero);
	same = aig_or(g, both, num_test(g, OP_EQ, o->w, a, b));
	below = num_test(g, OP_ULT, o->w - 1, a, b);
	above = num_test(g, OP_ULT, o->w - 1, b, a);
	below = aig_mux(
	    g, x.sign, aig_or(g, lit_not(y.sign), above), aig_and(g, lit_not(y.sign), below));
	below = aig_and(g, below, lit_not(both));
	return aig_and(g, lit_not(num_either_nan(g, &x, &y)),
	    op == OP_FEQ       ? same
	        : op == OP_FLT ? below
	                       : aig_or(g, same, below));
}

bool blast_float(
    struct aig *g, enum op op, unsigned w, unsigned wa, const lit *a, const lit *b, lit *out)
{
	struct format o = { 0 }, to = { 0 };
	bool real = num_format_of(wa, &o), result = num_format_of(w, &to);
	switch (op) {
	case OP_SITOF:
	case OP_UITOF:
		if (result && wa <= 64)
			num_from_integer(g, &to, op == OP_SITOF, wa, a, out);
		return result && wa <= 64;
	case OP_FTOSI:
	case OP_FTOUI:
		if (real && w > 1 && w <= 64)
			num_to_integer(g, w, op == OP_FTOSI, &o, a, out);
		return real && w > 1 && w <= 64;
	case OP_FCVT:
		if (real && result)
			num_convert(g, &to, &o, a, out);
		return real && result;
	default: break;
	}
	if (!real)
		return false;
	switch (op) {
	case OP_FADD:
	case OP_FSUB: add(g, &o, op == OP_FSUB, a, b, out); return true;
	case OP_FMUL: multiply(g, &o, a, b, out); return true;
	case OP_FDIV: divide(g, &o, a, b, out); return true;
	case OP_FSQRT: root(g, &o, a, out); return true;
	case OP_FFLOOR:
	case OP_FCEIL:
	case OP_FTRUNC:
	case OP_FRINT:
	case OP_FROUND: num_round_whole(g, &o, op, a, out); return true;
	case OP_FEQ:
	case OP_FLT:
	case OP_FLE: *out = compare(g, op, &o, a, b); return true;
	default: return false;
	}
}
