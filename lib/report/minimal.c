/* minimal: set cover. Improves the greedy choice by branch and bound: branches on the uncovered
 * element in the fewest sets; the lower bound counts elements no two of which are in one set. */
#include "lib/report/minimal.h"
#include "lib/base/grow.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 200000000 }; /* limit of the search, in elements visited */

struct set_cover {
	const struct minimal_set *set;
	size_t sets, elements;
	size_t **holder, *holders; /* by element: the sets that contain it */
	uint32_t *times;           /* by element: number of chosen sets that contain it */
	bool *chosen, *best;
	size_t count, most; /* size of the current choice; of the best one */
	size_t steps;
};

static void choose(struct set_cover *c, size_t s, bool yes)
{
	c->chosen[s] = yes;
	c->count += yes ? 1 : (size_t)-1;
	for (size_t i = 0; i < c->set[s].n; i++)
		c->times[c->set[s].element[i]] += yes ? 1u : UINT32_MAX;
}

static size_t gain(const struct set_cover *c, size_t s)
{
	size_t n = 0;

	for (size_t i = 0; i < c->set[s].n; i++)
		n += !c->times[c->set[s].element[i]];
	return n;
}

static void choose_essential(struct set_cover *c)
{
	for (size_t e = 0; e < c->elements; e++)
		if (c->holders[e] == 1 && !c->chosen[c->holder[e][0]])
			choose(c, c->holder[e][0], true);
}

static void choose_greedily(struct set_cover *c)
{
	for (;;) {
		size_t best = 0, most = 0;
		for (size_t s = 0; s < c->sets; s++) {
			size_t n = c->chosen[s] ? 0 : gain(c, s);
			if (n > most) {
				most = n;
				best = s;
			}
		}
		if (!most)
			return;
		choose(c, best, true);
	}
}

static bool redundant(const struct set_cover *c, size_t s)
{
	for (size_t i = 0; i < c->set[s].n; i++)
		if (c->times[c->set[s].element[i]] < 2)
			return false;
	return true;
}

/* Drops redundant sets, the smallest first: they are the most likely to be contained in others. */
static void drop_redundant(struct set_cover *c)
{
	for (;;) {
		size_t least = c->sets;
		for (size_t s = 0; s < c->sets; s++)
			if (c->chosen[s] && redundant(c, s)
			    && (least == c->sets || c->set[s].n < c->set[least].n))
				least = s;
		if (least == c->sets)
			return;
		choose(c, least, false);
	}
}

/* Lower bound: uncovered elements no two of which are in one set. *rarest: the uncovered element in
 * the fewest sets. */
static size_t bound(struct set_cover *c, bool *marked, size_t *rarest)
{
	size_t n = 0;

	*rarest = c->elements;
	memset(marked, 0, c->sets * sizeof *marked);
	c->steps += c->elements;
	for (size_t e = 0; e < c->elements; e++) {
		bool alone = true;
		if (c->times[e])
			continue;
		if (*rarest == c->elements || c->holders[e] < c->holders[*rarest])
			*rarest = e;
		for (size_t k = 0; k < c->holders[e]; k++)
			alone = alone && !marked[c->holder[e][k]];
		n += alone;
		for (size_t k = 0; alone && k < c->holders[e]; k++)
			marked[c->holder[e][k]] = true;
	}
	return n;
}

static void search(struct set_cover *c, bool *marked)
{
	size_t e, needed = bound(c, marked, &e);

	if (c->count + needed >= c->most || c->steps >= STEPS)
		return;
	if (e == c->elements) {
		c->most = c->count;
		memcpy(c->best, c->chosen, c->sets * sizeof *c->best);
		return;
	}
	for (size_t k = 0; k < c->holders[e]; k++) {
		choose(c, c->holder[e][k], true);
		search(c, marked);
		choose(c, c->holder[e][k], false);
	}
}

static void *room(size_t n, size_t size)
{
	return zeroed(n + 1, size);
}

static void find_holders(struct set_cover *c)
{
	for (size_t s = 0; s < c->sets; s++)
		for (size_t i = 0; i < c->set[s].n; i++)
			c->holders[c->set[s].element[i]]++;
	for (size_t e = 0; e < c->elements; e++) {
		c->holder[e] = room(c->holders[e], sizeof **c->holder);
		c->times[e] = !c->holders[e]; /* in no set */
		c->holders[e] = 0;
	}
	for (size_t s = 0; s < c->sets; s++)
		for (size_t i = 0; i < c->set[s].n; i++) {
			size_t e = c->set[s].element[i];
			c->holder[e][c->holders[e]++] = s;
		}
}

size_t minimal_cover(
    const struct minimal_set *set, size_t sets, size_t elements, bool *chosen, bool *least)
{
	struct set_cover c = { .set = set,
		.sets = sets,
		.elements = elements,
		.holder = room(elements, sizeof *c.holder),
		.holders = room(elements, sizeof *c.holders),
		.times = room(elements, sizeof *c.times),
		.chosen = chosen,
		.best = room(sets, sizeof *c.best) };
	bool *marked = room(sets, sizeof *marked);

	memset(chosen, 0, sets * sizeof *chosen);
	find_holders(&c);
	choose_essential(&c);
	choose_greedily(&c);
	drop_redundant(&c);
	c.most = c.count;
	memcpy(c.best, chosen, sets * sizeof *chosen);
	for (size_t s = 0; s < sets; s++)
		if (chosen[s])
			choose(&c, s, false);
	choose_essential(&c);
	search(&c, marked);
	memcpy(chosen, c.best, sets * sizeof *chosen);
	*least = c.steps < STEPS;
	for (size_t e = 0; e < elements; e++)
		free(c.holder[e]);
	void *all[] = { c.holder, c.holders, c.times, c.best, marked };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
	return c.most;
}
