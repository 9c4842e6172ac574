/* split: solves the parts of a conjunction that share no inputs separately; skips parts that the
 * parent's values satisfy. */
#include "lib/solve/layer.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

/* Conditions that share inputs: `n` of s->cond from `first` on, of which `flip` come before the
 * negated one. */
struct component {
	size_t first, n, flip;
	uint32_t root;
};

struct split {
	struct ties ties;
	expr *cond; /* of all components, one after the other */
	size_t cap;
	uint32_t *of_cond; /* component of each condition */
	size_t of_cond_cap;
	uint32_t
	    *of_root; /* by variable, and one more for none: 1 + component; zero between queries */
	size_t of_root_cap;
	struct component *component;
	size_t components, component_cap;
	struct binding *bound;
	size_t bounds, bound_cap; /* values of preceding parts */
};

static bool open_layer(struct layer *l, char **error)
{
	(void)error;
	l->state = zeroed(1, sizeof(struct split));
	return true;
}

/* The component of a condition with this root. */
static uint32_t group_at(struct split *s, uint32_t root, uint32_t vars)
{
	uint32_t *at = &s->of_root[root == UINT32_MAX ? vars : root];
	if (!*at) {
		s->component =
		    grow(s->component, &s->component_cap, s->components + 1, sizeof *s->component);
		s->component[s->components++] = (struct component){ .root = root };
		*at = (uint32_t)s->components;
	}
	return *at - 1;
}

/* Groups the conditions by shared inputs; a component keeps their order. False: the time limit of
 * the query was reached. */
static bool group_all(struct split *s, const struct chain *c, const struct problem *q)
{
	uint32_t vars = expr_var_count(c->p);
	size_t at = 0;
	s->components = 0;
	if (!ties_fill(&s->ties, c, q))
		return false;
	s->of_root = grow(s->of_root, &s->of_root_cap, vars + 1u, sizeof *s->of_root);
	s->of_cond = grow(s->of_cond, &s->of_cond_cap, q->n, sizeof *s->of_cond);
	s->cond = grow(s->cond, &s->cap, q->n, sizeof *s->cond);
	for (size_t i = 0; i < q->n; i++) {
		s->of_cond[i] = group_at(s, ties_of(&s->ties, c->p, q->cond[i]), vars);
		s->component[s->of_cond[i]].n++;
		s->component[s->of_cond[i]].flip += i < q->flip;
	}
	for (size_t i = 0; i < s->components; i++) {
		struct component *g = &s->component[i];
		s->of_root[g->root == UINT32_MAX ? vars : g->root] = 0;
		g->first = at;
		at += g->n;
		g->n = 0;
	}
	for (size_t i = 0; i < q->n; i++) {
		struct component *g = &s->component[s->of_cond[i]];
		s->cond[g->first + g->n++] = q->cond[i];
	}
	return true;
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

/* Solves the parts one by one. The components stay valid meanwhile: lower layers only change their
 * own state. */
static enum answer ask(struct layer *l, const struct problem *q)
{
	struct split *s = l->state;
	struct chain *c = l->chain;
	enum answer all = ANSWER_SAT;
	bool by_engine = false, asked = false;
	if (!group_all(s, c, q)) {
		c->why = "time limit";
		return ANSWER_UNKNOWN;
	}
	if (s->components == 1 && !holds(c->p, q))
		return layer_pass(l, q);
	s->bounds = 0;
	for (size_t i = 0; i < s->components && all != ANSWER_UNSAT; i++) {
		struct component g = s->component[i];
		struct problem one = {
			.cond = s->cond + g.first, .n = g.n, .flip = g.flip, .parent = q->parent
		};
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
	free(s->cond), free(s->of_cond), free(s->of_root), free(s->component), free(s->bound);
	free(s);
}

const struct layer_class layer_split = { "split", open_layer, ask, close_layer };
