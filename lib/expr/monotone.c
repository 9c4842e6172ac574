/* monotone: a comparison of a constant with a number that is computed from an integer by monotone
 * steps (conversions, sums, products and quotients with constants, rounding, change of the sign)
 * becomes a comparison of the integer with a constant. The result of the comparison changes at most
 * once as the integer grows, rounding included, so bisection finds the constant. Programs compute
 * so with money, percentages and decimal digits. */
#include "lib/protocol/float.h"
#include "lib/expr/rules.h"

#define MOST_STEPS 8

/* The steps, the last one first. */
struct monotone_steps {
	struct expr_pool *p;
	expr at[MOST_STEPS];
	unsigned n;
	expr from; /* the integer */
	bool is_signed;
};

/* A constant of the formats of 32 and 64 bits that is neither infinite nor NaN. */
static bool is_finite(const struct expr_pool *p, expr e, u128 *v)
{
	unsigned w = rule_width(p, e), f = w == 32 ? 23 : 52;
	u128 top = w == 32 ? 0xff : 0x7ff;

	return (w == 32 || w == 64) && rule_const(p, e, v) && (*v >> f & top) != top;
}

/* The operand that is no constant, where the operation keeps or reverses the order. 0: it need not.
 */
static expr operand(const struct expr_pool *p, const struct expr_node *n)
{
	u128 v;

	switch (n->op) {
	case OP_FADD:
	case OP_FSUB:
	case OP_FMUL:
	case OP_FDIV:
		if (is_finite(p, n->b, &v))
			return n->op == OP_FADD || n->op == OP_FSUB || v & bits_mask(n->width - 1u)
			    ? n->a
			    : 0;
		if (n->op == OP_FDIV || !is_finite(p, n->a, &v))
			return 0;
		return n->op != OP_FMUL || v & bits_mask(n->width - 1u) ? n->b : 0;
	case OP_XOR: return rule_const(p, n->b, &v) && v == bits_sign(n->width) ? n->a : 0;
	case OP_FFLOOR:
	case OP_FCEIL:
	case OP_FTRUNC:
	case OP_FRINT:
	case OP_FROUND:
	case OP_FCVT: return n->a;
	default: return 0;
	}
}

static bool find_steps(struct monotone_steps *s, expr e)
{
	for (s->n = 0; s->n < MOST_STEPS;) {
		const struct expr_node *n = pool_node(s->p, e);

		if (n->width != 32 && n->width != 64)
			return false;
		s->at[s->n++] = e;
		if (n->op == OP_SITOF || n->op == OP_UITOF) {
			s->from = n->a;
			s->is_signed = n->op == OP_SITOF;
			return rule_width(s->p, n->a) <= 64;
		}
		if (!(e = operand(s->p, n)))
			return false;
	}
	return false;
}

/* The number that the integer v becomes. */
static u128 number_of(const struct monotone_steps *s, u128 v)
{
	const struct expr_pool *p = s->p;
	unsigned wv = rule_width(p, s->from);

	for (unsigned i = s->n; i-- > 0;) {
		const struct expr_node *n = pool_node(p, s->at[i]);
		u128 k;

		if (op_arity(n->op) == 1)
			v = bits_unary(n->op, n->width, wv, 0, v);
		else if (rule_const(p, n->b, &k))
			v = bits_binary(n->op, n->width, wv, wv, v, k);
		else if (rule_const(p, n->a, &k))
			v = bits_binary(n->op, n->width, wv, wv, k, v);
		wv = n->width;
	}
	return v;
}

/* A comparison of the number with k, which is its right or left side. */
struct threshold {
	const struct monotone_steps *s;
	enum op op;
	u128 k;
	bool right;
};

/* Does it hold for the i-th integer in their order? */
static bool holds(const struct threshold *q, u128 i)
{
	const struct monotone_steps *s = q->s;
	unsigned w = rule_width(s->p, s->from), wf = rule_width(s->p, s->at[0]);
	u128 v = number_of(s, s->is_signed ? i ^ bits_sign(w) : i);

	return duct_float_eval(q->op, 1, wf, q->right ? v : q->k, q->right ? q->k : v);
}

static expr compare(const struct threshold *q)
{
	const struct monotone_steps *s = q->s;
	unsigned w = rule_width(s->p, s->from);
	u128 low = 0, high = bits_mask(w);
	bool first = holds(q, low);
	expr below;

	if (holds(q, high) == first)
		return pool_const(s->p, 1, first);
	while (high - low > 1) {
		u128 middle = low + (high - low) / 2;

		if (holds(q, middle) == first)
			low = middle;
		else
			high = middle;
	}
	below = rule_2(s->p, s->is_signed ? OP_SLT : OP_ULT, 1, s->from,
	    pool_const(s->p, w, s->is_signed ? high ^ bits_sign(w) : high));
	return first ? below : rule_1(s->p, OP_NOT, 1, below);
}

expr rule_monotone(struct expr_pool *p, enum op op, expr a, expr b)
{
	struct monotone_steps s = { .p = p };
	struct threshold q = { .s = &s, .op = op == OP_FEQ ? OP_FLE : op };
	expr r;

	q.right = is_finite(p, b, &q.k);
	if ((!q.right && !is_finite(p, a, &q.k)) || !find_steps(&s, q.right ? a : b))
		return 0;
	r = compare(&q);
	if (op != OP_FEQ)
		return r;
	q.right = !q.right;
	return rule_2(p, OP_AND, 1, r, compare(&q));
}
