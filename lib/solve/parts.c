/* parts: shared helpers: splitting conjunctions, grouping variables. */
#include "lib/solve/layer.h"
#include "lib/base/clock.h"
#include "lib/base/grow.h"
#include "lib/base/stop.h"

#include <stdlib.h>
#include <string.h>

enum { LOOK = 16 }; /* conditions between two checks of the deadline */

void parts_start(struct parts *s, struct expr_pool *p)
{
	s->p = p;
	s->n = 0;
	s->contradiction = false;
	s->doubt = true;
	if (++s->now == 0) {
		memset(s->mark, 0, s->mark_cap * sizeof *s->mark);
		s->now = 1;
	}
}

bool parts_has(const struct parts *s, expr e)
{
	return e < s->mark_cap && s->mark[e] == s->now;
}

static void add_one(struct parts *s, expr e)
{
	struct value v;
	if (expr_is_const(s->p, e, &v)) {
		s->contradiction |= !v.lo;
		return;
	}
	if (parts_has(s, e))
		return;
	if (s->doubt)
		s->contradiction |= parts_has(s, expr_not(s->p, e));
	s->mark = grow(s->mark, &s->mark_cap, (size_t)e + 1, sizeof *s->mark);
	s->mark[e] = s->now;
	s->cond = grow(s->cond, &s->cap, s->n + 1, sizeof *s->cond);
	s->cond[s->n++] = e;
}

/* Is e a conjunction or a negated disjunction? *a, *b: its two conjuncts. */
static bool halves(struct expr_pool *p, expr e, expr *a, expr *b)
{
	expr in = expr_op(p, e) == OP_NOT ? expr_operand(p, e, 0) : 0;
	if (expr_op(p, e) == OP_AND) {
		*a = expr_operand(p, e, 0), *b = expr_operand(p, e, 1);
		return true;
	}
	if (!in || expr_op(p, in) != OP_OR)
		return false;
	*a = expr_not(p, expr_operand(p, in, 0));
	*b = expr_not(p, expr_operand(p, in, 1));
	return true;
}

void parts_add(struct parts *s, expr cond)
{
	expr a, b, local[64], *stack = local;
	size_t n = 0, cap = 64;
	stack[n++] = cond;
	while (n) {
		expr e = stack[--n];
		if (!halves(s->p, e, &a, &b)) {
			add_one(s, e);
			continue;
		}
		if (n + 2 > cap) {
			expr *more = reserved(2 * cap, sizeof *more);
			memcpy(more, stack, n * sizeof *more);
			if (stack != local)
				free(stack);
			stack = more, cap *= 2;
		}
		stack[n++] = b;
		stack[n++] = a;
	}
	if (stack != local)
		free(stack);
}

void parts_clear(struct parts *s)
{
	free(s->cond), free(s->mark);
	memset(s, 0, sizeof *s);
}

void parts_replace(struct parts *s, struct expr_pool *p, struct problem *q,
    expr (*change)(void *data, expr cond), void *data, expr **cond, size_t *cap)
{
	size_t flip = 0;
	parts_start(s, p);
	for (size_t i = 0; i < q->n; i++) {
		expr e = change(data, q->cond[i]);
		if (i == q->flip)
			flip = s->n;
		parts_add(s, e);
	}
	if (q->flip >= q->n)
		flip = s->n;
	*cond = grow(*cond, cap, s->n, sizeof **cond);
	if (s->n)
		memcpy(*cond, s->cond, s->n * sizeof **cond);
	*q = (struct problem){ *cond, s->n, flip, q->parent };
}

/* ---- ties */

void ties_start(struct ties *t, struct expr_pool *p)
{
	t->up = grow(t->up, &t->up_cap, expr_var_count(p) + 1, sizeof *t->up);
	t->gen = grow(t->gen, &t->gen_cap, expr_var_count(p) + 1, sizeof *t->gen);
	if (++t->now == 0) {
		memset(t->gen, 0, t->gen_cap * sizeof *t->gen);
		t->now = 1;
	}
}

static uint32_t root(struct ties *t, uint32_t v)
{
	if (t->gen[v] != t->now) {
		t->gen[v] = t->now;
		t->up[v] = v;
	}
	while (t->up[v] != v) {
		t->up[v] = t->up[t->up[v]];
		v = t->up[v];
	}
	return v;
}

void ties_add(struct ties *t, struct expr_pool *p, expr cond)
{
	size_t n;
	const uint32_t *v = expr_vars(p, cond, &n);
	for (size_t i = 1; i < n; i++) {
		uint32_t a = root(t, v[0]), b = root(t, v[i]);
		t->up[a > b ? a : b] = a > b ? b : a;
	}
}

bool ties_fill(struct ties *t, const struct chain *c, const struct problem *q)
{
	ties_start(t, c->p);
	for (size_t i = 0; i < q->n; i++) {
		if (i % LOOK == LOOK - 1 && (stop_asked() || clock_now() > c->deadline))
			return false;
		ties_add(t, c->p, q->cond[i]);
	}
	return true;
}

uint32_t ties_of(struct ties *t, struct expr_pool *p, expr cond)
{
	size_t n;
	const uint32_t *v = expr_vars(p, cond, &n);
	return n ? root(t, v[0]) : UINT32_MAX;
}

void ties_clear(struct ties *t)
{
	free(t->up), free(t->gen);
	memset(t, 0, sizeof *t);
}

void inputs_start(struct inputs *s)
{
	if (++s->now == 0) {
		memset(s->mark, 0, s->cap * sizeof *s->mark);
		s->now = 1;
	}
}

void inputs_add(struct inputs *s, struct expr_pool *p, expr e)
{
	size_t n;
	const uint32_t *var = expr_vars(p, e, &n);

	if (n) /* they ascend */
		s->mark = grow(s->mark, &s->cap, (size_t)var[n - 1] + 1, sizeof *s->mark);
	for (size_t i = 0; i < n; i++)
		s->mark[var[i]] = s->now;
}

bool inputs_has(const struct inputs *s, uint32_t var)
{
	return var < s->cap && s->mark[var] == s->now;
}

bool inputs_meet(const struct inputs *s, struct expr_pool *p, expr e)
{
	size_t n;
	const uint32_t *var = expr_vars(p, e, &n);

	for (size_t i = 0; i < n; i++)
		if (inputs_has(s, var[i]))
			return true;
	return false;
}

void inputs_clear(struct inputs *s)
{
	free(s->mark);
	*s = (struct inputs){ 0 };
}
