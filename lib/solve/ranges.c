#include "lib/solve/ranges.h"

static uint64_t top(unsigned w)
{
	return w >= 64 ? ~0ull : (1ull << w) - 1;
}

/* Matches e = input or e = input + constant. */
static bool shifted(const struct expr_pool *p, expr e, struct range *r, uint64_t *plus)
{
	struct value k = { 0, 0 };
	if (expr_op(p, e) == OP_ADD) {
		if (!expr_is_const(p, expr_operand(p, e, 1), &k))
			return false;
		e = expr_operand(p, e, 0);
	}
	r->var = expr_input_var(p, e);
	r->width = expr_width(p, e);
	*plus = k.lo;
	return r->var != UINT32_MAX && r->width <= 64;
}

/* The range [lo, hi] of a for a op k (left: k op a). False: no comparison, or it never holds. */
static bool bounds(enum op op, unsigned w, uint64_t k, bool left, struct range *r)
{
	uint64_t sign = 1ull << (w - 1), m = top(w);
	switch (op) {
	case OP_EQ: r->lo = r->hi = k; return true;
	case OP_ULT:
		r->lo = left ? k + 1 : 0, r->hi = left ? m : k - 1;
		return left ? k != m : k != 0;
	case OP_SLT:
		r->lo = left ? (k + 1) & m : sign, r->hi = left ? sign - 1 : (k - 1) & m;
		return left ? k != sign - 1 : k != sign;
	default: return false;
	}
}

bool range_of(const struct expr_pool *p, expr cond, struct range *r)
{
	struct value k;
	uint64_t plus = 0;
	bool no = expr_op(p, cond) == OP_NOT;
	expr e = no ? expr_operand(p, cond, 0) : cond;
	if (expr_op(p, e) == OP_INPUT) {
		*r = (struct range){ expr_input_var(p, e), 1, !no, !no };
		return true;
	}
	if (op_arity(expr_op(p, e)) != 2 || (no && expr_op(p, e) != OP_EQ))
		return false;
	expr a = expr_operand(p, e, 0), b = expr_operand(p, e, 1);
	bool left = expr_is_const(p, a, &k);
	if (!left && !expr_is_const(p, b, &k))
		return false;
	if (!shifted(p, left ? b : a, r, &plus) || !bounds(expr_op(p, e), r->width, k.lo, left, r))
		return false;
	uint64_t m = top(r->width);
	r->lo = (r->lo - plus) & m, r->hi = (r->hi - plus) & m;
	if (no) { /* all values but lo */
		uint64_t v = r->lo;
		r->lo = (v + 1) & m, r->hi = (v - 1) & m;
	}
	return true;
}

void ranges_all(struct ranges *s, unsigned width)
{
	s->max = top(width);
	s->n = 1;
	s->r[0].lo = 0, s->r[0].hi = s->max;
}

/* Intersects with [lo, hi], lo <= hi. */
static void keep(struct ranges *s, uint64_t lo, uint64_t hi)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < s->n; i++) {
		uint64_t a = s->r[i].lo > lo ? s->r[i].lo : lo,
		         b = s->r[i].hi < hi ? s->r[i].hi : hi;
		if (a <= b)
			s->r[n].lo = a, s->r[n++].hi = b;
	}
	s->n = n;
}

/* Removes lo .. hi, lo <= hi. */
static bool drop(struct ranges *s, uint64_t lo, uint64_t hi)
{
	struct ranges out = { .max = s->max };
	for (uint32_t i = 0; i < s->n; i++) {
		uint64_t a = s->r[i].lo, b = s->r[i].hi;
		if (out.n + 2 > RANGES_MOST)
			return false;
		if (hi < a || lo > b) {
			out.r[out.n++] = s->r[i];
			continue;
		}
		if (a < lo)
			out.r[out.n].lo = a, out.r[out.n++].hi = lo - 1;
		if (b > hi)
			out.r[out.n].lo = hi + 1, out.r[out.n++].hi = b;
	}
	*s = out;
	return true;
}

bool ranges_keep(struct ranges *s, uint64_t lo, uint64_t hi)
{
	if (lo > hi)
		return hi + 1 > lo - 1 || drop(s, hi + 1, lo - 1);
	keep(s, lo, hi);
	return true;
}

bool ranges_next(const struct ranges *s, uint64_t v, uint64_t *out)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (s->r[i].hi >= v) {
			*out = s->r[i].lo > v ? s->r[i].lo : v;
			return true;
		}
	return false;
}

uint64_t ranges_count(const struct ranges *s)
{
	uint64_t n = 0;
	for (uint32_t i = 0; i < s->n; i++) {
		uint64_t k = s->r[i].hi - s->r[i].lo;
		if (k == UINT64_MAX || n + k + 1 < n)
			return UINT64_MAX;
		n += k + 1;
	}
	return n;
}

void ranges_hull(const struct ranges *s, uint64_t *base, uint64_t *count)
{
	if (!s->n) {
		*base = *count = 0;
		return;
	}
	/* exclude the longest gap, possibly the one that wraps around */
	uint32_t after = 0, last = s->n - 1;
	uint64_t gap = s->max - s->r[last].hi + s->r[0].lo;
	for (uint32_t i = 1; i < s->n; i++)
		if (s->r[i].lo - s->r[i - 1].hi - 1 > gap) {
			gap = s->r[i].lo - s->r[i - 1].hi - 1;
			after = i;
		}
	*base = s->r[after].lo;
	*count = s->max - gap + 1;
}
