/* listed: for problems with symbolic indices whose first conditions, each on one or two inputs,
 * leave few combinations of all inputs, such as permutations. The combinations are listed once;
 * each other condition is stored as the set of list entries that satisfy it. A query is then an
 * intersection of sets. */
#include "lib/expr/batch.h"
#include "lib/base/grow.h"
#include "lib/solve/layer.h"

#include <stdlib.h>
#include <string.h>

#define MOST_VARS 12
#define MOST_VALUES 32 /* per input */
#define MOST_CONDS 256 /* conditions that the list is made from */
#define MOST_POINTS (1u << 16)
#define MOST_COST 12          /* nodes of such a condition */
#define MOST_WORK (1u << 27)  /* nodes times points to evaluate per query */
#define MOST_WORDS (1u << 23) /* maximum number of stored words; then all are dropped */
#define MOST_LISTS 32         /* consecutive useless lists; then no more are made */

struct pair {
	uint32_t a, b;                 /* a == b: one input */
	uint64_t allowed[MOST_VALUES]; /* by value of b: bit set of values of a */
};

struct listed {
	struct batch *batch;
	expr base[MOST_CONDS];
	size_t bases; /* the conditions that the list is made from */
	uint32_t var[MOST_VARS];
	size_t vars;
	uint64_t *value;
	size_t value_cap, points; /* layout of batch_points */
	uint32_t *at;
	size_t at_cap; /* by condition: 1 + index of its set in
	                  `word`; 0: not computed */
	uint64_t *word;
	size_t words, word_cap;
	uint64_t *all;
	size_t all_cap;
	unsigned vain;
	expr *cond;
	size_t cond_cap; /* the problem without inputs that occur
	                    alone */
	uint32_t *busy;
	size_t busy_cap, round; /* by input: the last problem in which it
	                           occurs with another input */
	/* while a list is made: */
	struct batch_side side[MOST_VARS];
	struct pair pair[MOST_CONDS];
};

static bool open_layer(struct layer *l, char **error)
{
	struct listed *s = layer_state(l, sizeof *s);
	(void)error;
	s->batch = batch_new(l->chain->p);
	return true;
}

static int index_of(const struct listed *s, uint32_t var)
{
	for (size_t i = 0; i < s->vars; i++)
		if (s->var[i] == var)
			return (int)i;
	return -1;
}

/* ---- the list */

/* The number of leading conditions that are suitable for a list. */
static size_t front(struct listed *s, struct expr_pool *p, const struct problem *q)
{
	size_t i = 0, n;
	for (; i < q->flip && i < MOST_CONDS; i++) {
		expr_vars(p, q->cond[i], &n);
		if (n < 1 || n > 2 || expr_has_array(p, q->cond[i])
		    || batch_cost(s->batch, q->cond[i]) > MOST_COST)
			break;
	}
	return i;
}

/* Collects the inputs of the whole problem; each must have few values under the conditions on it
 * alone. */
static bool sides(struct listed *s, struct chain *c, const struct problem *q, size_t fronts)
{
	struct ranges allowed[MOST_VARS];
	s->vars = 0;
	for (size_t i = 0; i < q->n; i++) {
		size_t n;
		const uint32_t *v = expr_vars(c->p, q->cond[i], &n);
		for (size_t k = 0; k < n; k++) {
			if (index_of(s, v[k]) >= 0)
				continue;
			if (s->vars == MOST_VARS || expr_var_width(c->p, v[k]) > 64)
				return false;
			ranges_all(&allowed[s->vars], expr_var_width(c->p, v[k]));
			s->var[s->vars++] = v[k];
		}
	}
	for (size_t i = 0; i < fronts; i++) {
		const struct range *r = layer_range(c, q->cond[i]);
		if (r)
			ranges_keep(&allowed[index_of(s, r->var)], r->lo, r->hi);
	}
	for (size_t i = 0; i < s->vars; i++) {
		uint64_t base, count;
		ranges_hull(&allowed[i], &base, &count);
		if (!count || count > MOST_VALUES)
			return false;
		s->side[i] = (struct batch_side){ s->var[i], base, (uint32_t)count };
	}
	return true;
}

/* The allowed values for a condition's one or two inputs; `a` is enumerated first. */
static bool allow(struct listed *s, struct expr_pool *p, expr cond, struct pair *r)
{
	uint64_t bits[MOST_VALUES * MOST_VALUES / 64 + 1];
	size_t n;
	const uint32_t *v = expr_vars(p, cond, &n);
	int x = index_of(s, v[0]), y = index_of(s, v[n - 1]);
	r->a = (uint32_t)(x < y ? x : y), r->b = (uint32_t)(x < y ? y : x);
	uint32_t na = n > 1 ? s->side[r->a].count : 1, nb = s->side[r->b].count;
	if (!batch_run(
	        s->batch, cond, (struct batch_side[]){ s->side[r->a], s->side[r->b] }, n, bits))
		return false;
	for (uint32_t b = 0; b < nb; b++) {
		r->allowed[b] = 0;
		for (uint32_t a = 0; a < na; a++) {
			uint32_t point = b * na + a;
			r->allowed[b] |= (bits[point / 64] >> point % 64 & 1) << a;
		}
	}
	return true;
}

static bool fits(const struct listed *s, size_t conds, const uint32_t *now, uint32_t at)
{
	for (size_t i = 0; i < conds; i++) {
		const struct pair *r = &s->pair[i];
		uint32_t a = r->a == r->b ? 0 : now[r->a];
		if (r->b == at && !(r->allowed[now[at]] >> a & 1))
			return false;
	}
	return true;
}

/* Enumerates the combinations that satisfy the first `conds` conditions into s->value. Returns
 * their number, more than MOST_POINTS if there are too many. */
static size_t enumerate(struct listed *s, size_t conds)
{
	uint32_t now[MOST_VARS] = { 0 }, at = 0;
	size_t points = 0;
	for (;;) {
		while (now[at] < s->side[at].count && !fits(s, conds, now, at))
			now[at]++;
		if (now[at] >= s->side[at].count) {
			if (at-- == 0)
				return points;
			now[at]++;
		} else if (at + 1 < s->vars) {
			now[++at] = 0;
		} else {
			if (points == MOST_POINTS)
				return points + 1;
			s->value =
			    grow(s->value, &s->value_cap, (points + 1) * s->vars, sizeof *s->value);
			for (size_t i = 0; i < s->vars; i++)
				s->value[points * s->vars + i] = now[i];
			points++;
			now[at]++;
		}
	}
}

/* Converts indices ordered by point to values ordered by input. */
static void turn(struct listed *s, struct expr_pool *p)
{
	size_t cap = 0;
	uint64_t *column = grow(NULL, &cap, s->points * s->vars + 1, sizeof *column);
	for (size_t k = 0; k < s->vars; k++) {
		unsigned w = expr_var_width(p, s->var[k]);
		uint64_t m = w >= 64 ? ~0ull : (1ull << w) - 1;
		for (size_t i = 0; i < s->points; i++)
			column[k * s->points + i] =
			    (s->side[k].base + s->value[i * s->vars + k]) & m;
	}
	free(s->value);
	s->value = column, s->value_cap = cap;
}

static void forget(struct listed *s)
{
	if (s->at)
		memset(s->at, 0, s->at_cap * sizeof *s->at);
	s->words = 0;
}

/* Binary search: the least n in lo..hi that satisfies `is`, which is monotonic and true for hi. */
static size_t least(struct listed *s, struct chain *c, const struct problem *q, size_t lo,
    size_t hi, bool (*is)(struct listed *, struct chain *, const struct problem *, size_t))
{
	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;
		if (is(s, c, q, middle))
			hi = middle;
		else
			lo = middle + 1;
	}
	return lo;
}

static bool few(struct listed *s, struct chain *c, const struct problem *q, size_t conds)
{
	(void)c, (void)q;
	return enumerate(s, conds) <= MOST_POINTS;
}

/* Uses as few leading conditions as leave few enough combinations, so that many problems share the
 * list; then also those on two inputs that follow. */
static bool make_list(struct listed *s, struct chain *c, const struct problem *q)
{
	size_t fronts = front(s, c->p, q), bounds, n;
	s->bases = 0;
	forget(s);
	if (!fronts || !sides(s, c, q, fronts))
		return false;
	bounds = least(s, c, q, 1, fronts, sides);
	sides(s, c, q, bounds);
	for (size_t i = 0; i < fronts; i++)
		if (!allow(s, c->p, q->cond[i], &s->pair[i]))
			return false;
	if (!few(s, c, q, fronts))
		return false;
	n = least(s, c, q, bounds, fronts, few);
	while (n < fronts && s->pair[n].a != s->pair[n].b)
		n++;
	s->points = enumerate(s, n);
	turn(s, c->p);
	memcpy(s->base, q->cond, n * sizeof *s->base);
	s->bases = n;
	return true;
}

static bool has_list(const struct listed *s, struct expr_pool *p, const struct problem *q)
{
	size_t n;
	if (!s->bases || q->n < s->bases
	    || memcmp(s->base, q->cond, s->bases * sizeof *s->base) != 0)
		return false;
	for (size_t i = s->bases; i < q->n; i++) {
		const uint32_t *v = expr_vars(p, q->cond[i], &n);
		for (size_t k = 0; k < n; k++)
			if (index_of(s, v[k]) < 0)
				return false;
	}
	return true;
}

/* ---- sets */

/* The set of points that satisfy cond; NULL if it cannot be computed or exceeds MOST_WORK. */
static const uint64_t *set_of(struct listed *s, expr cond, uint64_t *work)
{
	size_t words = (s->points + 63) / 64;
	struct batch_points list = { s->var, s->vars, s->value, s->points };
	s->at = grow(s->at, &s->at_cap, (size_t)cond + 1, sizeof *s->at);
	if (!s->at[cond]) {
		uint32_t cost = batch_cost(s->batch, cond);
		*work += (uint64_t)cost * s->points;
		s->word = grow(s->word, &s->word_cap, s->words + words + 1, sizeof *s->word);
		if (cost == UINT32_MAX || *work > MOST_WORK
		    || !batch_run_list(s->batch, cond, &list, s->word + s->words))
			return NULL;
		s->at[cond] = (uint32_t)s->words + 1;
		s->words += words;
	}
	return s->word + s->at[cond] - 1;
}

static enum answer answer_at(struct layer *l, size_t point)
{
	const struct listed *s = l->state;
	for (size_t k = 0; k < s->vars; k++)
		layer_bind(
		    l->chain, s->var[k], (struct value){ s->value[k * s->points + point], 0 });
	return layer_own(l, ANSWER_SAT);
}

static enum answer intersect(struct layer *l, const struct problem *whole, const struct problem *q)
{
	struct listed *s = l->state;
	size_t words = (s->points + 63) / 64;
	uint64_t work = 0;
	if (s->words > MOST_WORDS)
		forget(s);
	s->all = grow(s->all, &s->all_cap, words + 1, sizeof *s->all);
	memset(s->all, 0xff, words * sizeof *s->all);
	if (s->points % 64)
		s->all[words - 1] = (1ull << s->points % 64) - 1;
	for (size_t i = s->bases; i < q->n; i++) {
		const uint64_t *set = set_of(s, q->cond[i], &work);
		if (!set)
			return layer_pass(l, whole);
		for (size_t k = 0; k < words; k++)
			s->all[k] &= set[k];
	}
	for (size_t k = 0; k < words; k++)
		if (s->all[k])
			return answer_at(l, k * 64 + (size_t)__builtin_ctzll(s->all[k]));
	return layer_own(l, ANSWER_UNSAT);
}

/* Is it a prefix condition on one input that no other condition involves, such as a pointer's NULL
 * test? The input keeps its value. */
static bool is_alone(const struct listed *s, struct expr_pool *p, const struct problem *q, size_t i)
{
	size_t n;
	const uint32_t *v = expr_vars(p, q->cond[i], &n);
	return i < q->flip && n == 1 && s->busy[v[0]] != s->round;
}

static struct problem without_alone(struct listed *s, struct expr_pool *p, const struct problem *q)
{
	struct problem down = { .parent = q->parent };
	size_t n;
	s->round++;
	for (size_t i = 0; i < q->n; i++) {
		const uint32_t *v = expr_vars(p, q->cond[i], &n);
		for (size_t k = 0; k < n; k++) {
			s->busy = grow(s->busy, &s->busy_cap, (size_t)v[k] + 1, sizeof *s->busy);
			if (i >= q->flip || n > 1)
				s->busy[v[k]] = (uint32_t)s->round;
		}
	}
	s->cond = grow(s->cond, &s->cond_cap, q->n, sizeof *s->cond);
	for (size_t i = 0; i < q->n; i++) {
		if (i == q->flip)
			down.flip = down.n;
		if (!is_alone(s, p, q, i))
			s->cond[down.n++] = q->cond[i];
	}
	if (q->flip >= q->n)
		down.flip = down.n;
	down.cond = s->cond;
	return down;
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	struct listed *s = l->state;
	struct problem down;
	bool arrays = false;
	for (size_t i = q->n; i-- > 0 && !arrays;)
		arrays = expr_has_array(l->chain->p, q->cond[i]);
	if (!arrays)
		return layer_pass(l, q);
	down = without_alone(s, l->chain->p, q);
	if (has_list(s, l->chain->p, &down))
		s->vain = 0;
	else if (s->vain == MOST_LISTS || (s->vain++, !make_list(s, l->chain, &down)))
		return layer_pass(l, q);
	return intersect(l, q, &down);
}

static void close_layer(struct layer *l)
{
	struct listed *s = l->state;
	batch_free(s->batch);
	free(s->value), free(s->at), free(s->word), free(s->all), free(s->cond), free(s->busy);
	free(s);
}

const struct layer_class layer_listed = { "listed", open_layer, ask, close_layer };
