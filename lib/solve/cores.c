/* cores: known unsatisfiable conjunctions (cores); every superset is unsatisfiable too. A core is
 * indexed by its newest condition (the largest number), so a query only tests the cores indexed by
 * its own conditions. */
#include "lib/solve/layer.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST 256     /* maximum number of conditions in a core */
#define MOST_TRIED 512  /* maximum number of cores tested per query */
#define MOST (1u << 22) /* maximum number of conditions of all cores */

struct core {
	uint32_t next, first, n;
};

struct cores {
	struct core *core;
	size_t cores, core_cap; /* number 0 is unused */
	expr *item;
	size_t items, item_cap;
	uint32_t *head;
	size_t head_cap; /* by expression: its newest core */
	struct parts parts;
};

struct cores *cores_new(void)
{
	struct cores *s = zeroed(1, sizeof *s);
	s->cores = 1;
	return s;
}

void cores_free(struct cores *s)
{
	free(s->core), free(s->item), free(s->head);
	parts_clear(&s->parts);
	free(s);
}

static bool inside(const struct cores *s, const struct core *c)
{
	for (uint32_t i = 0; i < c->n; i++)
		if (!parts_has(&s->parts, s->item[c->first + i]))
			return false;
	return true;
}

static void mark(struct cores *s, struct expr_pool *p, const expr *cond, size_t n)
{
	parts_start(&s->parts, p);
	s->parts.doubt = false;
	for (size_t i = 0; i < n; i++)
		parts_add(&s->parts, cond[i]);
}

bool cores_known(struct cores *s, struct expr_pool *p, const expr *cond, size_t n)
{
	uint32_t tried = 0;
	mark(s, p, cond, n);
	for (size_t i = 0; i < s->parts.n; i++) {
		expr e = s->parts.cond[i];
		for (uint32_t k = e < s->head_cap ? s->head[e] : 0; k && tried < MOST_TRIED;
		    k = s->core[k].next, tried++)
			if (inside(s, &s->core[k]))
				return true;
	}
	return false;
}

static void add(struct cores *s)
{
	expr newest = 0;
	if (!s->parts.n || s->parts.n > LONGEST || s->items > MOST)
		return;
	s->core = grow(s->core, &s->core_cap, s->cores + 1, sizeof *s->core);
	s->item = grow(s->item, &s->item_cap, s->items + s->parts.n, sizeof *s->item);
	for (size_t i = 0; i < s->parts.n; i++)
		if (s->parts.cond[i] > newest)
			newest = s->parts.cond[i];
	s->head = grow(s->head, &s->head_cap, (size_t)newest + 1, sizeof *s->head);
	s->core[s->cores] =
	    (struct core){ s->head[newest], (uint32_t)s->items, (uint32_t)s->parts.n };
	s->head[newest] = (uint32_t)s->cores++;
	memcpy(s->item + s->items, s->parts.cond, s->parts.n * sizeof *s->item);
	s->items += s->parts.n;
}

void cores_add(struct cores *s, struct expr_pool *p, const expr *cond, size_t n)
{
	mark(s, p, cond, n);
	add(s);
}

static bool open_layer(struct layer *l, char **error)
{
	(void)error;
	l->state = cores_new();
	return true;
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	struct cores *s = l->state;
	if (cores_known(s, l->chain->p, q->cond, q->n))
		return layer_own(l, ANSWER_UNSAT);
	enum answer a = layer_pass(l, q);
	/* Answers that other layers find quickly are not stored. No lower layer calls this one
	 * again, so s->parts still has q's parts. */
	if (a == ANSWER_UNSAT && (l->chain->by_engine || l->chain->why == layer_search.name))
		add(s);
	return a;
}

static void close_layer(struct layer *l)
{
	cores_free(l->state);
}

const struct layer_class layer_cores = { "cores", open_layer, ask, close_layer };
