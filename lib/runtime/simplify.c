/* Builders of terms: evaluate, simplify lightly, share. The rules keep ids few and undo what C's
 * promotions and byte-wise memory do to an expression; the solver's own simplifier
 * (lib/expr) does the rest. Comparisons are in simplify_cmp.c. */
#include "lib/runtime/rt.h"

struct duct_term duct_constant(uint32_t width, duct_wide v)
{
	return (struct duct_term){ v & duct_mask(width), 0, width };
}

struct duct_term duct_term(duct_node n)
{
	const struct channel_node *p = duct_at(n);
	struct duct_term t = { duct_value(n), n, p->width };

	if (p->op == OP_CONST
	    || (p->op == OP_CONCAT && p->width > 64 && duct_at(p->a)->op == OP_CONST
	        && duct_at(p->b)->op == OP_CONST))
		t.n = 0;
	return t;
}

duct_node duct_term_node(struct duct_term t)
{
	duct_node high, low;

	if (t.n)
		return t.n;
	if (t.w <= 64)
		return duct_node_get(OP_CONST, t.w, 0, 0, 0, t.v);
	high = duct_node_get(OP_CONST, t.w - 64, 0, 0, 0, t.v >> 64);
	low = duct_node_get(OP_CONST, 64, 0, 0, 0, (uint64_t)t.v);
	return duct_node_get(OP_CONCAT, t.w, high, low, 0, t.v);
}

static bool is(struct duct_term t, enum op op)
{
	return t.n && duct_at(t.n)->op == op;
}

static struct duct_term operand(struct duct_term t, int i)
{
	const struct channel_node *p = duct_at(t.n);

	return duct_term(i == 0 ? p->a : i == 1 ? p->b : p->c);
}

static struct duct_term make(
    enum op op, uint32_t w, struct duct_term a, struct duct_term b, duct_wide v)
{
	duct_node n = duct_node_get(op, w, duct_term_node(a), duct_term_node(b), 0, v);

	return (struct duct_term){ v, n, w };
}

struct duct_term duct_t_not(struct duct_term a)
{
	duct_wide v = ~a.v & duct_mask(a.w);

	if (!a.n)
		return duct_constant(a.w, v);
	if (is(a, OP_NOT))
		return operand(a, 0);
	return (struct duct_term){ v, duct_node_get(OP_NOT, a.w, a.n, 0, 0, v), a.w };
}

struct duct_term duct_t_neg(struct duct_term a)
{
	duct_wide v = -a.v & duct_mask(a.w);

	if (!a.n)
		return duct_constant(a.w, v);
	if (a.w == 1)
		return a;
	if (is(a, OP_NEG))
		return operand(a, 0);
	if (is(a, OP_SUB))
		return duct_t_binary(OP_SUB, operand(a, 1), operand(a, 0));
	return (struct duct_term){ v, duct_node_get(OP_NEG, a.w, a.n, 0, 0, v), a.w };
}

struct duct_term duct_t_extend(enum op op, uint32_t width, struct duct_term a)
{
	duct_wide v = op == OP_SEXT ? duct_sign_extend(a.v, a.w, width) : a.v;

	if (!a.n)
		return duct_constant(width, v);
	if (a.w >= width)
		return a;
	if (is(a, OP_ZEXT)) /* its sign bit is 0 */
		return duct_t_extend(OP_ZEXT, width, operand(a, 0));
	if (is(a, op))
		return duct_t_extend(op, width, operand(a, 0));
	return (struct duct_term){ v, duct_node_get(op, width, a.n, 0, 0, v), width };
}

/* Low bits of arithmetic on extended operands: (char)(c + 1) without the int between. */
static bool narrow(uint32_t width, uint32_t low, struct duct_term a, struct duct_term *out)
{
	enum op op = duct_at(a.n)->op;
	struct duct_term x, y;

	if (op == OP_ADD || op == OP_SUB || op == OP_MUL) {
		if (low)
			return false;
	} else if (op != OP_AND && op != OP_OR && op != OP_XOR) {
		return false;
	}
	x = operand(a, 0);
	y = operand(a, 1);
	for (int i = 0; i < 2; i++) {
		struct duct_term t = i ? y : x;

		if (t.n
		    && !((is(t, OP_ZEXT) || is(t, OP_SEXT))
		        && duct_at(duct_at(t.n)->a)->width <= width))
			return false;
	}
	*out = duct_t_binary(op, duct_t_extract(width, low, x), duct_t_extract(width, low, y));
	return true;
}

/* Extract through a shift by a constant: x >> 8 & 0xff. */
static bool extract_shift(uint32_t width, uint32_t low, struct duct_term a, struct duct_term *out)
{
	struct duct_term by;

	if (!is(a, OP_LSHR) && !is(a, OP_ASHR) && !is(a, OP_SHL))
		return false;
	by = operand(a, 1);
	if (by.n || by.v >= a.w)
		return false;
	if (is(a, OP_SHL)) {
		if (low < by.v)
			return false;
		*out = duct_t_extract(width, low - (uint32_t)by.v, operand(a, 0));
		return true;
	}
	if (low + by.v + width > a.w)
		return false;
	*out = duct_t_extract(width, low + (uint32_t)by.v, operand(a, 0));
	return true;
}

static bool extract_extend(uint32_t width, uint32_t low, struct duct_term a, struct duct_term *out)
{
	struct duct_term x;

	if (!is(a, OP_ZEXT) && !is(a, OP_SEXT))
		return false;
	x = operand(a, 0);
	if (low + width <= x.w)
		*out = duct_t_extract(width, low, x);
	else if (low >= x.w && is(a, OP_ZEXT))
		*out = duct_constant(width, 0);
	else if (low < x.w)
		*out = duct_t_extend(duct_at(a.n)->op, width, duct_t_extract(x.w - low, low, x));
	else
		return false;
	return true;
}

static bool extract_parts(uint32_t width, uint32_t low, struct duct_term a, struct duct_term *out)
{
	if (is(a, OP_EXTRACT)) {
		*out = duct_t_extract(width, low + duct_at(a.n)->c, operand(a, 0));
		return true;
	}
	if (is(a, OP_CONCAT)) {
		struct duct_term high = operand(a, 0), rest = operand(a, 1);

		if (low >= rest.w)
			*out = duct_t_extract(width, low - rest.w, high);
		else if (low + width <= rest.w)
			*out = duct_t_extract(width, low, rest);
		else
			*out = duct_t_concat(duct_t_extract(low + width - rest.w, 0, high),
			    duct_t_extract(rest.w - low, low, rest));
		return true;
	}
	if (is(a, OP_ITE) && !operand(a, 1).n && !operand(a, 2).n) {
		*out = duct_t_ite(operand(a, 0), duct_t_extract(width, low, operand(a, 1)),
		    duct_t_extract(width, low, operand(a, 2)));
		return true;
	}
	if (is(a, OP_NOT)) {
		*out = duct_t_not(duct_t_extract(width, low, operand(a, 0)));
		return true;
	}
	return false;
}

struct duct_term duct_t_extract(uint32_t width, uint32_t low, struct duct_term a)
{
	duct_wide v = a.v >> low & duct_mask(width);
	struct duct_term t;

	if (!a.n)
		return duct_constant(width, v);
	if (width == a.w)
		return a;
	if (extract_parts(width, low, a, &t) || extract_extend(width, low, a, &t)
	    || extract_shift(width, low, a, &t) || narrow(width, low, a, &t))
		return t;
	return (struct duct_term){ v, duct_node_get(OP_EXTRACT, width, a.n, 0, low, v), width };
}

/* Are these two extracts of one expression, low's bits just below high's? */
static bool adjacent(struct duct_term high, struct duct_term low)
{
	const struct channel_node *h, *l;

	if (!is(high, OP_EXTRACT) || !is(low, OP_EXTRACT))
		return false;
	h = duct_at(high.n);
	l = duct_at(low.n);
	return h->a == l->a && l->c + l->width == h->c;
}

struct duct_term duct_t_concat(struct duct_term high, struct duct_term low)
{
	uint32_t w = high.w + low.w;
	duct_wide v = high.v << low.w | low.v;

	if (!high.n && !low.n)
		return duct_constant(w, v);
	if (!high.n && !high.v)
		return duct_t_extend(OP_ZEXT, w, low);
	if (adjacent(high, low))
		return duct_t_extract(w, duct_at(low.n)->c, operand(high, 0));
	if (is(low, OP_CONCAT) && adjacent(high, operand(low, 0)))
		return duct_t_concat(duct_t_concat(high, operand(low, 0)), operand(low, 1));
	return make(OP_CONCAT, w, high, low, v);
}

static struct duct_term ite_bit(
    struct duct_term c, struct duct_term a, struct duct_term b, bool *done)
{
	*done = true;
	if (!a.n)
		return a.v ? duct_t_binary(OP_OR, c, b) : duct_t_binary(OP_AND, duct_t_not(c), b);
	if (!b.n)
		return b.v ? duct_t_binary(OP_OR, duct_t_not(c), a) : duct_t_binary(OP_AND, c, a);
	*done = false;
	return c;
}

struct duct_term duct_t_ite(struct duct_term c, struct duct_term a, struct duct_term b)
{
	duct_wide v = c.v ? a.v : b.v;
	duct_node n;
	bool done;

	if (!c.n)
		return c.v ? a : b;
	if (a.n == b.n && a.v == b.v)
		return a;
	if (is(c, OP_NOT))
		return duct_t_ite(operand(c, 0), b, a);
	if (a.w == 1) {
		struct duct_term t = ite_bit(c, a, b, &done);

		if (done)
			return t;
	} else if (!a.n && !b.n && a.v + b.v == 1) {
		return duct_t_extend(OP_ZEXT, a.w, a.v ? c : duct_t_not(c));
	}
	n = duct_node_get(OP_ITE, a.w, c.n, duct_term_node(a), duct_term_node(b), v);
	return (struct duct_term){ v, n, a.w };
}

/* All bits up to v's highest. */
static duct_wide bits_below(duct_wide v)
{
	for (int i = 1; i < 128; i *= 2)
		v |= v >> i;
	return v;
}

/* x op c for a constant c, true when *out is the answer. */
static bool with_constant(enum op op, struct duct_term a, struct duct_term b, struct duct_term *out)
{
	duct_wide m = duct_mask(a.w);

	*out = a;
	switch (op) {
	case OP_ADD:
		if (is(a, OP_ADD) && !operand(a, 1).n) {
			*out = duct_t_binary(
			    OP_ADD, operand(a, 0), duct_constant(a.w, operand(a, 1).v + b.v));
			return true;
		}
		return !b.v;
	case OP_SUB: *out = duct_t_binary(OP_ADD, a, duct_constant(a.w, -b.v)); return true;
	case OP_OR:
		if (b.v == m)
			*out = b;
		return !b.v || b.v == m;
	case OP_XOR:
		if (b.v == m)
			*out = duct_t_not(a);
		return !b.v || b.v == m;
	case OP_AND:
		if (!b.v)
			*out = b;
		return !b.v || !(bits_below(duct_most(a.n, 4)) & ~b.v);
	case OP_MUL:
		if (!b.v)
			*out = b;
		return b.v <= 1;
	case OP_SHL:
	case OP_LSHR:
		if (b.v >= a.w)
			*out = duct_constant(a.w, 0);
		return !b.v || b.v >= a.w;
	case OP_ASHR: return !b.v;
	case OP_UDIV:
	case OP_SDIV: return b.v == 1 && a.w > 1;
	case OP_UREM:
		if (b.v == 1)
			*out = duct_constant(a.w, 0);
		return b.v == 1;
	default: return false;
	}
}

static bool with_itself(enum op op, struct duct_term a, struct duct_term *out)
{
	*out = a;
	switch (op) {
	case OP_AND:
	case OP_OR: return true;
	case OP_SUB:
	case OP_XOR: *out = duct_constant(a.w, 0); return true;
	default: return false;
	}
}

/* A remainder as optimisers write it out when the quotient is at hand: x - x / c * c. */
static bool remains(enum op op, struct duct_term a, struct duct_term b, struct duct_term *out)
{
	struct duct_term q, c;

	if (op != OP_SUB || !is(b, OP_MUL))
		return false;
	q = operand(b, 0);
	c = operand(b, 1);
	if (c.n || !(is(q, OP_UDIV) || is(q, OP_SDIV)) || operand(q, 0).n != a.n || operand(q, 1).n
	    || operand(q, 1).v != c.v)
		return false;
	*out = duct_t_binary(is(q, OP_UDIV) ? OP_UREM : OP_SREM, a, c);
	return true;
}

/* Bitwise operations on two values extended alike are done before the extension. */
static bool bitwise(enum op op, struct duct_term a, struct duct_term b, struct duct_term *out)
{
	uint32_t from;

	if (op != OP_AND && op != OP_OR && op != OP_XOR)
		return false;
	if (a.w == 1
	    && ((is(a, OP_NOT) && duct_at(a.n)->a == b.n)
	        || (is(b, OP_NOT) && duct_at(b.n)->a == a.n))) {
		*out = duct_constant(1, op != OP_AND);
		return true;
	}
	if (!is(a, OP_ZEXT))
		return false;
	from = duct_at(duct_at(a.n)->a)->width;
	if (b.n ? !is(b, OP_ZEXT) || duct_at(duct_at(b.n)->a)->width != from : (b.v >> from) != 0)
		return false;
	*out = duct_t_extend(
	    OP_ZEXT, a.w, duct_t_binary(op, operand(a, 0), duct_t_extract(from, 0, b)));
	return true;
}

static bool commutes(enum op op)
{
	return op == OP_ADD || op == OP_MUL || op == OP_AND || op == OP_OR || op == OP_XOR
	    || op == OP_EQ;
}

struct duct_term duct_t_binary(enum op op, struct duct_term a, struct duct_term b)
{
	bool comparison = op >= OP_EQ && op <= OP_SLE, of_floats = op_is_float(op);
	uint32_t w = comparison || of_floats ? 1 : a.w;
	duct_wide v = duct_eval(op, a.w, a.v, b.v);
	struct duct_term t;

	if (!a.n && !b.n)
		return duct_constant(w, v);
	if (of_floats)
		return make(op, 1, a, b, v);
	if (op == OP_ULE || op == OP_SLE)
		return duct_t_not(duct_t_binary(op == OP_ULE ? OP_ULT : OP_SLT, b, a));
	if (commutes(op) && (!a.n || (b.n && b.n < a.n))) {
		t = a;
		a = b;
		b = t;
	}
	if (comparison) {
		if (duct_compare(op, a, b, &t))
			return t;
	} else if (a.n && a.n == b.n ? with_itself(op, a, &t)
	                             : !b.n && with_constant(op, a, b, &t)) {
		return t;
	} else if (a.n && b.n && remains(op, a, b, &t)) {
		return t;
	} else if (a.n && bitwise(op, a, b, &t)) {
		return t;
	}
	return make(op, w, a, b, v);
}

duct_wide duct_most(duct_node n, int depth)
{
	const struct channel_node *p = duct_at(n);
	duct_wide m = duct_mask(p->width), x, y;

	if (depth == 0)
		return m;
	switch (p->op) {
	case OP_CONST: return p->value;
	case OP_ZEXT: return duct_most(p->a, depth - 1);
	case OP_AND:
		x = duct_most(p->a, depth - 1);
		y = duct_most(p->b, depth - 1);
		return x < y ? x : y;
	case OP_ADD:
	case OP_MUL:
		x = duct_most(p->a, depth - 1);
		y = duct_most(p->b, depth - 1);
		if (x >> 60 || y >> 60)
			return m;
		x = p->op == OP_ADD ? x + y : x * y;
		return x > m ? m : x;
	case OP_LSHR:
		x = duct_most(p->a, depth - 1);
		return duct_at(p->b)->op == OP_CONST && duct_at(p->b)->value < p->width
		    ? x >> duct_at(p->b)->value
		    : x;
	case OP_SHL:
		x = duct_most(p->a, depth - 1);
		if (duct_at(p->b)->op != OP_CONST || duct_at(p->b)->value > 60 || x >> 60)
			return m;
		x <<= duct_at(p->b)->value;
		return x > m ? m : x;
	case OP_UREM:
		return duct_at(p->b)->op == OP_CONST && duct_at(p->b)->value
		    ? (duct_wide)duct_at(p->b)->value - 1
		    : m;
	case OP_ITE:
		x = duct_most(p->b, depth - 1);
		y = duct_most(p->c, depth - 1);
		return x > y ? x : y;
	default: return m;
	}
}
