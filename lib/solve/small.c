/* small: exhaustive enumeration when a problem's inputs, within the bounds it states, have few
 * combinations. The set of grid points that satisfy a condition is computed once and stored, so a
 * query is an intersection of bit sets. */
#include "lib/expr/batch.h"
#include "lib/solve/layer.h"
#include "lib/solve/ranges.h"
#include "lib/base/grow.h"
#include "lib/base/map.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SIDES 6
#define MOST_POINTS (1u << 16)
#define MOST_WORK (1u << 21)  /* nodes times points to evaluate per query */
#define MOST_WORDS (1u << 23) /* maximum number of stored words; then all are dropped */

struct grid {
	struct batch_side side[MOST_SIDES];
	size_t sides;
	uint64_t points;
};
struct small {
	struct batch *batch;
	struct grid *grid;
	size_t grids, grid_cap;
	struct map stored; /* by grid and condition: where in `word` its points begin, plus 1 */
	uint64_t *word;
	size_t words, word_cap;
	uint64_t *all;
	size_t all_cap;
	uint32_t var[MOST_SIDES];
	size_t vars;
	struct ranges allowed[MOST_SIDES];
};

static bool open_layer(struct layer *l, char **error)
{
	struct small *s = layer_state(l, sizeof *s);
	(void)error;
	s->batch = batch_new(l->chain->p);
	return true;
}

/* ---- the grid of a problem */

static int index_of(struct small *s, uint32_t var)
{
	return layer_place(s->var, &s->vars, MOST_SIDES, var);
}

/* Collects inputs, and what conditions on one input alone allow. */
static bool load(struct small *s, struct chain *c, const struct problem *q)
{
	struct expr_pool *p = c->p;
	const struct range *r;
	s->vars = 0;
	for (size_t i = 0; i < q->n; i++) {
		size_t n;
		const uint32_t *v = expr_vars(p, q->cond[i], &n);
		for (size_t k = 0; k < n; k++) {
			size_t before = s->vars;
			if (expr_var_width(p, v[k]) > 64 || index_of(s, v[k]) < 0)
				return false;
			if (s->vars > before)
				ranges_all(&s->allowed[before], expr_var_width(p, v[k]));
		}
	}
	for (size_t i = 0; i < q->n; i++)
		if ((r = layer_range(c, q->cond[i])))
			ranges_keep(&s->allowed[index_of(s, r->var)], r->lo, r->hi);
	return s->vars > 0;
}

static int by_var(const void *a, const void *b)
{
	const struct batch_side *x = a, *y = b;
	return (x->var > y->var) - (x->var < y->var);
}

/* False: more than MOST_POINTS points. */
static bool grid_of(struct small *s, struct expr_pool *p, struct grid *g)
{
	*g = (struct grid){ .sides = s->vars, .points = 1 };
	uint64_t full = 1;
	for (size_t i = 0; i < s->vars; i++) {
		uint64_t base, count;
		ranges_hull(&s->allowed[i], &base, &count);
		if (!count || count > MOST_POINTS || g->points * count > MOST_POINTS)
			return false;
		g->points *= count;
		g->side[i] = (struct batch_side){ s->var[i], base, (uint32_t)count };
		unsigned w = expr_var_width(p, s->var[i]);
		full = w > 8 || full > MOST_POINTS ? UINT64_MAX / 2 : full << w;
	}
	/* narrow inputs: use the full grid, which later queries can share */
	if (full <= MOST_POINTS) {
		g->points = full;
		for (size_t i = 0; i < s->vars; i++)
			g->side[i].base = 0, g->side[i].count = 1u << expr_var_width(p, s->var[i]);
	}
	qsort(g->side, g->sides, sizeof *g->side, by_var);
	return true;
}

static bool contains(const struct expr_pool *p, const struct grid *big, const struct grid *g)
{
	if (big->sides != g->sides)
		return false;
	for (size_t i = 0; i < g->sides; i++) {
		const struct batch_side *x = &big->side[i], *y = &g->side[i];
		unsigned w = expr_var_width(p, x->var);
		uint64_t m = w >= 64 ? ~0ull : (1ull << w) - 1, off = (y->base - x->base) & m;
		if (x->var != y->var || off >= x->count || x->count - off < y->count)
			return false;
	}
	return true;
}

/* The number of a recent grid that contains g and is not much larger, or of g, newly added. */
static uint32_t grid_number(struct small *s, const struct expr_pool *p, const struct grid *g)
{
	for (size_t i = s->grids; i-- > 0 && s->grids - i < 64;)
		if (contains(p, &s->grid[i], g) && s->grid[i].points <= 4 * g->points + 4096)
			return (uint32_t)i;
	s->grid = grow(s->grid, &s->grid_cap, s->grids + 1, sizeof *s->grid);
	s->grid[s->grids] = *g;
	return (uint32_t)s->grids++;
}

/* ---- stored bit sets */

static uint64_t key_of(expr cond, uint32_t grid)
{
	return (uint64_t)grid << 32 | cond;
}

static void forget(struct small *s)
{
	s->words = s->grids = 0;
	map_close(&s->stored);
}

/* The points of a grid that satisfy cond; NULL if it cannot be evaluated. */
static const uint64_t *points(struct small *s, expr cond, uint32_t grid)
{
	uint32_t first = map_get(&s->stored, key_of(cond, grid));
	const struct grid *g = &s->grid[grid];
	size_t words = (size_t)(g->points + 63) / 64;
	bool fresh;

	if (first)
		return s->word + first - 1;
	s->word = grow(s->word, &s->word_cap, s->words + words + 4, sizeof *s->word);
	if (!batch_run(s->batch, cond, g->side, g->sides, s->word + s->words))
		return NULL;
	*map_at(&s->stored, key_of(cond, grid), &fresh) = (uint32_t)s->words + 1;
	s->words += words;
	return s->word + s->words - words;
}

/* The work to evaluate q's conditions; UINT64_MAX if that is impossible. */
static uint64_t work(struct small *s, const struct problem *q, uint32_t grid)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < q->n; i++) {
		uint32_t cost = map_get(&s->stored, key_of(q->cond[i], grid))
		    ? 0
		    : batch_cost(s->batch, q->cond[i]);
		if (cost == UINT32_MAX)
			return UINT64_MAX;
		sum += cost * s->grid[grid].points;
	}
	return sum;
}

/* ---- answers */

static enum answer sat_at(struct layer *l, const struct grid *g, uint64_t point)
{
	for (size_t i = 0; i < g->sides; i++) {
		unsigned w = expr_var_width(l->chain->p, g->side[i].var);
		uint64_t m = w >= 64 ? ~0ull : (1ull << w) - 1;
		layer_bind(l->chain, g->side[i].var,
		    (struct value){ (g->side[i].base + point % g->side[i].count) & m, 0 });
		point /= g->side[i].count;
	}
	return layer_own(l, ANSWER_SAT);
}

static enum answer enumerate(struct layer *l, const struct problem *q, uint32_t grid)
{
	struct small *s = l->state;
	size_t words = (size_t)(s->grid[grid].points + 63) / 64;
	s->all = grow(s->all, &s->all_cap, words, sizeof *s->all);
	memset(s->all, 0xff, words * sizeof *s->all);
	for (size_t i = 0; i < q->n; i++) {
		const uint64_t *b = points(s, q->cond[i], grid);
		if (!b)
			return layer_pass(l, q);
		for (size_t k = 0; k < words; k++)
			s->all[k] &= b[k];
	}
	for (size_t k = 0; k < words; k++)
		if (s->all[k])
			return sat_at(
			    l, &s->grid[grid], k * 64 + (uint64_t)__builtin_ctzll(s->all[k]));
	return layer_own(l, ANSWER_UNSAT);
}

/* One input with many values and only bounds on it: any value within them. */
static enum answer interval(struct layer *l, const struct problem *q)
{
	struct small *s = l->state;
	struct ranges all;
	const struct range *r;
	uint64_t v, zero;
	ranges_all(&all, expr_var_width(l->chain->p, s->var[0]));
	for (size_t i = 0; i < q->n; i++)
		if (!(r = layer_range(l->chain, q->cond[i])) || !ranges_keep(&all, r->lo, r->hi))
			return layer_pass(l, q);
	if (!ranges_next(&all, 0, &v))
		return layer_own(l, ANSWER_UNSAT);
	/* prefer a small negative number to a huge positive one */
	if (v > all.max / 2 && ranges_next(&all, all.max, &zero))
		v = zero;
	layer_bind(l->chain, s->var[0], (struct value){ v, 0 });
	return layer_own(l, ANSWER_SAT);
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	struct small *s = l->state;
	struct grid g;
	if (!load(s, l->chain, q))
		return layer_pass(l, q);
	for (size_t i = 0; i < s->vars; i++)
		if (!s->allowed[i].n)
			return layer_own(l, ANSWER_UNSAT);
	if (!grid_of(s, l->chain->p, &g))
		return s->vars == 1 ? interval(l, q) : layer_pass(l, q);
	if (s->words > MOST_WORDS)
		forget(s);
	uint32_t number = grid_number(s, l->chain->p, &g);
	if (work(s, q, number) > MOST_WORK)
		return layer_pass(l, q);
	return enumerate(l, q, number);
}

static void close_layer(struct layer *l)
{
	struct small *s = l->state;
	batch_free(s->batch);
	map_close(&s->stored);
	free(s->grid), free(s->word), free(s->all);
	free(s);
}

const struct layer_class layer_small = { "small", open_layer, ask, close_layer };
