/* texts: first looks for an answer in which texts are short. A number in a text of 16 characters
 * costs an engine far more than one of 5, and a dozen of them more than it has time for. Characters
 * from SHORT on that are 0 in the parent's texts stay 0. Finds models only; where it finds none,
 * the whole problem is passed on. */
#include "lib/solve/layer.h"

#include <stdlib.h>
#include <string.h>

#define SHORT 5    /* characters of a short text */
#define LEAST 16   /* characters beyond SHORT in a problem; with fewer, it is easy anyway */
#define SHARE 0.25 /* share of the remaining time */

struct short_texts {
	struct rewrite rw;
	const struct assignment *parent;
	bool *kept; /* by variable: stays 0 */
	size_t cap;
	uint32_t *list; /* these variables */
	size_t n, list_cap;
	expr *cond;
	size_t cond_cap;
};

/* Replaces characters that stay 0. */
static expr leaf(struct rewrite *rw, expr e, void *ctx)
{
	const struct short_texts *s = ctx;
	uint32_t var = expr_input_var(rw->p, e);

	return var < s->cap && s->kept[var] ? expr_const(rw->p, 8, (struct value){ 0, 0 }) : e;
}

static bool open_layer(struct layer *l, char **error)
{
	struct short_texts *s = layer_state(l, sizeof *s);

	(void)error;
	s->rw = (struct rewrite){ .p = l->chain->p, .leaf = leaf, .ctx = s };
	return true;
}

/* Is the variable a byte whose name ends in [k], k being SHORT or more? */
static bool is_far(const struct expr_pool *p, uint32_t var)
{
	const char *index =
	    expr_var_width(p, var) == 8 ? strrchr(expr_var_name(p, var), '[') : NULL;

	return index && strtoul(index + 1, NULL, 10) >= SHORT;
}

static void keep(struct short_texts *s, uint32_t var)
{
	s->kept = grow(s->kept, &s->cap, (size_t)var + 1, sizeof *s->kept);
	if (s->kept[var] || assignment_get(s->parent, var).lo)
		return;
	s->kept[var] = true;
	s->list = grow(s->list, &s->list_cap, s->n + 1, sizeof *s->list);
	s->list[s->n++] = var;
}

static void choose(struct short_texts *s, struct expr_pool *p, const struct problem *q)
{
	s->n = 0;
	s->parent = q->parent;
	for (size_t i = 0; i < q->n; i++) {
		size_t n;
		const uint32_t *var = expr_vars(p, q->cond[i], &n);

		for (size_t k = 0; k < n; k++)
			if (is_far(p, var[k]))
				keep(s, var[k]);
	}
}

/* Shortens the texts of a problem; false: a condition cannot hold with short texts. */
static bool shorten(struct short_texts *s, const struct problem *q, struct problem *down)
{
	struct expr_pool *p = s->rw.p;

	s->cond = grow(s->cond, &s->cond_cap, q->n, sizeof *s->cond);
	rewrite_start(&s->rw);
	for (size_t i = 0; i < q->n; i++) {
		expr e = rewrite(&s->rw, q->cond[i]);

		if (e == expr_bool(p, false))
			return false;
		if (i == q->flip)
			down->flip = down->n;
		if (e != expr_bool(p, true))
			s->cond[down->n++] = e;
	}
	down->cond = s->cond;
	return down->n > 0;
}

static enum answer ask_short(struct layer *l, const struct problem *q)
{
	struct short_texts *s = l->state;
	struct chain *c = l->chain;
	struct problem down = { .parent = q->parent };

	if (!shorten(s, q, &down) || layer_pass_within(l, &down, SHARE) != ANSWER_SAT)
		return ANSWER_UNKNOWN;
	for (size_t i = 0; i < s->n; i++)
		layer_bind(c, s->list[i], (struct value){ 0, 0 });
	return ANSWER_SAT;
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	struct short_texts *s = l->state;
	enum answer a = ANSWER_UNKNOWN;

	if (!q->parent || l->chain->no_engine)
		return layer_pass(l, q);
	choose(s, l->chain->p, q);
	if (s->n >= LEAST)
		a = ask_short(l, q);
	for (size_t i = 0; i < s->n; i++)
		s->kept[s->list[i]] = false;
	if (a == ANSWER_SAT)
		return a;
	layer_unbind_all(l->chain);
	return layer_pass(l, q);
}

static void close_layer(struct layer *l)
{
	struct short_texts *s = l->state;

	rewrite_clear(&s->rw);
	free(s->kept), free(s->list), free(s->cond);
	free(s);
}

const struct layer_class layer_texts = { "texts", open_layer, ask, close_layer };
