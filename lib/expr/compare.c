/* compare: rules for EQ and the orderings. */
#include "lib/expr/rules.h"

static expr truth(struct expr_pool *p, bool b)
{
	return pool_const(p, 1, b);
}
static expr invert(struct expr_pool *p, expr c)
{
	return rule_1(p, OP_NOT, 1, c);
}

static expr equal_const(struct expr_pool *p, expr a, u128 v)
{
	unsigned w = rule_width(p, a);
	return rule_2(p, OP_EQ, 1, a, pool_const(p, w, v));
}

/* Is v the extension by `op` of its low `from` bits to w bits? */
static bool extends(enum op op, u128 v, unsigned w, unsigned from)
{
	return bits_unary(op, w, from, 0, bits_cut(v, from)) == v;
}

/* Multiplicative inverse of an odd number modulo 2^128, by Newton's iteration. */
static u128 inverse(u128 k)
{
	u128 x = k;
	for (int i = 0; i < 7; i++)
		x *= 2 - k * x;
	return x;
}

/* ITE(c, x, y) == v if x or y is constant. 0: no rule. */
static expr equal_choice(struct expr_pool *p, const struct expr_node *n, u128 v)
{
	u128 k;
	if (rule_const(p, n->b, &k))
		return k == v ? rule_2(p, OP_OR, 1, n->a, equal_const(p, n->c, v))
		              : rule_2(p, OP_AND, 1, invert(p, n->a), equal_const(p, n->c, v));
	if (rule_const(p, n->c, &k))
		return k == v ? rule_2(p, OP_OR, 1, invert(p, n->a), equal_const(p, n->b, v))
		              : rule_2(p, OP_AND, 1, n->a, equal_const(p, n->b, v));
	return 0;
}

/* table[off] == v where v occurs at most once in the table. Not if the first or last byte of v is
 * 0: reads past the end yield 0 bytes. 0: no rule. */
static expr equal_read(struct expr_pool *p, const struct expr_node *n, u128 v)
{
	const struct expr_node t = *pool_node(p, n->a);
	unsigned bytes = n->width / 8u;
	uint32_t found = 0, at = 0;
	if (t.op != OP_TABLE || t.b > 4096 || t.b < bytes || bytes > 8 || !(v >> (8 * (bytes - 1)))
	    || !(v & 255))
		return 0;
	for (uint32_t i = 0; i + bytes <= t.b && found < 2; i++) {
		u128 k = 0;
		for (unsigned j = 0; j < bytes; j++)
			k |= (u128)p->blob[t.a + i + j] << (8 * j);
		if (k == v)
			at = i, found++;
	}
	return !found ? truth(p, false) : found == 1 ? equal_const(p, n->b, at) : 0;
}

/* The operand x and its value that are equivalent to e == *v, where e is x with an operation that
 * can be inverted. False: there is none. */
static bool invert_value(const struct expr_pool *p, expr *e, u128 *v)
{
	const struct expr_node *n = pool_node(p, *e);
	unsigned w = n->width;
	u128 k;

	if (w == 1)
		return false;
	switch (n->op) {
	case OP_ZEXT:
	case OP_SEXT:
		if (!extends(n->op, *v, w, rule_width(p, n->a)))
			return false;
		break;
	case OP_ADD:
		if (!rule_const(p, n->b, &k))
			return false;
		*v -= k;
		break;
	case OP_SUB:
		if (!rule_const(p, n->a, &k))
			return false;
		*v = bits_cut(k - *v, w);
		*e = n->b;
		return true;
	case OP_XOR:
		if (!rule_const(p, n->b, &k))
			return false;
		*v ^= k;
		break;
	case OP_NOT: *v = ~*v; break;
	case OP_NEG: *v = -*v; break;
	case OP_MUL:
		if (!rule_const(p, n->b, &k) || !(k & 1))
			return false;
		*v *= inverse(k);
		break;
	default: return false;
	}
	*e = n->a;
	*v = bits_cut(*v, rule_width(p, *e));
	return true;
}

/* Unsigned a / b == v: an interval of a. 0: no rule. */
static expr equal_quotient(struct expr_pool *p, const struct expr_node *n, u128 v)
{
	unsigned w = n->width;
	u128 k, most = bits_mask(w);
	if (!v)
		return rule_2(p, OP_ULT, 1, n->a, n->b);
	if (!rule_const(p, n->b, &k) || k < 2)
		return 0;
	if (v > most / k)
		return truth(p, false);
	expr base = pool_const(p, w, k * v);
	if (k - 1 > most - k * v) /* up to the greatest number */
		return rule_2(p, OP_ULE, 1, base, n->a);
	return rule_2(p, OP_ULT, 1, rule_2(p, OP_SUB, w, n->a, base), n->b);
}

/* a == v by a's operation, which cannot be inverted. 0: no rule. */
static expr equal_value(struct expr_pool *p, expr a, u128 v)
{
	const struct expr_node n = *pool_node(p, a);
	u128 k;
	if (n.width == 1)
		return v ? a : invert(p, a);
	switch (n.op) {
	case OP_ZEXT:
	case OP_SEXT: return truth(p, false); /* inverted otherwise */
	case OP_SUB:
	case OP_XOR: return v ? 0 : rule_2(p, OP_EQ, 1, n.a, n.b);
	case OP_CONCAT:
		return rule_2(p, OP_AND, 1, equal_const(p, n.a, v >> rule_width(p, n.b)),
		    equal_const(p, n.b, v));
	case OP_ITE: return equal_choice(p, &n, v);
	case OP_AND: return rule_const(p, n.b, &k) && (v & ~k) ? truth(p, false) : 0;
	case OP_OR:
		if (!v)
			return rule_2(p, OP_AND, 1, equal_const(p, n.a, 0), equal_const(p, n.b, 0));
		return rule_const(p, n.b, &k) && (~v & k) ? truth(p, false) : 0;
	case OP_UREM: return rule_const(p, n.b, &k) && k && v >= k ? truth(p, false) : 0;
	case OP_UDIV: return equal_quotient(p, &n, v);
	case OP_READ: return equal_read(p, &n, v);
	default: return 0;
	}
}

/* Neither side is constant. 0: no rule. */
static expr equal_both(struct expr_pool *p, expr a, expr b)
{
	const struct expr_node x = *pool_node(p, a), y = *pool_node(p, b);
	unsigned w = x.width;
	u128 k, k2;
	if ((x.op == OP_ZEXT || x.op == OP_SEXT) && x.op == y.op) {
		unsigned wx = rule_width(p, x.a), wy = rule_width(p, y.a), in = wx > wy ? wx : wy;
		return rule_2(p, OP_EQ, 1, rule_1(p, x.op, in, x.a), rule_1(p, x.op, in, y.a));
	}
	if (x.op == OP_ADD && y.op == OP_ADD && rule_const(p, x.b, &k) && rule_const(p, y.b, &k2))
		return rule_2(
		    p, OP_EQ, 1, x.a, rule_2(p, OP_ADD, w, y.a, pool_const(p, w, k2 - k)));
	if (x.op == OP_ADD && (x.a == b || x.b == b))
		return equal_const(p, x.a == b ? x.b : x.a, 0);
	if (y.op == OP_ADD && (y.a == a || y.b == a))
		return equal_const(p, y.a == a ? y.b : y.a, 0);
	if (x.op == OP_SUB && x.a == b)
		return equal_const(p, x.b, 0);
	if (y.op == OP_SUB && y.a == a)
		return equal_const(p, y.b, 0);
	if (x.op == y.op && (x.op == OP_NOT || x.op == OP_NEG))
		return rule_2(p, OP_EQ, 1, x.a, y.a);
	if (x.op == OP_CONCAT && y.op == OP_CONCAT && rule_width(p, x.a) == rule_width(p, y.a))
		return rule_2(
		    p, OP_AND, 1, rule_2(p, OP_EQ, 1, x.a, y.a), rule_2(p, OP_EQ, 1, x.b, y.b));
	if (w == 1 && x.op == OP_NOT)
		return invert(p, rule_2(p, OP_EQ, 1, x.a, b));
	if (w == 1 && y.op == OP_NOT)
		return invert(p, rule_2(p, OP_EQ, 1, a, y.a));
	return 0;
}

expr rule_equal(struct expr_pool *p, expr a, expr b)
{
	u128 v;
	expr r;
	if (a == b)
		return truth(p, true);
	if (rule_op(p, a) == OP_CONST || (rule_op(p, b) != OP_CONST && a > b)) {
		expr t = a;
		a = b, b = t;
	}
	if (rule_const(p, b, &v)) {
		expr x = a;
		while (invert_value(p, &x, &v)) {
		}
		if (x != a)
			return equal_const(p, x, v);
	}
	r = rule_const(p, b, &v) ? equal_value(p, a, v) : equal_both(p, a, b);
	return r ? r : pool_intern(p, OP_EQ, 1, a, b, 0);
}

/* ---- orderings; `low` and `high` are the least and greatest value */

struct extremes {
	u128 low, high;
};

static struct extremes ends_of(bool is_signed, unsigned w)
{
	u128 s = bits_sign(w);
	return is_signed ? (struct extremes){ s, s - 1 } : (struct extremes){ 0, bits_mask(w) };
}

/* x < v (left: v < x) for an extended x: decided, or compared in x's width. */
static expr below_extended(
    struct expr_pool *p, enum op less, const struct expr_node *n, u128 v, bool left)
{
	bool is_signed = less == OP_SLT;
	unsigned w = n->width, in = rule_width(p, n->a);
	enum op inner = n->op == OP_ZEXT ? OP_ULT : less;
	if (extends(n->op, v, w, in)) {
		expr k = pool_const(p, in, v);
		return left ? rule_2(p, inner, 1, k, n->a) : rule_2(p, inner, 1, n->a, k);
	}
	/* v is not a value of the extension */
	if (n->op == OP_SEXT && !is_signed) { /* v is between the two ranges of a sign extension */
		expr negative = rule_2(p, OP_SLT, 1, n->a, pool_const(p, in, 0));
		return left ? negative : invert(p, negative);
	}
	return truth(p, (is_signed && (v & bits_sign(w)) != 0) == left);
}

/* Signed: compares a - b with 0, 1 or -1 where a - b cannot overflow. 0: no rule. */
static expr below_difference(struct expr_pool *p, const struct expr_node *n, u128 v, bool left)
{
	if (n->op != OP_SUB || !rule_zeros(p, n->a) || !rule_zeros(p, n->b))
		return 0;
	if (left)
		return v == 0                  ? rule_2(p, OP_ULT, 1, n->b, n->a)
		    : v == bits_mask(n->width) ? rule_2(p, OP_ULE, 1, n->b, n->a)
		                               : 0;
	return v == 0                ? rule_2(p, OP_ULT, 1, n->a, n->b)
	    : v == 1 && n->width > 1 ? rule_2(p, OP_ULE, 1, n->a, n->b)
	                             : 0;
}

/* Unsigned ZEXT(x) + k < v: compares in x's width if the sum only wraps below 0. 0: no rule. */
static expr below_range(struct expr_pool *p, const struct expr_node *n, u128 v)
{
	u128 k;
	if (n->op != OP_ADD || rule_op(p, n->a) != OP_ZEXT || !rule_const(p, n->b, &k))
		return 0;
	expr x = pool_node(p, n->a)->a;
	unsigned in = rule_width(p, x);
	u128 start = bits_cut(-k, n->width), top = bits_mask(in);
	if (start > top || v > top || start + v > top + 1)
		return 0;
	return rule_2(
	    p, OP_ULT, 1, rule_2(p, OP_ADD, in, x, pool_const(p, in, k)), pool_const(p, in, v));
}

/* a < v. An ITE with a constant arm compared with a constant is left to the engines, except for
 * conditions. */
static expr less_than(struct expr_pool *p, enum op less, expr a, u128 v)
{
	bool is_signed = less == OP_SLT;
	const struct expr_node n = *pool_node(p, a);
	struct extremes e = ends_of(is_signed, n.width);
	expr r = 0;
	if (v == e.low)
		return truth(p, false);
	if (v == bits_cut(e.low + 1, n.width))
		return equal_const(p, a, e.low);
	if (v == e.high)
		return invert(p, equal_const(p, a, v));
	if (n.op == OP_ZEXT || n.op == OP_SEXT)
		return below_extended(p, less, &n, v, false);
	if (is_signed && rule_zeros(p, a))
		return v & bits_sign(n.width) ? truth(p, false)
		                              : rule_2(p, OP_ULT, 1, a, pool_const(p, n.width, v));
	r = is_signed ? below_difference(p, &n, v, false) : below_range(p, &n, v);
	return r ? r : pool_intern(p, less, 1, a, pool_const(p, n.width, v), 0);
}

static expr greater_than(struct expr_pool *p, enum op less, expr a, u128 v)
{
	bool is_signed = less == OP_SLT;
	const struct expr_node n = *pool_node(p, a);
	struct extremes e = ends_of(is_signed, n.width);
	expr r;
	if (v == e.high)
		return truth(p, false);
	if (v == bits_cut(e.high - 1, n.width))
		return equal_const(p, a, e.high);
	if (v == e.low)
		return invert(p, equal_const(p, a, v));
	if (n.op == OP_ZEXT || n.op == OP_SEXT)
		return below_extended(p, less, &n, v, true);
	if (is_signed && rule_zeros(p, a))
		return v & bits_sign(n.width) ? truth(p, true)
		                              : rule_2(p, OP_ULT, 1, pool_const(p, n.width, v), a);
	r = is_signed ? below_difference(p, &n, v, true) : 0;
	return r ? r : pool_intern(p, less, 1, pool_const(p, n.width, v), a, 0);
}

/* x % y < y (left: y < x % y) or, not strictly, <=. */
static expr below_divisor(struct expr_pool *p, expr x, expr y, bool left, bool strict)
{
	expr none = equal_const(p, y, 0), zero = equal_const(p, x, 0);
	if (left)
		return strict ? rule_2(p, OP_AND, 1, none, invert(p, zero)) : none;
	return strict ? invert(p, none) : rule_2(p, OP_OR, 1, invert(p, none), zero);
}

/* Neither side is constant. */
static expr compare_both(struct expr_pool *p, enum op op, expr a, expr b)
{
	const struct expr_node x = *pool_node(p, a), y = *pool_node(p, b);
	bool is_signed = op == OP_SLT || op == OP_SLE, strict = op == OP_ULT || op == OP_SLT;
	if (a == b)
		return truth(p, !strict);
	if ((x.op == OP_ZEXT || x.op == OP_SEXT) && x.op == y.op) {
		unsigned wx = rule_width(p, x.a), wy = rule_width(p, y.a), in = wx > wy ? wx : wy;
		enum op inner = x.op == OP_SEXT || !is_signed ? op : strict ? OP_ULT : OP_ULE;
		return rule_2(p, in < x.width ? inner : op, 1, rule_1(p, x.op, in, x.a),
		    rule_1(p, x.op, in, y.a));
	}
	if (is_signed && rule_zeros(p, a) && rule_zeros(p, b))
		return rule_2(p, strict ? OP_ULT : OP_ULE, 1, a, b);
	if (!is_signed && x.op == OP_UREM && x.b == b)
		return below_divisor(p, x.a, b, false, strict);
	if (!is_signed && y.op == OP_UREM && y.b == a)
		return below_divisor(p, y.a, a, true, strict);
	return pool_intern(p, op, 1, a, b, 0);
}

expr rule_compare(struct expr_pool *p, enum op op, expr a, expr b)
{
	bool is_signed = op == OP_SLT || op == OP_SLE;
	enum op less = is_signed ? OP_SLT : OP_ULT;
	unsigned w = rule_width(p, a);
	struct extremes e = ends_of(is_signed, w);
	u128 v;
	if (rule_const(p, b, &v)) {
		if (op == less)
			return less_than(p, less, a, v);
		return v == e.high ? truth(p, true) : less_than(p, less, a, bits_cut(v + 1, w));
	}
	if (rule_const(p, a, &v)) {
		if (op == less)
			return greater_than(p, less, b, v);
		return v == e.low ? truth(p, true) : greater_than(p, less, b, bits_cut(v - 1, w));
	}
	return compare_both(p, op, a, b);
}
