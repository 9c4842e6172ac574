/* rup: two watched literals a clause; what is true without assumptions stays on the trail. */
#include "lib/blast/rup.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

struct watches {
	uint32_t *at;
	size_t n, cap;
}; /* clauses, by their place in the pool */

struct rup {
	int *pool;
	size_t used, room; /* length, then literals; the first two are watched */
	struct watches *watch;
	size_t watch_cap; /* by index of a literal */
	int8_t *value;
	size_t value_cap; /* likewise: 1 true, -1 false, 0 open */
	int *trail;
	size_t trails, trail_cap;
	size_t done;     /* of the trail, propagated */
	size_t literals; /* indices in use */
	uint64_t steps;  /* left */
	bool refuted, gave_up;
};

static size_t index_of(int l)
{
	return 2 * (size_t)abs(l) + (l < 0);
}

struct rup *rup_new(uint64_t steps)
{
	struct rup *r = zeroed(1, sizeof *r);
	r->steps = steps;
	return r;
}

void rup_free(struct rup *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->watch_cap; i++)
		free(r->watch[i].at);
	free(r->pool), free(r->watch), free(r->value), free(r->trail);
	free(r);
}

/* grow() makes room that is zero. */
static void know(struct rup *r, const int *l, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (2 * (size_t)abs(l[i]) + 2 > r->literals)
			r->literals = 2 * (size_t)abs(l[i]) + 2;
	r->watch = grow(r->watch, &r->watch_cap, r->literals, sizeof *r->watch);
	r->value = grow(r->value, &r->value_cap, r->literals, sizeof *r->value);
	r->trail = grow(r->trail, &r->trail_cap, r->literals, sizeof *r->trail);
}

static int value(const struct rup *r, int l)
{
	return r->value[index_of(l)];
}

static void assign(struct rup *r, int l)
{
	r->value[index_of(l)] = 1;
	r->value[index_of(-l)] = -1;
	r->trail[r->trails++] = l;
}

static void watch(struct rup *r, int l, uint32_t clause)
{
	struct watches *w = &r->watch[index_of(l)];
	w->at = grow(w->at, &w->cap, w->n + 1, sizeof *w->at);
	w->at[w->n++] = clause;
}

/* Handles a clause of whose two watched literals one, l, has become false. True: it watches another
 * literal now. False: it is unit or violated, and its first literal is the only one that may hold.
 */
static bool moved(struct rup *r, uint32_t clause, int l)
{
	int *c = r->pool + clause + 1;
	size_t n = (size_t)c[-1];
	if (c[0] == l)
		c[0] = c[1], c[1] = l;
	if (value(r, c[0]) > 0)
		return false;
	for (size_t i = 2; i < n; i++) {
		if (value(r, c[i]) < 0)
			continue;
		c[1] = c[i], c[i] = l;
		watch(r, c[1], clause);
		return true;
	}
	return false;
}

/* False when a clause is violated, or the steps are over. */
static bool propagate(struct rup *r)
{
	while (r->done < r->trails) {
		int l = -r->trail[r->done++];
		size_t w = index_of(l), from = 0, to = 0;
		bool good = true;
		for (; from < r->watch[w].n; from++) {
			uint32_t clause = r->watch[w].at[from];
			if (good && !r->steps--)
				r->steps = 0, r->gave_up = true, good = false;
			if (good && moved(r, clause, l))
				continue;
			r->watch[w].at[to++] = clause;
			int first = r->pool[clause + 1];
			if (good && value(r, first) < 0)
				good = false;
			else if (good && !value(r, first))
				assign(r, first);
		}
		r->watch[w].n = to;
		if (!good)
			return false;
	}
	return true;
}

/* Takes back what was assigned behind the first `n`, which are propagated. */
static void back_to(struct rup *r, size_t n)
{
	while (r->trails > n) {
		int l = r->trail[--r->trails];
		r->value[index_of(l)] = r->value[index_of(-l)] = 0;
	}
	r->done = n;
}

/* Literals that are not false come first. */
static size_t sort(const struct rup *r, int *c, size_t n)
{
	size_t open = 0;
	for (size_t i = 0; i < n && open < 2; i++)
		if (value(r, c[i]) >= 0) {
			int l = c[i];
			c[i] = c[open], c[open++] = l;
		}
	return open;
}

static void keep(struct rup *r, const int *l, size_t n)
{
	size_t at = r->used, open;
	if (r->used + n + 1 > UINT32_MAX || n > INT32_MAX) {
		r->gave_up = true;
		return;
	}
	r->pool = grow(r->pool, &r->room, r->used + n + 1, sizeof *r->pool);
	r->pool[at] = (int)n;
	memcpy(r->pool + at + 1, l, n * sizeof *l);
	open = sort(r, r->pool + at + 1, n);
	if (open == 0) {
		r->refuted = !r->gave_up;
		return;
	}
	if (open == 1) { /* nothing takes a literal back that is assigned now */
		if (!value(r, r->pool[at + 1]))
			assign(r, r->pool[at + 1]);
		r->refuted = !propagate(r) && !r->gave_up;
		return;
	}
	r->used += n + 1;
	watch(r, r->pool[at + 1], (uint32_t)at);
	watch(r, r->pool[at + 2], (uint32_t)at);
}

void rup_given(struct rup *r, const int *l, size_t n)
{
	if (r->refuted || r->gave_up)
		return;
	know(r, l, n);
	keep(r, l, n);
}

/* Does the clause follow from those so far by unit propagation? */
static bool follows(struct rup *r, const int *l, size_t n)
{
	size_t before = r->trails;
	bool conflict = false;
	for (size_t i = 0; i < n && !conflict; i++)
		if (value(r, l[i]) > 0)
			conflict = true;
		else if (!value(r, l[i]))
			assign(r, -l[i]);
	conflict = conflict || !propagate(r);
	back_to(r, before);
	return conflict && !r->gave_up;
}

void rup_learned(struct rup *r, const int *l, size_t n)
{
	if (r->refuted || r->gave_up)
		return;
	know(r, l, n);
	if (follows(r, l, n))
		keep(r, l, n);
}

bool rup_refuted(const struct rup *r)
{
	return r->refuted;
}
