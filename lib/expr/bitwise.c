/* bitwise: rules for AND, OR, XOR, NOT, shifts and ITE. */
#include "lib/expr/rules.h"

static bool is_zext(const struct expr_pool *p, expr e)
{
	return rule_op(p, e) == OP_ZEXT;
}

static bool opposite(const struct expr_pool *p, expr a, expr b)
{
	return (rule_op(p, a) == OP_NOT && pool_node(p, a)->a == b)
	    || (rule_op(p, b) == OP_NOT && pool_node(p, b)->a == a);
}

static expr negate(struct expr_pool *p, unsigned w, expr a)
{
	const struct expr_node n = *pool_node(p, a);
	switch (n.op) {
	case OP_NOT: return n.a;
	case OP_ULT: return rule_2(p, OP_ULE, 1, n.b, n.a);
	case OP_ULE: return rule_2(p, OP_ULT, 1, n.b, n.a);
	case OP_SLT: return rule_2(p, OP_SLE, 1, n.b, n.a);
	case OP_SLE: return rule_2(p, OP_SLT, 1, n.b, n.a);
	default: return pool_intern(p, OP_NOT, w, a, 0, 0);
	}
}

/* CONCAT(h, l) & k where k is 0 in the bits of one of them: only the other one is left. 0: no rule.
 */
static expr mask_part(struct expr_pool *p, unsigned w, const struct expr_node *n, u128 k)
{
	unsigned low = rule_width(p, n->b), high = w - low;
	u128 kl = k & bits_mask(low), kh = k >> low;
	if (!kh)
		return rule_1(p, OP_ZEXT, w, rule_2(p, OP_AND, low, n->b, pool_const(p, low, kl)));
	if (!kl)
		return rule_2(p, OP_CONCAT, w,
		    rule_2(p, OP_AND, high, n->a, pool_const(p, high, kh)), pool_const(p, low, 0));
	return 0;
}

/* Simplifies a op k; b is the constant k as an expression. */
static expr with_const(struct expr_pool *p, enum op op, unsigned w, expr a, expr b, u128 k)
{
	const struct expr_node n = *pool_node(p, a);
	u128 v, ones = bits_mask(w);
	expr r;
	if (k == 0)
		return op == OP_AND ? b : a;
	if (k == ones)
		return op == OP_AND ? a : op == OP_OR ? b : rule_1(p, OP_NOT, w, a);
	if (n.op == op && rule_const(p, n.b, &v))
		return rule_2(p, op, w, n.a, pool_const(p, w, bits_binary(op, w, w, w, k, v)));
	if (op == OP_AND && (k & (k + 1)) == 0) {
		unsigned low = 0;
		while (k >> low & 1)
			low++;
		return rule_1(p, OP_ZEXT, w, rule_bits(p, 0, low, a));
	}
	if (n.op == OP_ZEXT && (op == OP_AND || k <= bits_mask(rule_width(p, n.a)))) {
		unsigned inner = rule_width(p, n.a);
		return rule_1(p, OP_ZEXT, w, rule_2(p, op, inner, n.a, pool_const(p, inner, k)));
	}
	if (op == OP_AND && n.op == OP_CONCAT && (r = mask_part(p, w, &n, k)))
		return r;
	return pool_intern(p, op, w, a, b, 0);
}

/* Both operands zero-extended: applies the operation in the wider of the inner widths. */
static expr with_zext(struct expr_pool *p, enum op op, unsigned w, expr a, expr b)
{
	expr x = pool_node(p, a)->a, y = pool_node(p, b)->a;
	unsigned wx = rule_width(p, x), wy = rule_width(p, y), inner = wx > wy ? wx : wy;
	return rule_1(p, OP_ZEXT, w,
	    rule_2(p, op, inner, rule_1(p, OP_ZEXT, inner, x), rule_1(p, OP_ZEXT, inner, y)));
}

/* CONCAT(h, l) | b where b is 0 in h's bits: moves the operation into l. 0: no rule. */
static expr put_together(struct expr_pool *p, enum op op, unsigned w, expr a, expr b)
{
	const struct expr_node n = *pool_node(p, a);
	if (n.op != OP_CONCAT || rule_zeros(p, b) < rule_width(p, n.a))
		return 0;
	unsigned low = rule_width(p, n.b);
	return rule_2(p, OP_CONCAT, w, n.a, rule_2(p, op, low, n.b, rule_bits(p, 0, low, b)));
}

/* Absorption: a op (a op x) and a & (a | x). 0: no rule. */
static expr absorb(const struct expr_pool *p, enum op op, expr a, expr b)
{
	const struct expr_node *n = pool_node(p, b);
	if ((n->op != OP_AND && n->op != OP_OR) || (n->a != a && n->b != a) || op == OP_XOR)
		return 0;
	return n->op == op ? b : a;
}

expr rule_bitwise(struct expr_pool *p, enum op op, unsigned w, expr a, expr b)
{
	u128 k;
	expr r;
	if (op == OP_NOT)
		return negate(p, w, a);
	if (rule_op(p, a) == OP_CONST || (rule_op(p, b) != OP_CONST && a > b)) {
		expr t = a;
		a = b, b = t;
	}
	if (rule_const(p, b, &k))
		return with_const(p, op, w, a, b, k);
	if (a == b)
		return op == OP_XOR ? pool_const(p, w, 0) : a;
	if (opposite(p, a, b) || (w == 1 && rule_1(p, OP_NOT, 1, a) == b))
		return pool_const(p, w, op == OP_AND ? 0 : bits_mask(w));
	if ((r = absorb(p, op, a, b)) || (r = absorb(p, op, b, a)))
		return r;
	if (is_zext(p, a) && is_zext(p, b))
		return with_zext(p, op, w, a, b);
	if (op != OP_AND
	    && ((r = put_together(p, op, w, a, b)) || (r = put_together(p, op, w, b, a))))
		return r;
	if (op == OP_XOR && w == 1)
		return rule_1(p, OP_NOT, 1, rule_2(p, OP_EQ, 1, a, b));
	return pool_intern(p, op, w, a, b, 0);
}

expr rule_shift(struct expr_pool *p, enum op op, unsigned w, expr a, expr b)
{
	u128 v;
	if (!rule_const(p, b, &v)) {
		if (rule_const(p, a, &v) && !v)
			return a;
		return pool_intern(p, op, w, a, b, 0);
	}
	if (!v)
		return a;
	if (v >= w) {
		if (op != OP_ASHR)
			return pool_const(p, w, 0);
		v = w - 1;
	}
	if (w == 1)
		return a; /* only ASHR gets here */
	unsigned k = (unsigned)v;
	if (op == OP_SHL)
		return rule_2(p, OP_CONCAT, w, rule_bits(p, 0, w - k, a), pool_const(p, k, 0));
	return rule_1(p, op == OP_LSHR ? OP_ZEXT : OP_SEXT, w, rule_bits(p, k, w - k, a));
}

/* ITE of width 1 with a constant arm becomes AND or OR. */
static expr ite_bool(struct expr_pool *p, expr c, expr a, expr b)
{
	u128 v;
	if (rule_const(p, a, &v))
		return v ? rule_2(p, OP_OR, 1, c, b)
		         : rule_2(p, OP_AND, 1, rule_1(p, OP_NOT, 1, c), b);
	if (rule_const(p, b, &v))
		return v ? rule_2(p, OP_OR, 1, rule_1(p, OP_NOT, 1, c), a)
		         : rule_2(p, OP_AND, 1, c, a);
	return pool_intern(p, OP_ITE, 1, c, a, b);
}

/* Zero-extended arms, or constants that fit: chooses between the inner values. 0: no rule. */
static expr ite_zext(struct expr_pool *p, unsigned w, expr c, expr a, expr b)
{
	u128 v;
	bool za = is_zext(p, a), zb = is_zext(p, b);
	if (!za && !zb)
		return 0;
	unsigned inner = za ? rule_width(p, pool_node(p, a)->a) : 1;
	if (zb && rule_width(p, pool_node(p, b)->a) > inner)
		inner = rule_width(p, pool_node(p, b)->a);
	if ((!za && (!rule_const(p, a, &v) || v > bits_mask(inner)))
	    || (!zb && (!rule_const(p, b, &v) || v > bits_mask(inner))))
		return 0;
	return rule_1(p, OP_ZEXT, w,
	    rule_make(p, OP_ITE, inner, c, rule_bits(p, 0, inner, a), rule_bits(p, 0, inner, b)));
}

expr rule_ite(struct expr_pool *p, unsigned w, expr c, expr a, expr b)
{
	const struct expr_node n = *pool_node(p, c);
	u128 v;
	expr r;
	if (rule_const(p, c, &v))
		return v ? a : b;
	if (a == b)
		return a;
	if (n.op == OP_NOT)
		return rule_ite(p, w, n.a, b, a);
	if (rule_op(p, a) == OP_ITE && pool_node(p, a)->a == c)
		return rule_ite(p, w, c, pool_node(p, a)->b, b);
	if (rule_op(p, b) == OP_ITE && pool_node(p, b)->a == c)
		return rule_ite(p, w, c, a, pool_node(p, b)->c);
	if (w == 1)
		return ite_bool(p, c, a, b);
	if ((r = ite_zext(p, w, c, a, b)))
		return r;
	return pool_intern(p, OP_ITE, w, c, a, b);
}
