/* split: solves the parts of a conjunction that share no inputs separately; skips parts that the
 * parent's values satisfy. */
#include "lib/solve/layer.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

struct split {
	struct ties ties;
	expr *cond;
	size_t cap;
	uint32_t *root;
	size_t root_cap;
	struct binding *bound;
	size_t bounds, bound_cap; /* values of preceding parts */
};

static bool open_layer(struct layer *l, char **error)
{
	(void)error;
	l->state = calloc(1, sizeof(struct split));
	if (!l->state)
		no_memory();
	return true;
}

/* Collects the distinct roots of all conditions in s->root. */
static size_t roots_of(struct split *s, struct expr_pool *p, const struct problem *q)
{
	size_t n = 0;
	ties_start(&s->ties, p);
	for (size_t i = 0; i < q->n; i++)
		ties_add(&s->ties, p, q->cond[i]);
	for (size_t i = 0; i < q->n; i++) {
		uint32_t r = ties_of(&s->ties, p, q->cond[i]);
		size_t j = 0;
		while (j < n && s->root[j] != r)
			j++;
		s->root = grow(s->root, &s->root_cap, n + 1, sizeof *s->root);
		if (j == n)
			s->root[n++] = r;
	}
	return n;
}

static struct problem part(
    struct split *s, struct expr_pool *p, const struct problem *q, uint32_t root, expr *out)
{
	struct problem part = { .cond = out, .parent = q->parent };
	for (size_t i = 0; i < q->n; i++) {
		if (i == q->flip)
			part.flip = part.n;
		if (ties_of(&s->ties, p, q->cond[i]) == root)
			out[part.n++] = q->cond[i];
	}
	if (q->flip >= q->n)
		part.flip = part.n;
	return part;
}

static void keep(struct split *s, const struct chain *c)
{
	s->bound = grow(s->bound, &s->bound_cap, s->bounds + c->bounds, sizeof *s->bound);
	if (c->bounds)
		memcpy(s->bound + s->bounds, c->bound, c->bounds * sizeof *s->bound);
	s->bounds += c->bounds;
}

/* Do the parent's values satisfy q? Tests the negated condition first, the most likely to fail. */
static bool holds(struct expr_pool *p, const struct problem *q)
{
	return expr_first_false(p, q->cond + q->flip, q->n - q->flip, q->parent) == q->n - q->flip
	    && expr_first_false(p, q->cond, q->flip, q->parent) == q->flip;
}

/* Solves the parts one by one. s->root and s->ties stay valid meanwhile: lower layers only change
 * their own state. */
static enum answer ask(struct layer *l, const struct problem *q)
{
	struct split *s = l->state;
	struct chain *c = l->chain;
	size_t n = roots_of(s, c->p, q);
	enum answer all = ANSWER_SAT;
	bool by_engine = false, asked = false;
	if (n == 1 && !holds(c->p, q))
		return layer_pass(l, q);
	s->bounds = 0;
	s->cond = grow(s->cond, &s->cap, q->n, sizeof *s->cond);
	for (size_t i = 0; i < n && all != ANSWER_UNSAT; i++) {
		struct problem one = part(s, c->p, q, s->root[i], s->cond);
		if (holds(c->p, &one))
			continue;
		layer_unbind_all(c);
		enum answer a = layer_pass(l, &one);
		asked = true;
		by_engine |= c->by_engine;
		keep(s, c);
		if (a != ANSWER_SAT)
			all = a;
	}
	layer_unbind_all(c);
	for (size_t i = 0; i < s->bounds; i++)
		layer_bind(c, s->bound[i].var, s->bound[i].v);
	if (!asked)
		return layer_own(l, all);
	c->by_engine = by_engine;
	return all;
}

static void close_layer(struct layer *l)
{
	struct split *s = l->state;
	ties_clear(&s->ties);
	free(s->cond), free(s->root), free(s->bound);
	free(s);
}

const struct layer_class layer_split = { "split", open_layer, ask, close_layer };
