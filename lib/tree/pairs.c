/* pairs: the pairs that EV_ALIAS events ask for, numbered over all runs. */
#include "lib/tree/inner.h"

#include "lib/base/grow.h"

static uint64_t key_of(const struct channel_pair *p)
{
	uint64_t h = tree_mix((uint64_t)p->def_unit << 32 | p->def, p->use_unit);
	h = tree_mix(h, (uint64_t)p->use << 32 | p->outcome);
	h = tree_mix(h, (uint64_t)p->site_unit << 32 | p->site);
	h = tree_mix(h, (uint64_t)p->def_kind << 16 | (uint64_t)p->use_kind << 8 | p->when);
	return h ? h : 1;
}

bool tree_pair_same(const struct channel_pair *a, const struct channel_pair *b)
{
	return a->def_unit == b->def_unit && a->def == b->def && a->use_unit == b->use_unit
	    && a->use == b->use && a->outcome == b->outcome && a->site_unit == b->site_unit
	    && a->site == b->site && a->def_kind == b->def_kind && a->use_kind == b->use_kind
	    && a->when == b->when;
}

uint32_t tree_pair_number(struct tree *t, const struct channel_pair *p)
{
	bool fresh;
	uint32_t *first = map_at(&t->pair_at, key_of(p), &fresh), i = *first;
	while (i && !tree_pair_same(&t->pair[i - 1].pair, p))
		i = t->pair[i - 1].next;
	if (i)
		return i;
	*PUSH(t->pair, t->pairs) = (struct tree_possible){ *p, *first };
	return *first = (uint32_t)t->pairs;
}
