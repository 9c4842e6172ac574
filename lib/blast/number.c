/* number: takes numbers apart, rounds and packs them. */
#include "lib/blast/number.h"

#include <string.h>

bool num_format_of(unsigned w, struct format *o)
{
	*o = (struct format){ w, w == 32 ? 8 : 11, w == 32 ? 23 : 52 };
	return w == 32 || w == 64;
}

uint64_t num_bias(const struct format *o)
{
	return (UINT64_C(1) << (o->e - 1)) - 1;
}

/* ---- words */

void num_constant(unsigned w, uint64_t v, lit *out)
{
	for (unsigned i = 0; i < w; i++)
		out[i] = i < 64 && v >> i & 1 ? LIT_TRUE : LIT_FALSE;
}

void num_exponent(int64_t v, lit *out)
{
	num_constant(RANGE, (uint64_t)v & 0xffff, out);
}

void num_choose(struct aig *g, unsigned w, lit c, const lit *then, const lit *other, lit *out)
{
	for (unsigned i = 0; i < w; i++)
		out[i] = aig_mux(g, c, then[i], other[i]);
}

void num_plus(struct aig *g, enum op op, unsigned w, const lit *a, const lit *b, lit *out)
{
	lit sum[DIGITS];
	blast_op(g, op, w, w, w, a, b, NULL, 0, sum);
	memcpy(out, sum, w * sizeof *out);
}

lit num_test(struct aig *g, enum op op, unsigned w, const lit *a, const lit *b)
{
	lit r;
	blast_op(g, op, 1, w, w, a, b, NULL, 0, &r);
	return r;
}

lit num_any(struct aig *g, unsigned w, const lit *a)
{
	lit r = LIT_FALSE;
	for (unsigned i = 0; i < w; i++)
		r = aig_or(g, r, a[i]);
	return r;
}

lit num_all(struct aig *g, unsigned w, const lit *a)
{
	lit r = LIT_TRUE;
	for (unsigned i = 0; i < w; i++)
		r = aig_and(g, r, a[i]);
	return r;
}

void num_add_bit(struct aig *g, unsigned w, lit *a, lit carry)
{
	for (unsigned i = 0; i < w; i++) {
		lit x = a[i];
		a[i] = aig_xor(g, x, carry);
		carry = aig_and(g, x, carry);
	}
}

void num_move(struct aig *g, int64_t by, lit *x)
{
	lit k[RANGE];
	num_exponent(by, k);
	num_plus(g, OP_ADD, RANGE, x, k, x);
}

/* ---- significands */

void num_normalise(struct aig *g, unsigned n, lit *m, lit *x)
{
	lit by[RANGE];
	num_constant(RANGE, 0, by);
	for (unsigned k = 7; k-- > 0;) {
		unsigned step = 1u << k;
		lit low;
		if (step >= n)
			continue;
		low = lit_not(num_any(g, step, m + n - step));
		for (unsigned i = n; i-- > 0;)
			m[i] = aig_mux(g, low, i >= step ? m[i - step] : LIT_FALSE, m[i]);
		by[k] = low;
	}
	num_plus(g, OP_SUB, RANGE, x, by, x);
}

void num_lower(struct aig *g, unsigned n, lit *m, const lit *by, lit when)
{
	unsigned k = 0;
	lit far = LIT_FALSE, lost;
	for (; k < RANGE && 1u << k < n; k++) {
		unsigned step = 1u << k;
		lit moves = aig_and(g, when, by[k]);
		lost = aig_and(g, moves, num_any(g, step, m));
		for (unsigned i = 0; i < n; i++)
			m[i] = aig_mux(g, moves, i + step < n ? m[i + step] : LIT_FALSE, m[i]);
		m[0] = aig_or(g, m[0], lost);
	}
	far = aig_and(g, when, num_any(g, RANGE - k, by + k));
	lost = aig_and(g, far, num_any(g, n, m));
	for (unsigned i = 0; i < n; i++)
		m[i] = aig_and(g, m[i], lit_not(far));
	m[0] = aig_or(g, m[0], lost);
}

void num_take_apart(struct aig *g, const struct format *o, const lit *bits, struct float_parts *n)
{
	const lit *field = bits + o->f;
	lit full = num_all(g, o->e, field), none = lit_not(num_any(g, o->e, field)),
	    whole = lit_not(num_any(g, o->f, bits));
	n->bits = bits;
	n->sign = bits[o->w - 1];
	n->nan = aig_and(g, full, lit_not(whole));
	n->inf = aig_and(g, full, whole);
	n->zero = aig_and(g, none, whole);
	memcpy(n->m, bits, o->f * sizeof *n->m);
	n->m[o->f] = lit_not(none);
	num_constant(RANGE, 0, n->x);
	memcpy(n->x, field, o->e * sizeof *n->x);
	n->x[0] = aig_or(g, n->x[0], none);
	num_normalise(g, o->f + 1, n->m, n->x);
}

void num_round_up(
    struct aig *g, const struct format *o, lit sign, unsigned n, lit *m, lit *x, lit *out)
{
	lit one[RANGE], most[RANGE], by[RANGE], small, over, guard, rest;
	num_exponent(1, one);
	num_exponent((1 << o->e) - 1, most);
	small = num_test(g, OP_SLT, RANGE, x, one);
	over = num_test(g, OP_SLE, RANGE, most, x);
	num_plus(g, OP_SUB, RANGE, one, x, by);
	num_lower(g, n, m, by, small);
	guard = m[n - o->f - 2];
	rest = num_any(g, n - o->f - 2, m);
	memcpy(out, m + n - 1 - o->f, o->f * sizeof *out);
	for (unsigned i = 0; i < o->e; i++)
		out[o->f + i] = aig_and(g, x[i], lit_not(small));
	num_add_bit(g, o->w - 1, out, aig_and(g, guard, aig_or(g, rest, out[0])));
	for (unsigned i = 0; i + 1 < o->w; i++)
		out[i] = aig_mux(g, over, i >= o->f ? LIT_TRUE : LIT_FALSE, out[i]);
	out[o->w - 1] = sign;
}

/* ---- results that are not rounded */

void num_infinity(const struct format *o, lit sign, lit *out)
{
	for (unsigned i = 0; i + 1 < o->w; i++)
		out[i] = i >= o->f ? LIT_TRUE : LIT_FALSE;
	out[o->w - 1] = sign;
}

void num_zero(const struct format *o, lit sign, lit *out)
{
	num_constant(o->w - 1, 0, out);
	out[o->w - 1] = sign;
}

void num_not_a_number(struct aig *g, const struct format *o, const struct float_parts *a,
    const struct float_parts *b, lit *out)
{
	lit standard[64];
	num_infinity(o, LIT_TRUE, standard);
	memcpy(out, standard, o->w * sizeof *out);
	if (b)
		num_choose(g, o->w, b->nan, b->bits, out, out);
	num_choose(g, o->w, a->nan, a->bits, out, out);
	out[o->f - 1] = LIT_TRUE;
}

void num_apply(struct aig *g, const struct format *o, const struct special *s,
    const struct float_parts *a, const struct float_parts *b, lit *out)
{
	lit v[64];
	num_zero(o, s->zero_sign, v);
	num_choose(g, o->w, s->zero, v, out, out);
	num_infinity(o, s->inf_sign, v);
	num_choose(g, o->w, s->inf, v, out, out);
	num_not_a_number(g, o, a, b, v);
	num_choose(g, o->w, s->nan, v, out, out);
}

lit num_either_nan(struct aig *g, const struct float_parts *a, const struct float_parts *b)
{
	return aig_or(g, a->nan, b->nan);
}
