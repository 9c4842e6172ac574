/* search: for problems with too many combinations for a grid: all solutions, input by input
 * (join.h), exact if it completes. If the table of them becomes too large, fixes one input after
 * another, first those that decide the most conditions, and evaluates all values of the next one at
 * once: exact, too, if it completes; gives up after MOST_WORK. */
#include "lib/expr/batch.h"
#include "lib/solve/join.h"
#include "lib/solve/layer.h"
#include "lib/solve/ranges.h"

#include <stdlib.h>
#include <string.h>

#define MOST_VARS 16
#define MOST_VALUES 4096 /* per input */
#define MOST_CONDS 256
#define MOST_JOINED 200000   /* nodes times points */
#define MOST_WORK (1u << 20) /* the same when inputs are fixed */

struct enumeration {
	struct join *join;
	struct batch *batch;
	uint32_t var[MOST_VARS];
	size_t vars;
	struct ranges allowed[MOST_VARS];
	struct batch_side side[MOST_VARS]; /* in the order of fixing */
	uint32_t level[MOST_CONDS];        /* by condition: level of its last input to
	                                      be fixed */
	uint64_t bits[MOST_VARS][MOST_VALUES / 64];
	uint64_t work;
};

static bool open_layer(struct layer *l, char **error)
{
	struct enumeration *s = layer_state(l, sizeof *s);
	(void)error;
	s->batch = batch_new(l->chain->p);
	s->join = join_new(l->chain->p, l->chain->domains);
	return true;
}

static int index_of(struct enumeration *s, uint32_t var)
{
	return layer_place(s->var, &s->vars, MOST_VARS, var);
}

/* Collects inputs, as a bit set per condition, and what bounds alone allow each. */
static bool load(
    struct enumeration *s, struct expr_pool *p, const struct problem *q, uint32_t *uses)
{
	struct range r;
	s->vars = 0;
	for (size_t i = 0; i < q->n; i++) {
		size_t n;
		const uint32_t *v = expr_vars(p, q->cond[i], &n);
		uses[i] = 0;
		for (size_t k = 0; k < n; k++) {
			size_t before = s->vars;
			int at = expr_var_width(p, v[k]) <= 64 ? index_of(s, v[k]) : -1;
			if (at < 0)
				return false;
			if (s->vars > before)
				ranges_all(&s->allowed[at], expr_var_width(p, v[k]));
			uses[i] |= 1u << at;
		}
	}
	for (size_t i = 0; i < q->n; i++)
		if (range_of(p, q->cond[i], &r))
			ranges_keep(&s->allowed[index_of(s, r.var)], r.lo, r.hi);
	return s->vars > 1;
}

/* The next input to fix: the one that decides the most conditions; on ties the one that occurs in
 * most others. */
static size_t next_var(const struct enumeration *s, size_t n, const uint32_t *uses, uint32_t fixed)
{
	size_t best = 0;
	int most = -1;
	for (size_t v = 0; v < s->vars; v++) {
		int score = 0;
		if (fixed >> v & 1)
			continue;
		for (size_t i = 0; i < n; i++)
			if (uses[i] >> v & 1)
				score += (uses[i] & ~(fixed | 1u << v)) ? 1
				    : uses[i] == 1u << v                ? 0
				                                        : 64;
		if (score > most)
			most = score, best = v;
	}
	return best;
}

static bool arrange(struct enumeration *s, size_t n, const uint32_t *uses)
{
	uint32_t fixed = 0;
	for (size_t k = 0; k < s->vars; k++) {
		size_t v = next_var(s, n, uses, fixed);
		uint64_t base, count;
		ranges_hull(&s->allowed[v], &base, &count);
		if (!count || count > MOST_VALUES)
			return false;
		s->side[k] = (struct batch_side){ s->var[v], base, (uint32_t)count };
		for (size_t i = 0; i < n; i++)
			if ((uses[i] >> v & 1) && !(uses[i] & ~(fixed | 1u << v)))
				s->level[i] = (uint32_t)k;
		fixed |= 1u << v;
	}
	return true;
}

/* Computes the values of a level's input that its conditions allow, with earlier levels fixed.
 * False: gives up. */
static bool values(
    struct enumeration *s, const struct problem *q, uint32_t level, const struct batch_side *fixed)
{
	struct batch_side side[MOST_VARS];
	uint64_t one[MOST_VALUES / 64], *all = s->bits[level];
	size_t words = (s->side[level].count + 63) / 64;
	side[0] = s->side[level];
	memcpy(side + 1, fixed, level * sizeof *side);
	memset(all, 0xff, words * 8);
	if (s->side[level].count % 64)
		all[words - 1] = (1ull << s->side[level].count % 64) - 1;
	for (size_t i = 0; i < q->n; i++) {
		if (s->level[i] != level)
			continue;
		uint32_t cost = batch_cost(s->batch, q->cond[i]);
		s->work += (uint64_t)cost * (s->side[level].count + 64);
		if (cost == UINT32_MAX || s->work > MOST_WORK
		    || !batch_run(s->batch, q->cond[i], side, level + 1u, one))
			return false;
		for (size_t k = 0; k < words; k++)
			all[k] &= one[k];
	}
	return true;
}

/* UNSAT: no solution with the levels fixed so far. */
static enum answer descend(
    struct enumeration *s, const struct problem *q, uint32_t level, struct batch_side *fixed)
{
	if (level == s->vars)
		return ANSWER_SAT;
	if (!values(s, q, level, fixed))
		return ANSWER_UNKNOWN;
	for (uint32_t v = 0; v < s->side[level].count; v++) {
		if (!(s->bits[level][v / 64] >> v % 64 & 1))
			continue;
		fixed[level] =
		    (struct batch_side){ s->side[level].var, s->side[level].base + v, 1 };
		enum answer a = descend(s, q, level + 1, fixed);
		if (a != ANSWER_UNSAT)
			return a;
	}
	return ANSWER_UNSAT;
}

static enum answer joined(struct layer *l, const struct problem *q)
{
	struct enumeration *s = l->state;
	uint32_t var;
	uint64_t value;
	enum answer a = join_ask(s->join, l->chain, q, NULL, MOST_JOINED);

	if (a == ANSWER_SAT && !join_is_exact(s->join))
		return ANSWER_UNKNOWN;
	for (size_t i = 0; a == ANSWER_SAT && join_value(s->join, 0, i, &var, &value); i++)
		layer_bind(l->chain, var, (struct value){ value, 0 });
	return a;
}

static enum answer fixed_one_by_one(struct layer *l, const struct problem *q)
{
	struct enumeration *s = l->state;
	uint32_t uses[MOST_CONDS];
	struct batch_side fixed[MOST_VARS];

	if (q->n > MOST_CONDS || !load(s, l->chain->p, q, uses) || !arrange(s, q->n, uses))
		return ANSWER_UNKNOWN;
	s->work = 0;
	enum answer a = descend(s, q, 0, fixed);
	for (size_t i = 0; i < s->vars && a == ANSWER_SAT; i++) {
		unsigned w = expr_var_width(l->chain->p, fixed[i].var);
		uint64_t m = w >= 64 ? ~0ull : (1ull << w) - 1;
		layer_bind(l->chain, fixed[i].var, (struct value){ fixed[i].base & m, 0 });
	}
	return a;
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	domains_trim(l->chain->domains);
	enum answer a = joined(l, q);
	if (a == ANSWER_UNKNOWN)
		a = fixed_one_by_one(l, q);
	return a == ANSWER_UNKNOWN ? layer_pass(l, q) : layer_own(l, a);
}

static void close_layer(struct layer *l)
{
	struct enumeration *s = l->state;
	batch_free(s->batch);
	join_free(s->join);
	free(s);
}

const struct layer_class layer_search = { "search", open_layer, ask, close_layer };
