/* pairs: the pairs that EV_ALIAS events ask for, numbered over all runs. */
#include "lib/tree/inner.h"

#include <stdlib.h>

static uint64_t hash(const struct channel_pair *p)
{
	uint64_t h = paths_mix((uint64_t)p->def_unit << 32 | p->def, p->use_unit);
	h = paths_mix(h, (uint64_t)p->use << 32 | p->outcome);
	h = paths_mix(h, (uint64_t)p->site_unit << 32 | p->site);
	return paths_mix(h, (uint64_t)p->def_kind << 16 | (uint64_t)p->use_kind << 8 | p->when);
}

bool tree_pair_same(const struct channel_pair *a, const struct channel_pair *b)
{
	return a->def_unit == b->def_unit && a->def == b->def && a->use_unit == b->use_unit
	    && a->use == b->use && a->outcome == b->outcome && a->site_unit == b->site_unit
	    && a->site == b->site && a->def_kind == b->def_kind && a->use_kind == b->use_kind
	    && a->when == b->when;
}

static uint32_t *find(const struct tree *t, const struct channel_pair *p)
{
	size_t i = hash(p) & (t->pair_places - 1);
	while (t->pair_at[i] && !tree_pair_same(&t->pair[t->pair_at[i] - 1], p))
		i = (i + 1) & (t->pair_places - 1);
	return &t->pair_at[i];
}

/* Twice as many places, at most half of which are used. */
static bool enlarge(struct tree *t)
{
	size_t places = t->pair_places ? 2 * t->pair_places : 64;
	uint32_t *at = calloc(places, sizeof *at);
	if (!at)
		return false;
	free(t->pair_at);
	t->pair_at = at;
	t->pair_places = places;
	for (size_t i = 0; i < t->pairs; i++)
		*find(t, &t->pair[i]) = (uint32_t)i + 1;
	return true;
}

uint32_t tree_pair_number(struct tree *t, const struct channel_pair *p)
{
	uint32_t *at;
	if (2 * (t->pairs + 1) > t->pair_places && !enlarge(t))
		return 0;
	if (!*(at = find(t, p))) {
		if (!ROOM(t, t->pair, t->pairs, t->pairs_capacity))
			return 0;
		t->pair[t->pairs] = *p;
		*at = (uint32_t)++t->pairs;
	}
	return *at;
}
