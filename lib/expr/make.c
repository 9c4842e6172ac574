/* make: constructs nodes. Folds constants, distributes operations over ITEs of constants, then
 * applies the rules of the operation. */
#include "lib/protocol/float.h"
#include "lib/expr/rules.h"

enum { DEEPEST_RULE = 500 };

static unsigned zeros_of(u128 v, unsigned w)
{
	unsigned k = 0;
	while (k < w && !(v >> (w - 1 - k)))
		k++;
	return k;
}

static unsigned zeros(const struct expr_pool *p, expr e, int depth)
{
	const struct expr_node *n = pool_node(p, e);
	unsigned x, y;
	u128 v;
	if (depth > 4)
		return 0;
	switch (n->op) {
	case OP_CONST: return zeros_of(pool_const_value(p, n), n->width);
	case OP_ZEXT: return n->width - rule_width(p, n->a) + zeros(p, n->a, depth + 1);
	case OP_CONCAT:
		return rule_const(p, n->a, &v) ? zeros_of(v, rule_width(p, n->a))
		                               : zeros(p, n->a, depth + 1);
	case OP_UREM: return rule_const(p, n->b, &v) && v ? zeros_of(v, n->width) : 0;
	case OP_AND:
	case OP_OR:
	case OP_ITE:
		x = zeros(p, n->op == OP_ITE ? n->c : n->a, depth + 1);
		y = zeros(p, n->b, depth + 1);
		return (x > y) == (n->op == OP_AND) ? x : y;
	default: return 0;
	}
}

unsigned rule_zeros(const struct expr_pool *p, expr e)
{
	return zeros(p, e, 0);
}

static expr choose(struct expr_pool *p, unsigned w, expr c, u128 yes, u128 no)
{
	return rule_make(p, OP_ITE, w, c, pool_const(p, w, yes), pool_const(p, w, no));
}

/* Distributes an operation over ITEs with constant arms: the ITE of the results. 0: not
 * applicable. */
static expr push_binary(struct expr_pool *p, enum op op, unsigned w, expr a, expr b)
{
	expr c = 0, d = 0;
	u128 a1, a2, b1, b2;
	unsigned wa = rule_width(p, a), wb = rule_width(p, b);
	bool ca = rule_choice(p, a, &c, &a1, &a2), cb = rule_choice(p, b, &d, &b1, &b2);
	if (!ca && !cb)
		return 0;
	if (ca && cb && c != d)
		return 0;
	if (!ca) {
		if (!rule_const(p, a, &a1))
			return 0;
		a2 = a1, c = d;
	}
	if (!cb) {
		if (!rule_const(p, b, &b1))
			return 0;
		b2 = b1;
	}
	return choose(
	    p, w, c, bits_binary(op, w, wa, wb, a1, b1), bits_binary(op, w, wa, wb, a2, b2));
}

static expr make_binary(struct expr_pool *p, enum op op, unsigned w, expr a, expr b)
{
	u128 va, vb;
	if (rule_const(p, a, &va) && rule_const(p, b, &vb))
		return pool_const(
		    p, w, bits_binary(op, w, rule_width(p, a), rule_width(p, b), va, vb));
	expr r = push_binary(p, op, w, a, b);
	if (r)
		return r;
	switch (op) {
	case OP_ADD:
	case OP_SUB:
	case OP_MUL: return rule_arith(p, op, w, a, b);
	case OP_UDIV:
	case OP_SDIV:
	case OP_UREM:
	case OP_SREM: return rule_divide(p, op, w, a, b);
	case OP_AND:
	case OP_OR:
	case OP_XOR: return rule_bitwise(p, op, w, a, b);
	case OP_SHL:
	case OP_LSHR:
	case OP_ASHR: return rule_shift(p, op, w, a, b);
	case OP_EQ: return rule_equal(p, a, b);
	case OP_ULT:
	case OP_ULE:
	case OP_SLT:
	case OP_SLE: return rule_compare(p, op, a, b);
	case OP_FEQ:
	case OP_FLT:
	case OP_FLE: return rule_float_compare(p, op, a, b);
	case OP_CONCAT: return rule_concat(p, w, a, b);
	default: return rule_float(p, op, w, a, b);
	}
}

static expr make_unary(struct expr_pool *p, enum op op, unsigned w, expr a, unsigned low)
{
	u128 v, v2;
	expr c;
	unsigned wa = rule_width(p, a);
	if (rule_const(p, a, &v))
		return pool_const(p, w, bits_unary(op, w, wa, low, v));
	if ((op != OP_NOT || wa > 1) && rule_choice(p, a, &c, &v, &v2))
		return choose(
		    p, w, c, bits_unary(op, w, wa, low, v), bits_unary(op, w, wa, low, v2));
	switch (op) {
	case OP_NOT: return rule_bitwise(p, op, w, a, 0);
	case OP_NEG: return rule_arith(p, op, w, a, 0);
	case OP_EXTRACT: return rule_extract(p, w, a, low);
	case OP_ZEXT:
	case OP_SEXT: return rule_extend(p, op, w, a);
	default: return rule_float(p, op, w, a, 0);
	}
}

static expr simplify(struct expr_pool *p, enum op op, unsigned w, expr a, expr b, uint32_t c)
{
	switch (op) {
	case OP_ITE: return rule_ite(p, w, a, b, c);
	case OP_READ: return rule_read(p, w, a, b);
	case OP_STORE: return rule_store(p, a, b, c);
	default:
		return op_arity(op) == 1 ? make_unary(p, op, w, a, c) : make_binary(p, op, w, a, b);
	}
}

static bool keeps_bits(enum op op)
{
	return op == OP_ZEXT || op == OP_SEXT || op == OP_EXTRACT;
}

static bool commutes(enum op op)
{
	return op == OP_EQ || op == OP_ADD || op == OP_MUL || op == OP_AND || op == OP_OR
	    || op == OP_XOR;
}

/* The node with constants folded, and without any rule that looks into its operands. */
static expr make_plain(struct expr_pool *p, enum op op, unsigned w, expr a, expr b, uint32_t c)
{
	u128 x, y;
	bool known = rule_const(p, a, &x);

	if (op == OP_ITE && known)
		return x ? b : c;
	if (op_arity(op) == 1) {
		if (keeps_bits(op) && rule_width(p, a) == w)
			return a;
		return known ? pool_const(p, w, bits_unary(op, w, rule_width(p, a), c, x))
		             : pool_intern(p, op, w, a, 0, c);
	}
	if (op == OP_ITE || op == OP_STORE || op == OP_READ)
		return pool_intern(p, op, op == OP_STORE ? 0 : w, a, b, op == OP_READ ? 0 : c);
	if (known && rule_const(p, b, &y))
		return pool_const(
		    p, w, bits_binary(op, w, rule_width(p, a), rule_width(p, b), x, y));
	return known && commutes(op) ? pool_intern(p, op, w, b, a, 0)
	                             : pool_intern(p, op, w, a, b, 0);
}

/* Rules that use rules go down into their operands, which may nest as deeply as a program loops. */
expr rule_make(struct expr_pool *p, enum op op, unsigned w, expr a, expr b, uint32_t c)
{
	expr e;

	if (p->depth >= DEEPEST_RULE)
		return make_plain(p, op, w, a, b, c);
	p->depth++;
	e = simplify(p, op, w, a, b, c);
	p->depth--;
	return e;
}

/* Are the widths and operands valid? Traces are untrusted input. */
static bool fits(const struct expr_pool *p, enum op op, unsigned w, expr a, expr b, uint32_t c)
{
	unsigned wa = a < p->nodes ? rule_width(p, a) : 0, wb = b < p->nodes ? rule_width(p, b) : 0;
	int n = op_arity(op);
	if (!a || a >= p->nodes || (n > 1 && (!b || b >= p->nodes))
	    || (n > 2 && (!c || c >= p->nodes)))
		return false;
	if (op == OP_READ || op == OP_STORE) {
		bool array = rule_op(p, a) == OP_TABLE || rule_op(p, a) == OP_STORE;
		unsigned wv = op == OP_READ ? w : rule_width(p, c);
		return array && wb == 64 && wv && wv <= 128 && wv % 8 == 0;
	}
	if (!wa || !w || w > 128)
		return false;
	switch (op) {
	case OP_EQ:
	case OP_ULT:
	case OP_ULE:
	case OP_SLT:
	case OP_SLE: return wa == wb && w == 1;
	case OP_ITE: return wa == 1 && wb == w && rule_width(p, c) == w;
	case OP_CONCAT: return wb && wa + wb == w;
	case OP_EXTRACT: return c < wa && w <= wa - c;
	case OP_ZEXT:
	case OP_SEXT: return w >= wa;
	case OP_NOT:
	case OP_NEG: return wa == w;
	default: return op_is_float(op) ? duct_float_fits(op, w, wa, wb) : wa == w && wb == w;
	}
}

expr expr_make(struct expr_pool *p, enum op op, uint32_t width, expr a, expr b, uint32_t c)
{
	if (op <= OP_CONST || op >= OP_COUNT || op == OP_TABLE || !fits(p, op, width, a, b, c))
		return 0;
	return rule_make(p, op, width, a, b, c);
}

expr expr_not(struct expr_pool *p, expr cond)
{
	return expr_make(p, OP_NOT, 1, cond, 0, 0);
}

expr expr_equals(struct expr_pool *p, expr value, uint64_t y)
{
	struct value v = { y, 0 };
	uint32_t width = expr_width(p, value);

	if (width < 64)
		v.lo &= ((uint64_t)1 << width) - 1;
	return expr_make(p, OP_EQ, 1, value, expr_const(p, width, v), 0);
}

/* value equals none of y[lo..hi-1]; a balanced conjunction. */
static expr none_of(struct expr_pool *p, expr value, const uint64_t *y, size_t lo, size_t hi)
{
	size_t mid = lo + (hi - lo) / 2;

	if (hi == lo)
		return expr_bool(p, true);
	if (hi - lo == 1)
		return expr_not(p, expr_equals(p, value, y[lo]));
	return expr_make(
	    p, OP_AND, 1, none_of(p, value, y, lo, mid), none_of(p, value, y, mid, hi), 0);
}

expr expr_case(struct expr_pool *p, expr value, const uint64_t *y, size_t cases, size_t k)
{
	return k < cases ? expr_equals(p, value, y[k]) : none_of(p, value, y, 0, cases);
}
