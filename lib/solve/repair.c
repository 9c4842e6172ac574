/* repair: the values of the parent run, which satisfy all but the negated condition, with another
 * value of one of its inputs: all values of it are tried at once. */
#include "lib/base/grow.h"
#include "lib/expr/batch.h"
#include "lib/solve/domains.h"
#include "lib/solve/join.h"
#include "lib/solve/layer.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SIDES 64
#define MOST_TRIED 24   /* inputs */
#define MOST_WORK 60000 /* nodes times values */
#define MOST_JOIN 20000 /* the same of each solution with several inputs */
#define MOST_FEW 2
#define MOST_FREE 12 /* inputs */

struct repair {
	struct batch *batch;
	struct domain left[MOST_TRIED]; /* by input of the negated condition */
	uint64_t work;
	struct join *join;
	struct inputs free; /* these may change */
	expr *near;         /* conditions that change their inputs with them */
	size_t near_cap;
};

static bool open_layer(struct layer *l, char **error)
{
	struct repair *s = layer_state(l, sizeof *s);

	(void)error;
	s->batch = batch_new(l->chain->p);
	s->join = join_new(l->chain->p, l->chain->domains);
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

/* Another value of one input of the negated condition. */
static enum answer change_one(
    struct layer *l, const struct problem *q, const uint32_t *var, size_t n)
{
	struct repair *s = l->state;
	bool may[MOST_TRIED];

	for (size_t i = 0; i < n; i++)
		may[i] = expr_var_width(l->chain->p, var[i]) <= DOMAIN_BITS
		    && holds_with(l, q, var[i], &s->left[i]);
	for (size_t i = 0; i < n; i++)
		if (may[i] && all_hold_with(l, q, var[i], &s->left[i]))
			return take(l, var[i], &s->left[i]);
	return ANSWER_UNKNOWN;
}

/* Other values of some inputs; NULL: of any, and UNSAT if there are none. */
static enum answer change_some(struct layer *l, const struct problem *q, const struct inputs *some)
{
	struct repair *s = l->state;
	uint32_t var;
	uint64_t value;
	enum answer a = join_ask(s->join, l->chain, q, some, MOST_JOIN);

	if (a == ANSWER_UNSAT && !some)
		return layer_own(l, a);
	if (a != ANSWER_SAT || !join_is_exact(s->join))
		return ANSWER_UNKNOWN;
	for (size_t i = 0; join_value(s->join, 0, i, &var, &value); i++)
		if (value != assignment_get(q->parent, var).lo)
			layer_bind(l->chain, var, (struct value){ value, 0 });
	return layer_own(l, ANSWER_SAT);
}

/* The inputs of the conditions that a change of the free ones may violate become free, too. False:
 * there are none. */
static bool free_more(struct repair *s, struct expr_pool *p, const struct problem *q)
{
	size_t found = 0, n;

	for (size_t i = 0; i < q->n; i++) {
		expr_vars(p, q->cond[i], &n);
		if (n < 2 || n > MOST_FREE || !inputs_meet(&s->free, p, q->cond[i]))
			continue;
		s->near = grow(s->near, &s->near_cap, found + 1, sizeof *s->near);
		s->near[found++] = q->cond[i];
	}
	for (size_t i = 0; i < found; i++)
		inputs_add(&s->free, p, s->near[i]);
	return found > 0;
}

/* Does it compare two inputs? Layers that are exact and fast are made for this. */
static bool compares_inputs(const struct expr_pool *p, expr cond)
{
	expr e = expr_op(p, cond) == OP_NOT ? expr_operand(p, cond, 0) : cond;

	return op_arity(expr_op(p, e)) == 2
	    && expr_input_var(p, expr_operand(p, e, 0)) != UINT32_MAX
	    && expr_input_var(p, expr_operand(p, e, 1)) != UINT32_MAX;
}

/* Has the problem only few inputs? Then to try all their values is as fast, and decides it mostly.
 */
static bool has_few_inputs(struct repair *s, struct expr_pool *p, const struct problem *q)
{
	size_t n;
	const uint32_t *var = expr_vars(p, q->cond[q->n - 1], &n);

	for (size_t i = 0; i < n; i++)
		if (expr_var_width(p, var[i]) > DOMAIN_BITS)
			return false;
	for (size_t i = 0; i < q->n && n <= MOST_FEW; i++) {
		size_t others;
		const uint32_t *other = expr_vars(p, q->cond[i], &others);
		for (size_t k = 0; k < others; k++)
			if (!inputs_has(&s->free, other[k]))
				return false;
	}
	return n <= MOST_FEW;
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	struct repair *s = l->state;
	struct expr_pool *p = l->chain->p;
	enum answer a = ANSWER_UNKNOWN;
	size_t n;

	if (q->flip >= q->n || !q->parent || l->chain->wish
	    || compares_inputs(p, q->cond[q->n - 1]))
		return layer_pass(l, q);
	const uint32_t *var = expr_vars(p, q->cond[q->n - 1], &n);
	s->work = 0;
	inputs_start(&s->free);
	for (size_t i = q->flip; i < q->n; i++)
		inputs_add(&s->free, p, q->cond[i]);
	if (has_few_inputs(s, p, q))
		a = change_some(l, q, NULL);
	if (a == ANSWER_UNKNOWN)
		a = change_one(l, q, var, n < MOST_TRIED ? n : MOST_TRIED);
	if (a == ANSWER_UNKNOWN && n > 1 && n <= MOST_FREE)
		a = change_some(l, q, &s->free);
	if (a == ANSWER_UNKNOWN && n <= MOST_FREE && free_more(s, p, q))
		a = change_some(l, q, &s->free);
	return a == ANSWER_UNKNOWN ? layer_pass(l, q) : a;
}

static void close_layer(struct layer *l)
{
	struct repair *s = l->state;

	batch_free(s->batch);
	join_free(s->join);
	inputs_clear(&s->free);
	free(s->near);
	free(s);
}

const struct layer_class layer_repair = { "repair", open_layer, ask, close_layer };
