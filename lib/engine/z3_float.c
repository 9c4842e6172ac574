/* z3_float: floating-point operations in Z3's FPA theory. The theory has a single NaN while duct
 * distinguishes bit patterns, so the bits of a NaN result are built separately. What Z3 cannot
 * express (remainder, unsupported x87 encodings) becomes an unconstrained constant: unsat remains
 * correct, a model may be wrong and is checked by evaluation. */
#include "lib/engine/z3_api.h"
#include "lib/protocol/op.h"

#include <stdio.h>

/* Field widths as Z3 counts them. The significand's leading bit is hidden; the explicit one of the
 * x87 is dropped. */
static unsigned exponent_bits(unsigned w)
{
	return w == 32 ? 8 : w == 64 ? 11 : 15;
}
static unsigned fraction_bits(unsigned w)
{
	return w == 32 ? 23 : w == 64 ? 52 : 63;
}

static Z3_sort format(struct worker *w, unsigned width)
{
	return p_Z3_mk_fpa_sort(w->c, exponent_bits(width), fraction_bits(width) + 1);
}

static Z3_ast unknown(struct worker *w, const char *what, uint32_t id, Z3_sort sort)
{
	char name[32];
	snprintf(name, sizeof name, "%s%u", what, id);
	return p_Z3_mk_const(w->c, p_Z3_mk_string_symbol(w->c, name), sort);
}

static Z3_ast both(struct worker *w, Z3_ast a, Z3_ast b)
{
	return p_Z3_mk_and(w->c, 2, (Z3_ast[]){ a, b });
}

static Z3_ast choice(struct worker *w, Z3_ast cond, Z3_ast yes, Z3_ast no)
{
	return p_Z3_mk_ite(w->c, cond, yes, no);
}

static unsigned width_of(const struct worker *w, uint32_t id)
{
	return w->kind[id].width;
}

/* 80 bits: is the exponent nonzero? */
static Z3_ast has_exponent(struct worker *w, Z3_ast bits)
{
	Z3_ast exponent = p_Z3_mk_extract(w->c, 78, 64, bits);
	return p_Z3_mk_not(w->c, p_Z3_mk_eq(w->c, exponent, worker_number(w, 0, 15)));
}

static Z3_ast from_bits(struct worker *w, uint32_t id)
{
	unsigned width = width_of(w, id);
	Z3_ast bits = worker_vector(w, id);
	Z3_sort sort = format(w, width);
	if (width != 80)
		return p_Z3_mk_fpa_to_fp_bv(w->c, bits, sort);
	Z3_ast integer =
	    p_Z3_mk_eq(w->c, p_Z3_mk_extract(w->c, 63, 63, bits), worker_number(w, 1, 1));
	Z3_ast usual = p_Z3_mk_eq(w->c, integer, has_exponent(w, bits));
	Z3_ast plain = p_Z3_mk_concat(
	    w->c, p_Z3_mk_extract(w->c, 79, 64, bits), p_Z3_mk_extract(w->c, 62, 0, bits));
	return choice(
	    w, usual, p_Z3_mk_fpa_to_fp_bv(w->c, plain, sort), unknown(w, "x87.", id, sort));
}

static Z3_ast number(struct worker *w, uint32_t id);

/* Is it a constant with only the sign bit set? */
static bool is_sign(const struct wire_node *n)
{
	unsigned w = n->width;
	return n->op == OP_CONST
	    && (w > 64 ? !n->lo && n->hi == 1ull << (w - 65) : n->lo == 1ull << (w - 1));
}

/* Bit operations that exist in the theory (negation, absolute value, ITE), to avoid a conversion to
 * bits. NULL: none. */
static Z3_ast sign_operation(struct worker *w, const struct wire_node *n)
{
	const struct wire_node *a = &w->kind[n->a];
	if (n->op == OP_ITE)
		return choice(w, worker_truth(w, n->a), number(w, n->b), number(w, n->c));
	if (n->op == OP_XOR && is_sign(&w->kind[n->b]))
		return p_Z3_mk_fpa_neg(w->c, number(w, n->a));
	if (n->op == OP_ZEXT && a->op == OP_EXTRACT && a->c == 0 && a->width == n->width - 1
	    && width_of(w, a->a) == n->width)
		return p_Z3_mk_fpa_abs(w->c, number(w, a->a));
	return NULL;
}

static Z3_ast number(struct worker *w, uint32_t id)
{
	if (!w->term[id].number) {
		const struct wire_node n = w->kind[id];
		Z3_ast t = sign_operation(w, &n);
		w->term[id].number = t ? t : from_bits(w, id);
	}
	return w->term[id].number;
}

/* ---- bits of NaN results */

static Z3_ast is_nan(struct worker *w, uint32_t id)
{
	return p_Z3_mk_fpa_is_nan(w->c, number(w, id));
}

/* The default NaN of a format: sign, exponent, (80 bits: integer bit,) first fraction bit set. */
static Z3_ast default_nan(struct worker *w, unsigned width)
{
	if (width == 80)
		return p_Z3_mk_concat(
		    w->c, worker_number(w, 0xffff, 16), worker_number(w, 0xc000000000000000, 64));
	return worker_number(w, width == 32 ? 0xffc00000 : 0xfff8000000000000, width);
}

static Z3_ast quiet(struct worker *w, unsigned width, Z3_ast bits)
{
	uint64_t bit = 1ull << (fraction_bits(width) - 1);
	Z3_ast mask = worker_number(w, bit, width < 64 ? width : 64);
	if (width == 80)
		mask = p_Z3_mk_concat(w->c, worker_number(w, 0, 16), mask);
	return p_Z3_mk_bvor(w->c, bits, mask);
}

/* A NaN converted to another format: fraction truncated or extended, quiet bit set. */
static Z3_ast converted_nan(struct worker *w, unsigned to, uint32_t id)
{
	Z3_context c = w->c;
	unsigned from = width_of(w, id), f = fraction_bits(from), g = fraction_bits(to);
	Z3_ast bits = worker_vector(w, id),
	       fraction = p_Z3_mk_extract(c, f - 1, f > g ? f - g : 0, bits);
	Z3_ast head = p_Z3_mk_concat(c, p_Z3_mk_extract(c, from - 1, from - 1, bits),
	    worker_number(w, (1u << exponent_bits(to)) - 1, exponent_bits(to)));
	if (g > f)
		fraction = p_Z3_mk_concat(c, fraction, worker_number(w, 0, g - f));
	if (to == 80)
		head = p_Z3_mk_concat(c, head, worker_number(w, 1, 1));
	return quiet(w, to, p_Z3_mk_concat(c, head, fraction));
}

/* The bits of n's result if it is NaN. */
static Z3_ast nan_bits(struct worker *w, const struct wire_node *n)
{
	unsigned width = n->width;
	bool two = op_arity(n->op) == 2;
	Z3_ast other = default_nan(w, width);
	if (n->op == OP_FCVT)
		return converted_nan(w, width, n->a);
	if (two)
		other = choice(w, is_nan(w, n->b), quiet(w, width, worker_vector(w, n->b)), other);
	Z3_ast first = quiet(w, width, worker_vector(w, n->a));
	/* two NaNs: the x87 compares their fractions; left unconstrained */
	if (two && width == 80)
		first = choice(w, is_nan(w, n->b),
		    unknown(w, "nan.", n->id, p_Z3_mk_bv_sort(w->c, 80)), first);
	return choice(w, is_nan(w, n->a), first, other);
}

Z3_ast float_vector(struct worker *w, uint32_t id)
{
	const struct wire_node n = w->kind[id];
	Z3_ast r = number(w, id), bits = p_Z3_mk_fpa_to_ieee_bv(w->c, r);
	if (n.width == 80) {
		Z3_ast head = p_Z3_mk_extract(w->c, 78, 63, bits), zero = worker_number(w, 0, 15);
		Z3_ast small = p_Z3_mk_eq(w->c, p_Z3_mk_extract(w->c, 77, 63, bits), zero);
		Z3_ast integer = choice(w, small, worker_number(w, 0, 1), worker_number(w, 1, 1));
		bits = p_Z3_mk_concat(
		    w->c, head, p_Z3_mk_concat(w->c, integer, p_Z3_mk_extract(w->c, 62, 0, bits)));
	}
	if (n.op == OP_SITOF || n.op == OP_UITOF)
		return bits;
	return choice(w, p_Z3_mk_fpa_is_nan(w->c, r), nan_bits(w, &n), bits);
}

/* ---- operations */

/* Approximates the remainder: a if |a| < |b|, else an unconstrained value smaller than |b| with a's
 * sign. */
static Z3_ast remainder_of(struct worker *w, const struct wire_node *n)
{
	Z3_context c = w->c;
	Z3_sort sort = format(w, n->width);
	Z3_ast a = number(w, n->a), b = number(w, n->b), r = unknown(w, "rem.", n->id, sort);
	Z3_ast below = p_Z3_mk_fpa_lt(c, p_Z3_mk_fpa_abs(c, r), p_Z3_mk_fpa_abs(c, b));
	Z3_ast sign = p_Z3_mk_fpa_is_negative(c, a),
	       zero = choice(
	           w, sign, p_Z3_mk_fpa_zero(c, sort, true), p_Z3_mk_fpa_zero(c, sort, false));
	r = choice(w, both(w, below, p_Z3_mk_eq(c, p_Z3_mk_fpa_is_negative(c, r), sign)), r, zero);
	r = choice(w, p_Z3_mk_fpa_lt(c, p_Z3_mk_fpa_abs(c, a), p_Z3_mk_fpa_abs(c, b)), a, r);
	Z3_ast invalid[] = { p_Z3_mk_fpa_is_nan(c, a), p_Z3_mk_fpa_is_nan(c, b),
		p_Z3_mk_fpa_is_infinite(c, a), p_Z3_mk_fpa_is_zero(c, b) };
	return choice(w, p_Z3_mk_or(c, 4, invalid), p_Z3_mk_fpa_nan(c, sort), r);
}

static Z3_ast power(struct worker *w, unsigned k, Z3_sort sort)
{
	double p = 1;
	while (k--)
		p *= 2;
	return p_Z3_mk_fpa_numeral_double(w->c, p, sort);
}

/* Out of range or NaN: only the sign bit set, as on x86. */
static Z3_ast to_signed(struct worker *w, const struct wire_node *n)
{
	Z3_context c = w->c;
	Z3_sort sort = format(w, width_of(w, n->a));
	Z3_ast whole = p_Z3_mk_fpa_round_to_integral(c, p_Z3_mk_fpa_rtz(c), number(w, n->a));
	Z3_ast end = power(w, n->width - 1u, sort);
	Z3_ast in = both(
	    w, p_Z3_mk_fpa_leq(c, p_Z3_mk_fpa_neg(c, end), whole), p_Z3_mk_fpa_lt(c, whole, end));
	Z3_ast half = n->width > 1
	    ? p_Z3_mk_concat(c, worker_number(w, 1, 1), worker_number(w, 0, n->width - 1u))
	    : worker_number(w, 1, 1);
	return choice(w, in, p_Z3_mk_fpa_to_sbv(c, p_Z3_mk_fpa_rtz(c), whole, n->width), half);
}

static Z3_ast to_unsigned(struct worker *w, const struct wire_node *n)
{
	Z3_context c = w->c;
	Z3_sort sort = format(w, width_of(w, n->a));
	Z3_ast x = number(w, n->a), half = power(w, n->width - 1u, sort),
	       end = power(w, n->width, sort);
	Z3_ast upper = choice(w, p_Z3_mk_fpa_lt(c, x, end),
	    p_Z3_mk_fpa_to_ubv(c, p_Z3_mk_fpa_rtz(c), x, n->width), worker_number(w, 0, n->width));
	return choice(w, p_Z3_mk_fpa_leq(c, half, x), upper, to_signed(w, n));
}

static Z3_ast arithmetic(struct worker *w, const struct wire_node *n)
{
	Z3_context c = w->c;
	Z3_ast rne = p_Z3_mk_fpa_rne(c), a = number(w, n->a);
	switch (n->op) {
	case OP_FADD: return p_Z3_mk_fpa_add(c, rne, a, number(w, n->b));
	case OP_FSUB: return p_Z3_mk_fpa_sub(c, rne, a, number(w, n->b));
	case OP_FMUL: return p_Z3_mk_fpa_mul(c, rne, a, number(w, n->b));
	case OP_FDIV: return p_Z3_mk_fpa_div(c, rne, a, number(w, n->b));
	case OP_FREM: return remainder_of(w, n);
	case OP_FSQRT: return p_Z3_mk_fpa_sqrt(c, rne, a);
	case OP_FFLOOR: return p_Z3_mk_fpa_round_to_integral(c, p_Z3_mk_fpa_rtn(c), a);
	case OP_FCEIL: return p_Z3_mk_fpa_round_to_integral(c, p_Z3_mk_fpa_rtp(c), a);
	case OP_FTRUNC: return p_Z3_mk_fpa_round_to_integral(c, p_Z3_mk_fpa_rtz(c), a);
	case OP_FRINT: return p_Z3_mk_fpa_round_to_integral(c, rne, a);
	case OP_FROUND: return p_Z3_mk_fpa_round_to_integral(c, p_Z3_mk_fpa_rna(c), a);
	default: return p_Z3_mk_fpa_to_fp_float(c, rne, a, format(w, n->width));
	}
}

void float_define(struct worker *w, const struct wire_node *n)
{
	Z3_context c = w->c;
	struct z3_term *t = &w->term[n->id];
	switch (n->op) {
	case OP_FEQ: t->truth = p_Z3_mk_fpa_eq(c, number(w, n->a), number(w, n->b)); break;
	case OP_FLT: t->truth = p_Z3_mk_fpa_lt(c, number(w, n->a), number(w, n->b)); break;
	case OP_FLE: t->truth = p_Z3_mk_fpa_leq(c, number(w, n->a), number(w, n->b)); break;
	case OP_FTOSI: t->bv = to_signed(w, n); break;
	case OP_FTOUI: t->bv = to_unsigned(w, n); break;
	case OP_SITOF:
		t->number = p_Z3_mk_fpa_to_fp_signed(
		    c, p_Z3_mk_fpa_rne(c), worker_vector(w, n->a), format(w, n->width));
		break;
	case OP_UITOF:
		t->number = p_Z3_mk_fpa_to_fp_unsigned(
		    c, p_Z3_mk_fpa_rne(c), worker_vector(w, n->a), format(w, n->width));
		break;
	default: t->number = arithmetic(w, n); break;
	}
}
