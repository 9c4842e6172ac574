/* cuts: refutes queries: by the conditions on one input alone, and by an abstraction in which terms
 * of few values are inputs, of which all solutions are sought. */
#include "lib/base/grow.h"
#include "lib/solve/abstraction.h"
#include "lib/expr/batch.h"
#include "lib/solve/join.h"
#include "lib/solve/layer.h"

#include <stdlib.h>

#define MOST_WORK 80000 /* nodes times points */
#define MOST_ROUNDS 16
#define MOST_ROWS 4
#define MOST_SIDES 64

struct cuts {
	struct abstraction *abstraction;
	struct join *join;
	expr *cond; /* the abstraction; those tied to the negated condition come first */
	size_t cap;
	struct inputs tied;       /* to the negated condition */
	struct assignment parent; /* the abstraction's */
	struct batch *batch;
	struct assignment
	    values;        /* of the query's inputs: the parent's, with those that were changed */
	uint32_t *changed; /* by input: the last attempt that changed it */
	size_t changed_cap;
	uint32_t attempt;
};

static bool open_layer(struct layer *l, char **error)
{
	struct cuts *s = layer_state(l, sizeof *s);

	(void)error;
	s->abstraction = abstraction_new(l->chain->p);
	s->join = join_new(l->chain->p, l->chain->domains);
	s->batch = batch_new(l->chain->p);
	return true;
}

/* Is the negated condition on one input alone, whose values the others on it exclude? */
static bool excluded(struct layer *l, const struct problem *q)
{
	struct expr_pool *p = l->chain->p;
	uint32_t var = domains_input(p, q->cond[q->n - 1]);
	struct domain left, holds;

	if (var == UINT32_MAX)
		return false;
	domain_all(&left, expr_var_width(p, var));
	for (size_t i = 0; i < q->n; i++)
		if (domains_input(p, q->cond[i]) == var
		    && domains_of(l->chain->domains, q->cond[i], &holds)
		    && !domain_keep(&left, &holds))
			return true;
	return false;
}

/* Moves conditions to the front that share inputs with the last one, or with others that do: how
 * many. */
static size_t slice(struct cuts *s, struct expr_pool *p, size_t n)
{
	size_t first = 0, before = 1;

	inputs_start(&s->tied);
	inputs_add(&s->tied, p, s->cond[n - 1]);
	for (int round = 0; round < MOST_ROUNDS && first != before; round++) {
		before = first;
		for (size_t i = first; i < n; i++) {
			expr e = s->cond[i];
			if (!expr_is_const(p, e, NULL) && !inputs_meet(&s->tied, p, e))
				continue;
			inputs_add(&s->tied, p, e);
			s->cond[i] = s->cond[first];
			s->cond[first++] = e;
		}
	}
	return first;
}

/* The values that the abstraction's inputs have in the parent run. */
static void find_parent(struct cuts *s, struct expr_pool *p, const struct problem *q, size_t n)
{
	static const struct assignment none;

	expr_eval_start(p, q->parent ? q->parent : &none);
	for (size_t i = 0; i < n; i++) {
		size_t vars;
		const uint32_t *var = expr_vars(p, s->cond[i], &vars);
		for (size_t k = 0; k < vars; k++) {
			expr term = abstraction_term(s->abstraction, var[k]);
			uint32_t w = expr_var_width(p, var[k]);
			struct value v =
			    term ? expr_eval_next(p, term) : assignment_get(q->parent, var[k]);
			if (term)
				v.lo &= (1ull << w) - 1;
			assignment_set(&s->parent, var[k], v);
		}
	}
}

/* Poses the abstraction. UNKNOWN, too: there is none. */
static enum answer ask_abstraction(struct layer *l, const struct problem *q)
{
	struct cuts *s = l->state;
	struct problem down = { .parent = &s->parent };
	bool changed = false;

	s->cond = grow(s->cond, &s->cap, q->n, sizeof *s->cond);
	for (size_t i = 0; i < q->n; i++) {
		s->cond[i] = abstraction_of(s->abstraction, q->cond[i]);
		changed |= s->cond[i] != q->cond[i];
	}
	if (!changed)
		return ANSWER_UNKNOWN;
	down.cond = s->cond;
	down.n = slice(s, l->chain->p, q->n);
	find_parent(s, l->chain->p, q, down.n);
	return join_ask(s->join, l->chain, &down, NULL, MOST_WORK);
}

/* ---- a solution of the query from one of the abstraction */

static void start_attempt(struct cuts *s, struct chain *c, const struct problem *q)
{
	s->attempt++;
	layer_unbind_all(c);
	for (size_t i = 0; i < q->n; i++) {
		size_t n;
		const uint32_t *var = expr_vars(c->p, q->cond[i], &n);
		for (size_t k = 0; k < n; k++)
			assignment_set(&s->values, var[k], assignment_get(q->parent, var[k]));
	}
}

static bool is_changed(const struct cuts *s, uint32_t var)
{
	return var < s->changed_cap && s->changed[var] == s->attempt;
}

static void change(struct cuts *s, struct chain *c, uint32_t var, uint64_t value)
{
	struct value v = { value, 0 };

	s->changed = grow(s->changed, &s->changed_cap, (size_t)var + 1, sizeof *s->changed);
	s->changed[var] = s->attempt;
	assignment_set(&s->values, var, v);
	layer_bind(c, var, v);
}

/* The values that conditions on the input alone allow. */
static struct domain allowed(struct chain *c, const struct problem *q, uint32_t var)
{
	struct domain left, holds;

	domain_all(&left, expr_var_width(c->p, var));
	for (size_t i = 0; i < q->n; i++)
		if (domains_input(c->p, q->cond[i]) == var
		    && domains_of(c->domains, q->cond[i], &holds))
			domain_keep(&left, &holds);
	return left;
}

/* Gives an input of the term a value with which the term has the value wanted in the i-th column.
 */
static bool change_one(struct layer *l, const struct problem *q, expr term, uint32_t var, size_t i,
    uint64_t wanted, uint64_t mask)
{
	struct cuts *s = l->state;
	struct chain *c = l->chain;
	struct batch_side side[MOST_SIDES];
	uint64_t value[DOMAIN_VALUES];
	size_t n;
	const uint32_t *of = expr_vars(c->p, term, &n);
	unsigned values = 1u << expr_var_width(c->p, var);
	struct domain may = allowed(c, q, var);

	for (size_t k = 0; k < n; k++)
		side[k] = (struct batch_side){ of[k],
			of[k] == var ? 0 : assignment_get(&s->values, of[k]).lo,
			of[k] == var ? values : 1 };
	if (!batch_values(s->batch, term, side, n, value))
		return false;
	for (unsigned k = 0; k < values; k++)
		if (domain_has(&may, k) && join_alike(s->join, i, value[k] & mask, wanted)) {
			change(s, c, var, k);
			return true;
		}
	return false;
}

/* The same with the first of its inputs with which it can be done. */
static bool change_term(
    struct layer *l, const struct problem *q, expr term, size_t i, uint64_t wanted, uint64_t mask)
{
	struct cuts *s = l->state;
	struct expr_pool *p = l->chain->p;
	size_t n;
	const uint32_t *var = expr_vars(p, term, &n);

	for (size_t k = n; n <= MOST_SIDES && k-- > 0;)
		if (expr_var_width(p, var[k]) <= DOMAIN_BITS && !is_changed(s, var[k])
		    && change_one(l, q, term, var[k], i, wanted, mask))
			return true;
	return false;
}

/* Tries a solution of the abstraction. */
static bool try_row(struct layer *l, const struct problem *q, size_t row)
{
	struct cuts *s = l->state;
	struct chain *c = l->chain;
	uint32_t var;
	uint64_t value;

	start_attempt(s, c, q);
	for (size_t i = 0; join_value(s->join, row, i, &var, &value); i++) {
		expr term = abstraction_term(s->abstraction, var);
		uint64_t mask = (1ull << (expr_var_width(c->p, var) - 1)) * 2 - 1;
		if (value == assignment_get(&s->parent, var).lo)
			continue;
		if (!abstraction_own(s->abstraction, var))
			change(s, c, var, value);
		else if (!term || !change_term(l, q, term, i, value, mask))
			return false;
	}
	return expr_first_false(c->p, q->cond, q->n, &s->values) == q->n;
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	struct cuts *s = l->state;

	domains_trim(l->chain->domains);
	if (!q->n)
		return layer_pass(l, q);
	if (excluded(l, q))
		return layer_own(l, ANSWER_UNSAT);
	enum answer a = ask_abstraction(l, q);
	if (a == ANSWER_UNSAT)
		return layer_own(l, a);
	for (size_t i = 0; a == ANSWER_SAT && i < join_rows(s->join) && i < MOST_ROWS; i++)
		if (try_row(l, q, i))
			return layer_own(l, a);
	layer_unbind_all(l->chain);
	return layer_pass(l, q);
}

static void close_layer(struct layer *l)
{
	struct cuts *s = l->state;

	abstraction_free(s->abstraction);
	join_free(s->join);
	batch_free(s->batch);
	assignment_clear(&s->parent), assignment_clear(&s->values);
	inputs_clear(&s->tied);
	free(s->cond), free(s->changed);
	free(s);
}

const struct layer_class layer_cuts = { "cuts", open_layer, ask, close_layer };
