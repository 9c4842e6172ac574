/* repair: the values of the parent run, which satisfy all but the negated condition, with another
 * value of one of its inputs: all values of it are tried at once. */
#include "lib/base/grow.h"
#include "lib/expr/batch.h"
#include "lib/solve/domains.h"
#include "lib/solve/layer.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SIDES 64
#define MOST_TRIED 24    /* inputs */
#define MOST_WORK 100000 /* nodes times values */

struct repair {
	struct batch *batch;
	struct domain left[MOST_TRIED]; /* by input of the negated condition */
	uint64_t work;
};

static bool open_layer(struct layer *l, char **error)
{
	struct repair *s = layer_state(l, sizeof *s);

	(void)error;
	s->batch = batch_new(l->chain->p);
	return true;
}

static bool depends(struct expr_pool *p, expr cond, uint32_t on)
{
	size_t n, low = 0;
	const uint32_t *var = expr_vars(p, cond, &n);

	while (low < n) {
		size_t mid = (low + n) / 2;
		if (var[mid] == on)
			return true;
		if (var[mid] < on)
			low = mid + 1;
		else
			n = mid;
	}
	return false;
}

/* Keeps the values of an input with which a condition holds when all others keep the parent's.
 * False: none, or it is not known. */
static bool keep(
    struct layer *l, const struct problem *q, expr cond, uint32_t on, struct domain *left)
{
	struct repair *s = l->state;
	struct expr_pool *p = l->chain->p;
	struct batch_side side[MOST_SIDES];
	struct domain holds = { { 0 } };
	size_t n;
	const uint32_t *var = expr_vars(p, cond, &n);

	if (domains_input(p, cond) == on)
		return domains_of(l->chain->domains, cond, &holds) && domain_keep(left, &holds);
	uint32_t cost = batch_cost(s->batch, cond);
	s->work += (uint64_t)cost * DOMAIN_VALUES;
	if (n > MOST_SIDES || cost == UINT32_MAX || s->work > MOST_WORK)
		return false;
	for (size_t i = 0; i < n; i++)
		side[i] = (struct batch_side){ var[i],
			var[i] == on ? 0 : assignment_get(q->parent, var[i]).lo,
			var[i] == on ? 1u << expr_var_width(p, on) : 1 };
	return batch_run(s->batch, cond, side, n, holds.bit) && domain_keep(left, &holds);
}

/* The values with which the negated condition holds. */
static bool holds_with(struct layer *l, const struct problem *q, uint32_t var, struct domain *left)
{
	domain_all(left, expr_var_width(l->chain->p, var));
	for (size_t i = q->n; i-- > q->flip;)
		if (!keep(l, q, q->cond[i], var, left))
			return false;
	return true;
}

static bool all_hold_with(
    struct layer *l, const struct problem *q, uint32_t var, struct domain *left)
{
	for (size_t i = q->flip; i-- > 0;)
		if (depends(l->chain->p, q->cond[i], var) && !keep(l, q, q->cond[i], var, left))
			return false;
	return true;
}

/* The least value that is left. */
static enum answer take(struct layer *l, uint32_t var, const struct domain *left)
{
	unsigned v = 0;

	while (!domain_has(left, v))
		v++;
	layer_bind(l->chain, var, (struct value){ v, 0 });
	return layer_own(l, ANSWER_SAT);
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	struct repair *s = l->state;
	struct expr_pool *p = l->chain->p;
	size_t n, tried;
	const uint32_t *var = q->n ? expr_vars(p, q->cond[q->n - 1], &n) : NULL;
	bool may[MOST_TRIED];

	if (!var || q->flip >= q->n || n < 2 || l->chain->wish)
		return layer_pass(l, q);
	s->work = 0;
	tried = n < MOST_TRIED ? n : MOST_TRIED;
	for (size_t i = 0; i < tried; i++)
		may[i] = expr_var_width(p, var[i]) <= DOMAIN_BITS
		    && holds_with(l, q, var[i], &s->left[i]);
	for (size_t i = 0; i < tried; i++)
		if (may[i] && all_hold_with(l, q, var[i], &s->left[i]))
			return take(l, var[i], &s->left[i]);
	return layer_pass(l, q);
}

static void close_layer(struct layer *l)
{
	struct repair *s = l->state;

	batch_free(s->batch);
	free(s);
}

const struct layer_class layer_repair = { "repair", open_layer, ask, close_layer };
