/* bounds: finds comparisons of an input of up to 64 bits with a constant. Only non-negative ranges
 * are used: their upper bits are 0. */
#include "lib/engine/bounds.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

/* A bound: input <= v (upper), or input >= v. */
struct stated_bound {
	uint32_t var;
	uint64_t v;
	bool upper, is_signed;
};

static bool said_of(const struct expr_pool *p, expr e, struct stated_bound *s)
{
	enum op op = expr_op(p, e);
	expr a = expr_operand(p, e, 0), b = expr_operand(p, e, 1);
	bool strict = op == OP_ULT || op == OP_SLT;
	struct value v;
	if (op < OP_EQ || op > OP_SLE || expr_width(p, a) > 64)
		return false;
	bool upper = expr_input_var(p, a) != UINT32_MAX && expr_is_const(p, b, &v);
	if (!upper && (expr_input_var(p, b) == UINT32_MAX || !expr_is_const(p, a, &v)))
		return false;
	if (strict) /* no overflow: otherwise the condition would have folded to a constant */
		v.lo = (upper ? v.lo - 1 : v.lo + 1) & (UINT64_MAX >> (64 - expr_width(p, a)));
	*s = (struct stated_bound){ expr_input_var(p, upper ? a : b), v.lo, upper || op == OP_EQ,
		op == OP_SLT || op == OP_SLE };
	return true;
}

static struct bound *bound_of(struct bounds *b, uint32_t var)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->list[i].var == var)
			return &b->list[i];
	struct bound *fresh = PUSH(b->list, b->n);
	*fresh = (struct bound){ var, 0, UINT64_MAX };
	return fresh;
}

static void lower(struct bound *b, uint64_t most)
{
	b->most = most < b->most ? most : b->most;
}

/* Applies a bound. input >= v >= 0 (signed) implies input < half the range. A signed upper bound
 * counts only for an input known to be non-negative (second pass, `later`). */
static void take(
    struct bounds *b, const struct expr_pool *p, const struct stated_bound *s, bool later)
{
	uint64_t half = 1ull << (expr_var_width(p, s->var) - 1);
	struct bound *r = bound_of(b, s->var);
	if (!s->is_signed && s->upper)
		lower(r, s->v);
	else if (s->is_signed && !s->upper && s->v < half)
		lower(r, half - 1);
	else if (later && s->is_signed && s->upper && r->most < half)
		lower(r, s->v);
}

static int by_var(const void *x, const void *y)
{
	const struct bound *a = x, *b = y;
	return a->var < b->var ? -1 : a->var > b->var;
}

void bounds_find(struct bounds *b, const struct expr_pool *p, const expr *cond, size_t n)
{
	struct stated_bound s;
	size_t kept = 0;
	b->n = 0;
	for (int later = 0; later < 2; later++)
		for (size_t i = 0; i < n; i++)
			if (said_of(p, cond[i], &s))
				take(b, p, &s, later);
	for (size_t i = 0; i < b->n; i++) {
		struct bound *r = &b->list[i];
		r->bits = r->most ? 64 - (uint32_t)__builtin_clzll(r->most) : 1;
		if (r->bits < expr_var_width(p, r->var))
			b->list[kept++] = *r;
	}
	b->n = kept;
	if (kept)
		qsort(b->list, kept, sizeof *b->list, by_var);
}

void bounds_clear(struct bounds *b)
{
	free(b->list);
	memset(b, 0, sizeof *b);
}
