/* slice: keeps only conditions that share inputs, directly or transitively, with the negated one.
 * The others remain true, since their inputs keep the parent's values. */
#include "lib/solve/layer.h"
#include "lib/base/grow.h"

#include <stdlib.h>

struct slice {
	struct ties ties;
	expr *cond;
	size_t cap;
	uint32_t *root;
	size_t root_cap;
};

static bool open_layer(struct layer *l, char **error)
{
	(void)error;
	l->state = zeroed(1, sizeof(struct slice));
	return true;
}

static bool flipped(const struct slice *s, size_t roots, uint32_t r)
{
	for (size_t i = 0; i < roots; i++)
		if (s->root[i] == r)
			return true;
	return false;
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	struct slice *s = l->state;
	struct expr_pool *p = l->chain->p;
	struct problem down = { .parent = q->parent };
	size_t roots = 0;
	if (q->flip >= q->n)
		return layer_own(l, ANSWER_SAT); /* the negated condition is trivially true */
	if (!ties_fill(&s->ties, l->chain, q)) {
		l->chain->why = "time limit";
		return ANSWER_UNKNOWN;
	}
	for (size_t i = q->flip; i < q->n; i++) {
		uint32_t r = ties_of(&s->ties, p, q->cond[i]);
		if (flipped(s, roots, r))
			continue;
		s->root = grow(s->root, &s->root_cap, roots + 1, sizeof *s->root);
		s->root[roots++] = r;
	}
	s->cond = grow(s->cond, &s->cap, q->n, sizeof *s->cond);
	for (size_t i = 0; i < q->n; i++) {
		if (i == q->flip)
			down.flip = down.n;
		if (i >= q->flip || flipped(s, roots, ties_of(&s->ties, p, q->cond[i])))
			s->cond[down.n++] = q->cond[i];
	}
	down.cond = s->cond;
	return layer_pass(l, &down);
}

static void close_layer(struct layer *l)
{
	struct slice *s = l->state;
	ties_clear(&s->ties);
	free(s->cond), free(s->root);
	free(s);
}

const struct layer_class layer_slice = { "slice", open_layer, ask, close_layer };
