/* float_rules: rules for floating-point operations. Comparisons become comparisons of bits where
 * possible, which every layer and engine supports. */
#include "lib/protocol/float.h"
#include "lib/expr/rules.h"

static bool is_constant(const struct expr_pool *p, expr e)
{
	return rule_op(p, e) == OP_CONST;
}

/* Significand bits including the leading one. */
static unsigned precision(unsigned w)
{
	return w == 32 ? 24 : w == 64 ? 53 : 64;
}

/* "a is not NaN" as a condition on bits. 80 bits have too many invalid encodings: FEQ(a, a). */
static expr is_number(struct expr_pool *p, expr a)
{
	unsigned w = rule_width(p, a), f = precision(w) - 1;
	if (rule_op(p, a) == OP_FCVT)
		return is_number(p, pool_node(p, a)->a);
	if (rule_op(p, a) == OP_SITOF || rule_op(p, a) == OP_UITOF)
		return pool_const(p, 1, 1);
	if (w == 80)
		return pool_intern(p, OP_FEQ, 1, a, a, 0);
	return rule_2(p, OP_ULE, 1, rule_bits(p, 0, w - 1, a),
	    pool_const(p, w - 1, (bits_mask(w - 1) >> f) << f));
}

/* a == v for a v that is not NaN. 0: no rule. */
static expr equal_to(struct expr_pool *p, expr a, u128 v)
{
	unsigned w = rule_width(p, a);
	if (w == 80)
		return 0;
	if (!(v & bits_mask(w - 1)))
		return rule_2(p, OP_EQ, 1, rule_bits(p, 0, w - 1, a), pool_const(p, w - 1, 0));
	return rule_2(p, OP_EQ, 1, a, pool_const(p, w, v));
}

/* e converted to a narrower format without loss: the operand of an FCVT, or a constant. 0: not
 * possible. */
static expr narrowed(struct expr_pool *p, expr e, unsigned to)
{
	const struct expr_node n = *pool_node(p, e);
	u128 v;
	if (n.op == OP_FCVT && rule_width(p, n.a) == to)
		return n.a;
	if (!rule_const(p, e, &v))
		return 0;
	u128 less = duct_float_eval(OP_FCVT, to, n.width, v, 0);
	return duct_float_eval(OP_FCVT, n.width, to, less, 0) == v ? pool_const(p, to, less) : 0;
}

/* Compares in a narrower format if both sides were converted from it. 0: no rule. */
static expr compare_narrowed(struct expr_pool *p, enum op op, expr a, expr b)
{
	expr wide = rule_op(p, a) == OP_FCVT ? a : b;
	if (rule_op(p, wide) != OP_FCVT)
		return 0;
	unsigned to = rule_width(p, pool_node(p, wide)->a);
	expr x = to < rule_width(p, a) ? narrowed(p, a, to) : 0, y = x ? narrowed(p, b, to) : 0;
	return y ? rule_2(p, op, 1, x, y) : 0;
}

/* Compares integers if both sides were converted from integers that the format represents exactly.
 * 0: no rule. */
static expr compare_integers(struct expr_pool *p, enum op op, expr a, expr b)
{
	const struct expr_node x = *pool_node(p, a), y = *pool_node(p, b);
	if (x.op != y.op || (x.op != OP_SITOF && x.op != OP_UITOF))
		return 0;
	unsigned wx = rule_width(p, x.a), wy = rule_width(p, y.a), w = wx > wy ? wx : wy;
	bool is_signed = x.op == OP_SITOF;
	if (w > precision(x.width))
		return 0;
	enum op extend = is_signed ? OP_SEXT : OP_ZEXT,
	        plain = op == OP_FEQ ? OP_EQ
	    : op == OP_FLT           ? is_signed ? OP_SLT : OP_ULT
	    : is_signed              ? OP_SLE
	                             : OP_ULE;
	return rule_2(p, plain, 1, rule_1(p, extend, w, x.a), rule_1(p, extend, w, y.a));
}

expr rule_float_compare(struct expr_pool *p, enum op op, expr a, expr b)
{
	unsigned w = rule_width(p, a);
	u128 v;
	expr r;
	if (a == b)
		return op == OP_FLT ? pool_const(p, 1, 0) : is_number(p, a);
	if ((rule_const(p, a, &v) && duct_float_nan(w, v))
	    || (rule_const(p, b, &v) && duct_float_nan(w, v)))
		return pool_const(p, 1, 0);
	if (op == OP_FEQ && (is_constant(p, a) || (!is_constant(p, b) && a > b))) {
		expr t = a;
		a = b, b = t;
	}
	if ((r = compare_narrowed(p, op, a, b)) || (r = compare_integers(p, op, a, b))
	    || (r = rule_monotone(p, op, a, b)))
		return r;
	if (op == OP_FEQ && rule_const(p, b, &v) && (r = equal_to(p, a, v)))
		return r;
	return pool_intern(p, op, 1, a, b, 0);
}

expr rule_float(struct expr_pool *p, enum op op, unsigned w, expr a, expr b)
{
	const struct expr_node n = *pool_node(p, a);
	if (op == OP_FCVT && n.op == OP_FCVT && rule_width(p, n.a) < n.width && n.width < w)
		return rule_1(p, OP_FCVT, w, n.a);
	return pool_intern(p, op, w, a, b, 0);
}
