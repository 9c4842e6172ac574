/* canon: renames inputs in the order of their first use, so that equal queries about different
 * inputs are asked once. Answers are cached by the set of renamed conditions. */
#include "lib/solve/layer.h"
#include "lib/base/grow.h"
#include "lib/base/map.h"

#include <stdlib.h>
#include <string.h>

#define MOST (1u << 22) /* maximum number of cached words; then the cache is cleared */

struct canonical {
	uint32_t first, n; /* range of `item`: its conditions */
	uint32_t value;    /* first of its n values in `value`, by renamed input */
	uint32_t next;     /* another one of the same hash, plus 1 */
	uint8_t answer;
};

struct canon {
	struct rewrite rw;
	uint32_t *to;
	size_t to_cap; /* by variable: renamed input + 1 */
	uint32_t *from;
	size_t vars, from_cap; /* by renamed input: variable */
	uint32_t *name[129];
	size_t names[129], name_cap[129]; /* variables created for renaming,
	                                     by width */
	size_t used[129];
	expr *cond;
	size_t n, cap;
	struct canonical *entry;
	size_t entries, entry_cap;
	struct map by_hash; /* of an entry's conditions: the entry, plus 1 */
	expr *item;
	size_t items, item_cap;
	struct value *value;
	size_t values, value_cap;
	struct assignment parent;
};

/* The k-th renamed variable of width w. */
static uint32_t renamed(struct canon *s, struct expr_pool *p, unsigned w, size_t k)
{
	while (s->names[w] <= k) {
		char name[40];
		snprintf(name, sizeof name, "%%%u.%zu", w, s->names[w]);
		s->name[w] = grow(s->name[w], &s->name_cap[w], s->names[w] + 1, sizeof *s->name[w]);
		s->name[w][s->names[w]++] = expr_var(p, name, INPUT_UINT, w);
	}
	return s->name[w][k];
}

static expr leaf(struct rewrite *rw, expr e, void *ctx)
{
	struct canon *s = ctx;
	uint32_t var = expr_input_var(rw->p, e);
	if (var == UINT32_MAX)
		return e;
	s->to = grow(s->to, &s->to_cap, (size_t)var + 1, sizeof *s->to);
	if (!s->to[var]) {
		unsigned w = expr_width(rw->p, e);
		s->to[var] = renamed(s, rw->p, w, s->used[w]++) + 1;
		s->from = grow(s->from, &s->from_cap, s->vars + 1, sizeof *s->from);
		s->from[s->vars++] = var;
	}
	return expr_input(rw->p, s->to[var] - 1);
}

static bool open_layer(struct layer *l, char **error)
{
	struct canon *s = layer_state(l, sizeof *s);
	(void)error;
	s->rw = (struct rewrite){ .p = l->chain->p, .leaf = leaf, .ctx = s };
	return true;
}

/* Renames the negated condition first: its inputs get the first names, independent of the
 * prefix. */
static bool rename_all(struct canon *s, const struct problem *q)
{
	for (size_t i = 0; i < s->vars; i++)
		s->to[s->from[i]] = 0;
	s->vars = 0;
	memset(s->used, 0, sizeof s->used);
	rewrite_start(&s->rw);
	s->cond = grow(s->cond, &s->cap, q->n, sizeof *s->cond);
	s->n = 0;
	for (size_t i = q->n; i-- > 0;)
		if (!(s->cond[s->n++] = rewrite(&s->rw, q->cond[i])))
			return false;
	return true;
}

static int by_number(const void *a, const void *b)
{
	expr x = *(const expr *)a, y = *(const expr *)b;
	return (x > y) - (x < y);
}

/* Not 0. */
static uint64_t hash_of(const expr *c, size_t n)
{
	uint64_t h = n;
	for (size_t i = 0; i < n; i++) {
		h = (h ^ c[i]) * 0x9e3779b97f4a7c15ull;
		h ^= h >> 29;
	}
	return h | 1;
}

static struct canonical *lookup(const struct canon *s, uint64_t hash)
{
	for (uint32_t i = map_get(&s->by_hash, hash); i; i = s->entry[i - 1].next) {
		struct canonical *e = &s->entry[i - 1];
		if (e->n == s->n
		    && memcmp(s->item + e->first, s->cond, s->n * sizeof *s->cond) == 0)
			return e;
	}
	return NULL;
}

static void forget(struct canon *s)
{
	s->entries = s->items = s->values = 0;
	map_close(&s->by_hash);
}

/* Adds an answer with the values that the chain bound to the renamed inputs. */
static void add(struct canon *s, const struct chain *c, uint64_t hash, enum answer a)
{
	uint32_t *first;
	bool fresh;

	if (s->items + s->values > MOST)
		forget(s);
	s->entry = grow(s->entry, &s->entry_cap, s->entries + 1, sizeof *s->entry);
	s->item = grow(s->item, &s->item_cap, s->items + s->n, sizeof *s->item);
	s->value = grow(s->value, &s->value_cap, s->values + s->vars, sizeof *s->value);
	first = map_at(&s->by_hash, hash, &fresh);
	s->entry[s->entries] = (struct canonical){ (uint32_t)s->items, (uint32_t)s->n,
		(uint32_t)s->values, *first, (uint8_t)a };
	*first = (uint32_t)++s->entries;
	memcpy(s->item + s->items, s->cond, s->n * sizeof *s->cond);
	s->items += s->n;
	for (size_t i = 0; i < s->vars; i++) {
		struct value v = { 0, 0 };
		layer_bound(c, s->to[s->from[i]] - 1, &v);
		s->value[s->values++] = v;
	}
}

/* Binds a cached answer's values to the problem's own inputs. */
static void bind(struct canon *s, struct chain *c, const struct value *v)
{
	layer_unbind_all(c);
	for (size_t i = 0; i < s->vars; i++)
		layer_bind(c, s->from[i], v[i]);
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	struct canon *s = l->state;
	struct chain *c = l->chain;
	if (!rename_all(s, q))
		return layer_pass(l, q);
	qsort(s->cond, s->n, sizeof *s->cond, by_number);
	uint64_t hash = hash_of(s->cond, s->n);
	struct canonical *e = lookup(s, hash);
	if (e) {
		if (e->answer == ANSWER_SAT)
			bind(s, c, s->value + e->value);
		return layer_own(l, e->answer);
	}
	for (size_t i = 0; i < s->vars; i++)
		assignment_set(
		    &s->parent, s->to[s->from[i]] - 1, assignment_get(q->parent, s->from[i]));
	struct problem down = { s->cond, s->n, 0, &s->parent };
	enum answer a = layer_pass(l, &down);
	if (a == ANSWER_UNKNOWN)
		return a;
	add(s, c, hash, a);
	if (a == ANSWER_SAT)
		bind(s, c, s->value + s->values - s->vars);
	return a;
}

static void close_layer(struct layer *l)
{
	struct canon *s = l->state;
	rewrite_clear(&s->rw);
	for (size_t i = 0; i < sizeof s->name / sizeof *s->name; i++)
		free(s->name[i]);
	free(s->to), free(s->from), free(s->cond), free(s->entry), free(s->item), free(s->value);
	map_close(&s->by_hash);
	assignment_clear(&s->parent);
	free(s);
}

const struct layer_class layer_canon = { "canon", open_layer, ask, close_layer };
