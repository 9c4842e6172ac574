/* arith: rules for sums, products and divisions. */
#include "lib/expr/rules.h"

/* The exponent if exactly one bit is set, else -1. */
static int power(u128 v)
{
	if (!v || (v & (v - 1)))
		return -1;
	int k = 0;
	while (!(v >> k & 1))
		k++;
	return k;
}

static void order(struct expr_pool *p, expr *a, expr *b)
{
	bool ca = rule_op(p, *a) == OP_CONST, cb = rule_op(p, *b) == OP_CONST;
	if (ca || (!cb && *a > *b)) {
		expr t = *a;
		*a = *b, *b = t;
	}
}

/* Matches e = ADD(x, k) with constant k. */
static bool plus(const struct expr_pool *p, expr e, expr *x, u128 *k)
{
	const struct expr_node *n = pool_node(p, e);
	*x = n->a;
	return n->op == OP_ADD && rule_const(p, n->b, k);
}

static expr add(struct expr_pool *p, unsigned w, expr a, expr b)
{
	u128 k, v;
	expr x;
	order(p, &a, &b);
	const struct expr_node na = *pool_node(p, a), nb = *pool_node(p, b);
	if (rule_const(p, b, &v)) {
		if (!v)
			return a;
		if (plus(p, a, &x, &k))
			return rule_2(p, OP_ADD, w, x, pool_const(p, w, k + v));
		if (na.op == OP_SUB && rule_const(p, na.a, &k))
			return rule_2(p, OP_SUB, w, pool_const(p, w, k + v), na.b);
		return pool_intern(p, OP_ADD, w, a, b, 0);
	}
	if (plus(p, a, &x, &k))
		return rule_2(p, OP_ADD, w, rule_2(p, OP_ADD, w, x, b), na.b);
	if (plus(p, b, &x, &k))
		return rule_2(p, OP_ADD, w, rule_2(p, OP_ADD, w, a, x), nb.b);
	if (nb.op == OP_NEG)
		return rule_2(p, OP_SUB, w, a, nb.a);
	if (na.op == OP_NEG)
		return rule_2(p, OP_SUB, w, b, na.a);
	if (nb.op == OP_SUB && nb.b == a)
		return nb.a;
	if (na.op == OP_SUB && na.b == b)
		return na.a;
	/* disjoint bits, e.g. bytes joined with +: no carry, so OR */
	if (na.op == OP_CONCAT && rule_const(p, na.b, &v) && !v
	    && rule_zeros(p, b) >= rule_width(p, na.a))
		return rule_2(p, OP_OR, w, a, b);
	if (nb.op == OP_CONCAT && rule_const(p, nb.b, &v) && !v
	    && rule_zeros(p, a) >= rule_width(p, nb.a))
		return rule_2(p, OP_OR, w, a, b);
	return pool_intern(p, OP_ADD, w, a, b, 0);
}

static expr sub(struct expr_pool *p, unsigned w, expr a, expr b)
{
	u128 k, v;
	expr x;
	const struct expr_node na = *pool_node(p, a), nb = *pool_node(p, b);
	if (a == b)
		return pool_const(p, w, 0);
	if (rule_const(p, b, &v))
		return rule_2(p, OP_ADD, w, a, pool_const(p, w, -v));
	if (rule_const(p, a, &v)) {
		if (!v)
			return rule_1(p, OP_NEG, w, b);
		if (nb.op == OP_SUB && rule_const(p, nb.a, &k))
			return rule_2(p, OP_ADD, w, nb.b, pool_const(p, w, v - k));
	}
	if (plus(p, a, &x, &k))
		return rule_2(p, OP_ADD, w, rule_2(p, OP_SUB, w, x, b), na.b);
	if (plus(p, b, &x, &k))
		return rule_2(p, OP_ADD, w, rule_2(p, OP_SUB, w, a, x), pool_const(p, w, -k));
	if (nb.op == OP_NEG)
		return rule_2(p, OP_ADD, w, a, nb.a);
	if (nb.op == OP_SUB && nb.a == a)
		return nb.b;
	if (na.op == OP_SUB && na.a == b)
		return rule_1(p, OP_NEG, w, na.b);
	if (na.op == OP_ADD && (na.a == b || na.b == b))
		return na.a == b ? na.b : na.a;
	if (nb.op == OP_ADD && (nb.a == a || nb.b == a))
		return rule_1(p, OP_NEG, w, nb.a == a ? nb.b : nb.a);
	return pool_intern(p, OP_SUB, w, a, b, 0);
}

static expr mul(struct expr_pool *p, unsigned w, expr a, expr b)
{
	u128 k, v;
	order(p, &a, &b);
	if (!rule_const(p, b, &v))
		return pool_intern(p, OP_MUL, w, a, b, 0);
	if (!v || v == 1)
		return v ? a : b;
	if (v == bits_mask(w))
		return rule_1(p, OP_NEG, w, a);
	if (power(v) >= 0)
		return rule_2(p, OP_SHL, w, a, pool_const(p, w, (unsigned)power(v)));
	const struct expr_node n = *pool_node(p, a);
	if (n.op == OP_MUL && rule_const(p, n.b, &k))
		return rule_2(p, OP_MUL, w, n.a, pool_const(p, w, k * v));
	return pool_intern(p, OP_MUL, w, a, b, 0);
}

static expr neg(struct expr_pool *p, unsigned w, expr a)
{
	u128 k;
	expr x;
	const struct expr_node n = *pool_node(p, a);
	if (n.op == OP_NEG)
		return n.a;
	if (n.op == OP_SUB)
		return rule_2(p, OP_SUB, w, n.b, n.a);
	if (plus(p, a, &x, &k))
		return rule_2(p, OP_SUB, w, pool_const(p, w, -k), x);
	return pool_intern(p, OP_NEG, w, a, 0, 0);
}

expr rule_arith(struct expr_pool *p, enum op op, unsigned w, expr a, expr b)
{
	switch (op) {
	case OP_ADD: return add(p, w, a, b);
	case OP_SUB: return sub(p, w, a, b);
	case OP_MUL: return mul(p, w, a, b);
	default: return neg(p, w, a);
	}
}

/* ---- divisions */

/* Unsigned division or remainder by a constant v > 1. 0: no rule. */
static expr divide_by(struct expr_pool *p, enum op op, unsigned w, expr a, u128 v)
{
	const struct expr_node n = *pool_node(p, a);
	int k = power(v);
	if (k > 0 && op == OP_UDIV)
		return rule_2(p, OP_LSHR, w, a, pool_const(p, w, (unsigned)k));
	if (k > 0)
		return rule_1(p, OP_ZEXT, w, rule_bits(p, 0, (unsigned)k, a));
	if (n.op == OP_ZEXT) {
		unsigned inner = rule_width(p, n.a);
		if (v > bits_mask(inner))
			return op == OP_UDIV ? pool_const(p, w, 0) : a;
		return rule_1(p, OP_ZEXT, w, rule_2(p, op, inner, n.a, pool_const(p, inner, v)));
	}
	return 0;
}

/* Signed division or remainder of SEXT(x) by a constant other than 0, 1, -1: in x's width if v
 * fits. 0: no rule. */
static expr divide_signed(struct expr_pool *p, enum op op, unsigned w, expr a, u128 v)
{
	const struct expr_node n = *pool_node(p, a);
	if (n.op != OP_SEXT)
		return 0;
	unsigned inner = rule_width(p, n.a);
	if (bits_cut((u128)bits_signed(bits_cut(v, inner), inner), w) != v)
		return 0;
	return rule_1(p, OP_SEXT, w, rule_2(p, op, inner, n.a, pool_const(p, inner, v)));
}

/* x / x and x % x. */
static expr divide_itself(struct expr_pool *p, bool rem, unsigned w, expr a)
{
	expr zero = pool_const(p, w, 0);
	if (rem)
		return zero;
	return rule_make(p, OP_ITE, w, rule_2(p, OP_EQ, 1, a, zero), pool_const(p, w, bits_mask(w)),
	    pool_const(p, w, 1));
}

expr rule_divide(struct expr_pool *p, enum op op, unsigned w, expr a, expr b)
{
	bool is_signed = op == OP_SDIV || op == OP_SREM, rem = op == OP_UREM || op == OP_SREM;
	u128 v;
	expr r = 0;
	if (a == b)
		return divide_itself(p, rem, w, a);
	if (is_signed && rule_zeros(p, a) && rule_zeros(p, b))
		return rule_2(p, rem ? OP_UREM : OP_UDIV, w, a, b);
	if (rule_const(p, b, &v)) {
		if (!v && rem)
			return a;
		if (v == 1 && w > 1)
			return rem ? pool_const(p, w, 0) : a;
		if (v == bits_mask(w) && w > 1 && is_signed)
			return rem ? pool_const(p, w, 0) : rule_1(p, OP_NEG, w, a);
		if (v > 1)
			r = is_signed ? divide_signed(p, op, w, a, v) : divide_by(p, op, w, a, v);
	} else if (op == OP_UREM && rule_op(p, a) == OP_ZEXT && rule_op(p, b) == OP_ZEXT) {
		expr x = pool_node(p, a)->a, y = pool_node(p, b)->a;
		unsigned inner = rule_width(p, x);
		if (inner == rule_width(p, y))
			r = rule_1(p, OP_ZEXT, w, rule_2(p, OP_UREM, inner, x, y));
	}
	return r ? r : pool_intern(p, op, w, a, b, 0);
}
