/* structure: rules for ZEXT, SEXT, EXTRACT and CONCAT. */
#include "lib/expr/rules.h"

expr rule_extend(struct expr_pool *p, enum op op, unsigned w, expr a)
{
	const struct expr_node n = *pool_node(p, a);
	u128 v;
	if (n.width == w)
		return a;
	if (n.op == OP_ZEXT)
		return rule_1(p, OP_ZEXT, w, n.a);
	if (op == OP_ZEXT) {
		if (n.op == OP_CONCAT && rule_const(p, n.a, &v) && !v)
			return rule_1(p, OP_ZEXT, w, n.b);
		return pool_intern(p, op, w, a, 0, 0);
	}
	if (n.op == OP_SEXT)
		return rule_1(p, OP_SEXT, w, n.a);
	if (rule_zeros(p, a))
		return rule_1(p, OP_ZEXT, w, a);
	return pool_intern(p, op, w, a, 0, 0);
}

/* Does taking low bits simplify e? If so, truncation is distributed over sums and similar. */
static bool shrinks(const struct expr_pool *p, expr e, int depth)
{
	const struct expr_node *n = pool_node(p, e);
	switch (n->op) {
	case OP_CONST:
	case OP_ZEXT:
	case OP_SEXT:
	case OP_CONCAT:
	case OP_EXTRACT: return true;
	case OP_ADD:
	case OP_SUB:
	case OP_MUL:
	case OP_AND:
	case OP_OR:
	case OP_XOR: return depth < 3 && shrinks(p, n->a, depth + 1) && shrinks(p, n->b, depth + 1);
	case OP_NOT:
	case OP_NEG: return depth < 3 && shrinks(p, n->a, depth + 1);
	case OP_ITE: return depth < 2 && shrinks(p, n->b, depth + 1) && shrinks(p, n->c, depth + 1);
	default: return false;
	}
}

static expr extract_concat(struct expr_pool *p, unsigned w, const struct expr_node *n, unsigned low)
{
	unsigned wl = rule_width(p, n->b);
	if (low >= wl)
		return rule_bits(p, low - wl, w, n->a);
	if (low + w <= wl)
		return rule_bits(p, low, w, n->b);
	return rule_2(p, OP_CONCAT, w, rule_bits(p, 0, low + w - wl, n->a),
	    rule_bits(p, low, wl - low, n->b));
}

static expr extract_extended(
    struct expr_pool *p, unsigned w, const struct expr_node *n, unsigned low)
{
	unsigned inner = rule_width(p, n->a);
	if (low + w <= inner)
		return rule_bits(p, low, w, n->a);
	if (low < inner)
		return rule_1(p, n->op, w, rule_bits(p, low, inner - low, n->a));
	if (n->op == OP_ZEXT)
		return pool_const(p, w, 0);
	return rule_1(p, OP_SEXT, w, rule_bits(p, inner - 1, 1, n->a));
}

static expr extract(struct expr_pool *p, unsigned w, expr a, unsigned low)
{
	const struct expr_node n = *pool_node(p, a);
	switch (n.op) {
	case OP_EXTRACT: return rule_bits(p, low + n.c, w, n.a);
	case OP_CONCAT: return extract_concat(p, w, &n, low);
	case OP_ZEXT:
	case OP_SEXT: return extract_extended(p, w, &n, low);
	case OP_NOT:
	case OP_AND:
	case OP_OR:
	case OP_XOR:
		if (!shrinks(p, a, 0))
			break;
		return rule_2(
		    p, n.op, w, rule_bits(p, low, w, n.a), n.b ? rule_bits(p, low, w, n.b) : 0);
	case OP_ADD:
	case OP_SUB:
	case OP_MUL:
	case OP_NEG:
		if (low || !shrinks(p, a, 0))
			break;
		return rule_2(
		    p, n.op, w, rule_bits(p, 0, w, n.a), n.b ? rule_bits(p, 0, w, n.b) : 0);
	case OP_ITE:
		if (!shrinks(p, a, 0))
			break;
		return rule_make(
		    p, OP_ITE, w, n.a, rule_bits(p, low, w, n.b), rule_bits(p, low, w, n.c));
	default: break;
	}
	return pool_intern(p, OP_EXTRACT, w, a, 0, low);
}

expr rule_extract(struct expr_pool *p, unsigned w, expr a, unsigned low)
{
	uint64_t h = pool_mix((uint64_t)a << 32 | low, w);
	struct extracted *known = &p->extracted[h % (sizeof p->extracted / sizeof *p->extracted)];
	expr r;
	if (rule_width(p, a) == w)
		return a;
	if (known->a == a && known->low == low && known->width == w)
		return known->r;
	r = extract(p, w, a, low);
	*known = (struct extracted){ a, r, low, w };
	return r;
}

/* Joins two adjacent parts of a concatenation. 0: no rule. */
static expr join(struct expr_pool *p, unsigned w, expr a, expr b)
{
	const struct expr_node x = *pool_node(p, a), y = *pool_node(p, b);
	u128 v;
	if (x.op == OP_CONST && y.op == OP_CONST)
		return rule_2(p, OP_CONCAT, w, a, b);
	if (rule_const(p, a, &v) && !v)
		return rule_1(p, OP_ZEXT, w, b);
	if (x.op == OP_ZEXT)
		return rule_1(
		    p, OP_ZEXT, w, rule_2(p, OP_CONCAT, w - x.width + rule_width(p, x.a), x.a, b));
	if (x.op == OP_EXTRACT && y.op == OP_EXTRACT && x.a == y.a && x.c == y.c + y.width)
		return rule_bits(p, y.c, w, x.a);
	/* copies of b's sign bit before b: a sign extension */
	if (x.op == OP_SEXT || x.width == 1) {
		expr s = x.op == OP_SEXT ? x.a : a;
		if (rule_width(p, s) == 1 && y.width > 1 && rule_bits(p, y.width - 1, 1, b) == s)
			return rule_1(p, OP_SEXT, w, b);
		if (rule_width(p, s) == 1 && y.op == OP_SEXT && y.a == s)
			return rule_1(p, OP_SEXT, w, s);
	}
	return 0;
}

expr rule_concat(struct expr_pool *p, unsigned w, expr a, expr b)
{
	const struct expr_node x = *pool_node(p, a), y = *pool_node(p, b);
	if (x.op == OP_CONCAT)
		return rule_2(
		    p, OP_CONCAT, w, x.a, rule_2(p, OP_CONCAT, w - rule_width(p, x.a), x.b, b));
	expr r = join(p, w, a, b);
	if (r)
		return r;
	if (y.op == OP_CONCAT && (r = join(p, x.width + rule_width(p, y.a), a, y.a)))
		return rule_2(p, OP_CONCAT, w, r, y.b);
	return pool_intern(p, OP_CONCAT, w, a, b, 0);
}
