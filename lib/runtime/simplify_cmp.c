/* Simplification of comparisons: EQ, ULT, SLT (the others are made of these). */
#include "lib/runtime/rt.h"

static bool is(struct duct_term t, enum op op)
{
	return t.n && duct_at(t.n)->op == op;
}

static struct duct_term operand(struct duct_term t, int i)
{
	const struct channel_node *p = duct_at(t.n);

	return duct_term(i == 0 ? p->a : i == 1 ? p->b : p->c);
}

static bool answer(struct duct_term *out, bool v)
{
	*out = duct_constant(1, v);
	return true;
}

/* a == c where a is an extension of something narrower. */
static bool equal_extended(struct duct_term a, struct duct_term c, struct duct_term *out)
{
	struct duct_term x = operand(a, 0);
	duct_wide low = c.v & duct_mask(x.w);
	duct_wide back = is(a, OP_SEXT) ? duct_sign_extend(low, x.w, a.w) : low;

	if (back != c.v)
		return answer(out, false);
	*out = duct_t_binary(OP_EQ, x, duct_constant(x.w, low));
	return true;
}

static bool is_not(struct duct_term a, struct duct_term b)
{
	return is(a, OP_NOT) && duct_at(a.n)->a == b.n;
}

/* The same of arms that are no constants, where one of them is decided or says what the condition
 * does: the result of comparing texts (text.c). */
static bool equal_arms(struct duct_term cond, struct duct_term x, struct duct_term y,
    struct duct_term c, struct duct_term *out)
{
	struct duct_term on = y.n ? duct_t_binary(OP_EQ, y, c) : duct_constant(1, y.v == c.v);

	if (on.n && on.n != cond.n && !is_not(on, cond))
		return false;
	if (on.n)
		on = duct_constant(1, on.n != cond.n); /* where the condition does not hold */
	*out =
	    duct_t_ite(cond, x.n ? duct_t_binary(OP_EQ, x, c) : duct_constant(1, x.v == c.v), on);
	return true;
}

/* a == c where a is an ITE with a constant first arm; its second may be one again. */
static bool equal_ite(struct duct_term a, struct duct_term c, struct duct_term *out)
{
	struct duct_term cond = operand(a, 0), x = operand(a, 1), y = operand(a, 2);

	if (!x.n && y.n && duct_at(y.n)->op == OP_ITE) {
		struct duct_term rest = duct_t_binary(OP_EQ, y, c);

		*out = x.v == c.v ? duct_t_binary(OP_OR, cond, rest)
		                  : duct_t_binary(OP_AND, duct_t_not(cond), rest);
		return true;
	}
	if (x.n || y.n)
		return equal_arms(cond, x, y, c, out);
	if (x.v != c.v && y.v != c.v) {
		duct_grow_compared(a, c);
		return answer(out, false);
	}
	*out = x.v == c.v ? cond : duct_t_not(cond);
	return true;
}

static bool equal_constant(struct duct_term a, struct duct_term c, struct duct_term *out)
{
	struct duct_term k;

	switch (duct_at(a.n)->op) {
	case OP_ZEXT:
	case OP_SEXT: return equal_extended(a, c, out);
	case OP_NOT:
		*out = duct_t_binary(OP_EQ, operand(a, 0), duct_constant(a.w, ~c.v));
		return true;
	case OP_NEG:
		*out = duct_t_binary(OP_EQ, operand(a, 0), duct_constant(a.w, -c.v));
		return true;
	case OP_ADD:
	case OP_XOR:
		k = operand(a, 1);
		if (k.n)
			return false;
		k.v = is(a, OP_ADD) ? c.v - k.v : c.v ^ k.v;
		*out = duct_t_binary(OP_EQ, operand(a, 0), duct_constant(a.w, k.v));
		return true;
	case OP_SUB:
		if (c.v)
			return false;
		*out = duct_t_binary(OP_EQ, operand(a, 0), operand(a, 1));
		return true;
	case OP_ITE: return equal_ite(a, c, out);
	default: return false;
	}
}

static bool equal(struct duct_term a, struct duct_term b, struct duct_term *out)
{
	if (b.n) /* a constant is always b */
		return false;
	if (a.w == 1) {
		*out = b.v ? a : duct_t_not(a);
		return true;
	}
	return equal_constant(a, b, out);
}

/* x < c or c < x (`left`: the constant is on the left) where x = ext(y), as a comparison of
 * y: clamps the constant to what y can be. */
static bool less_extended(
    enum op op, struct duct_term x, duct_wide c, bool left, struct duct_term *out)
{
	struct duct_term y = operand(x, 0), k;
	bool sign = is(x, OP_SEXT);
	/* smallest and largest value of x, as bit patterns of x's width */
	duct_wide low = sign ? duct_sign_extend((duct_wide)1 << (y.w - 1), y.w, x.w) : 0;
	duct_wide high = sign ? duct_mask(y.w) >> 1 : duct_mask(y.w);
	bool below, above;

	if (sign && op == OP_ULT)
		return false;
	/* x's bounds compare alike signed and unsigned when it was zero-extended */
	below = duct_eval(op, x.w, c, low);
	above = duct_eval(op, x.w, high, c);
	if (below) /* c is under all of x */
		return answer(out, left);
	if (above)
		return answer(out, !left);
	k = duct_constant(y.w, c);
	*out = left ? duct_t_binary(sign ? OP_SLT : OP_ULT, k, y)
	            : duct_t_binary(sign ? OP_SLT : OP_ULT, y, k);
	return true;
}

static bool less_constant(
    enum op op, struct duct_term x, duct_wide c, bool left, struct duct_term *out)
{
	duct_wide most;

	if (is(x, OP_ZEXT) || is(x, OP_SEXT))
		return less_extended(op, x, c, left, out);
	if (op != OP_ULT)
		return false;
	if (left && c == duct_mask(x.w))
		return answer(out, false);
	if (!left && !c)
		return answer(out, false);
	if (!left && c == 1) {
		*out = duct_t_binary(OP_EQ, x, duct_constant(x.w, 0));
		return true;
	}
	most = duct_most(x.n, 6);
	if (left && c >= most)
		return answer(out, false);
	if (!left && c > most)
		return answer(out, true);
	return false;
}

/* Both sides extended alike: compare before the extension. */
static bool both_extended(enum op op, struct duct_term a, struct duct_term b, struct duct_term *out)
{
	bool zero = is(a, OP_ZEXT) && is(b, OP_ZEXT);
	struct duct_term x, y;

	if (!zero && !(is(a, OP_SEXT) && is(b, OP_SEXT)))
		return false;
	x = operand(a, 0);
	y = operand(b, 0);
	if (x.w != y.w)
		return false;
	if (zero && op == OP_SLT)
		op = OP_ULT;
	*out = duct_t_binary(op, x, y);
	return true;
}

bool duct_compare(enum op op, struct duct_term a, struct duct_term b, struct duct_term *out)
{
	if (a.n && a.n == b.n)
		return answer(out, op == OP_EQ);
	if (a.n && b.n && both_extended(op, a, b, out))
		return true;
	if (op == OP_EQ)
		return equal(a, b, out);
	if (!b.n)
		return less_constant(op, a, b.v, false, out);
	if (!a.n)
		return less_constant(op, b, a.v, true, out);
	return false;
}
