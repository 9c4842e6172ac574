#include "lib/distance/distance.h"

#include <stdlib.h>
#include <string.h>

/* Blocks of all units are numbered through. An edge costs 1 when a branch decides it, else
 * nothing; a call is an edge from its block to the entry block of what is called. Distances
 * are found backwards from the blocks behind wanted outcomes by a breadth-first search with
 * two kinds of edges (0 and 1). */

struct link { uint32_t from, to; uint32_t outcome; };  /* outcome: 1 + its number, 0 for none */

struct distance {
	const struct flow *flow;
	uint32_t *block_base, *outcome_base;           /* of each unit */
	uint32_t blocks, outcomes;
	struct link *link; size_t links, capacity;
	uint32_t *in_first, *in;                       /* links into each block */
	uint32_t *target;                              /* of each outcome: block, or UINT32_MAX */
	bool *wanted;
	uint32_t *of_block;                            /* branches from its start to a wanted outcome */
	uint32_t *queue;
	bool stale, failed;
};

static void add_link(struct distance *d, uint32_t from, uint32_t to, uint32_t outcome)
{
	if (d->links == d->capacity) {
		size_t more = d->capacity ? d->capacity * 2 : 1024;
		struct link *link = realloc(d->link, more * sizeof *link);
		if (!link) {
			d->failed = true;
			return;
		}
		d->link = link;
		d->capacity = more;
	}
	d->link[d->links++] = (struct link){ from, to, outcome };
}

static void add_edges(struct distance *d, uint32_t unit)
{
	const struct flow_unit *u = &d->flow->unit[unit];
	uint32_t base = d->block_base[unit] - 1;       /* ids are from 1 */
	for (size_t i = 0; i < u->edges; i++) {
		const struct flow_edge *e = &u->edge[i];
		uint32_t outcome = 0;
		if (e->branch) {
			uint32_t o = d->outcome_base[unit] + e->outcome;
			if (o < d->outcomes) {
				d->target[o] = base + e->to;
				outcome = o + 1;
			}
		}
		add_link(d, base + e->from, base + e->to, outcome);
	}
}

/* A condition that chooses a value has no edges: its outcomes lead back to its own block. */
static void add_selects(struct distance *d, uint32_t unit)
{
	const struct flow_unit *u = &d->flow->unit[unit];
	for (size_t i = 0; i < u->branches; i++) {
		uint32_t o = d->outcome_base[unit] + u->branch[i].first;
		uint32_t block = d->block_base[unit] + u->branch[i].block - 1;
		if (u->branch[i].kind != 'q' || !u->branch[i].block || o + 1 >= d->outcomes)
			continue;
		d->target[o] = d->target[o + 1] = block;
		add_link(d, block, block, o + 1);
		add_link(d, block, block, o + 2);
	}
}

static void add_calls(struct distance *d, uint32_t unit)
{
	const struct flow_unit *u = &d->flow->unit[unit], *v;
	for (size_t i = 0; i < u->calls; i++) {
		const struct flow_func *f = u->call[i].callee ? flow_find(d->flow, u->call[i].callee, &v) : NULL;
		if (f && f->blocks && u->call[i].block)
			add_link(d, d->block_base[unit] + u->call[i].block - 1,
			         d->block_base[v - d->flow->unit] + f->first_block - 1, 0);
	}
}

/* Sorts links by target. */
static bool index_links(struct distance *d)
{
	uint32_t *at;
	d->in_first = calloc(d->blocks + 1u, sizeof *d->in_first);
	d->in = malloc((d->links + 1) * sizeof *d->in);
	at = malloc((d->blocks + 1u) * sizeof *at);
	if (!d->in_first || !d->in || !at) {
		free(at);
		return false;
	}
	for (size_t i = 0; i < d->links; i++)
		d->in_first[d->link[i].to + 1]++;
	for (uint32_t b = 0; b < d->blocks; b++)
		d->in_first[b + 1] += d->in_first[b];
	memcpy(at, d->in_first, (d->blocks + 1u) * sizeof *at);
	for (size_t i = 0; i < d->links; i++)
		d->in[at[d->link[i].to]++] = (uint32_t)i;
	free(at);
	return true;
}

struct distance *distance_new(const struct flow *f)
{
	struct distance *d = calloc(1, sizeof *d);
	if (!d)
		return NULL;
	d->flow = f;
	d->block_base = calloc(f->units + 1, sizeof *d->block_base);
	d->outcome_base = calloc(f->units + 1, sizeof *d->outcome_base);
	for (size_t i = 0; d->block_base && d->outcome_base && i < f->units; i++) {
		d->block_base[i] = d->blocks;
		d->outcome_base[i] = d->outcomes;
		d->blocks += f->unit[i].blocks;
		d->outcomes += f->unit[i].outcomes;
	}
	d->target = malloc((d->outcomes + 1u) * sizeof *d->target);
	d->wanted = calloc(d->outcomes + 1u, sizeof *d->wanted);
	d->of_block = malloc((d->blocks + 1u) * sizeof *d->of_block);
	d->queue = malloc((2u * d->blocks + 2u) * sizeof *d->queue);
	if (!d->block_base || !d->outcome_base || !d->target || !d->wanted || !d->of_block || !d->queue) {
		distance_free(d);
		return NULL;
	}
	memset(d->target, 0xff, (d->outcomes + 1u) * sizeof *d->target);
	for (uint32_t i = 0; i < f->units; i++) {
		add_edges(d, i);
		add_selects(d, i);
		add_calls(d, i);
	}
	d->stale = true;
	if (!d->failed && index_links(d))
		return d;
	distance_free(d);
	return NULL;
}

void distance_free(struct distance *d)
{
	if (!d)
		return;
	free(d->block_base);
	free(d->outcome_base);
	free(d->link);
	free(d->in_first);
	free(d->in);
	free(d->target);
	free(d->wanted);
	free(d->of_block);
	free(d->queue);
	free(d);
}

void distance_want(struct distance *d, uint32_t unit, uint32_t outcome, bool wanted)
{
	uint32_t o;
	if (unit >= d->flow->units || outcome >= d->flow->unit[unit].outcomes)
		return;
	o = d->outcome_base[unit] + outcome;
	d->stale |= d->wanted[o] != wanted;
	d->wanted[o] = wanted;
}

/* Passes the distance of a block on to those before it: the current level of the search is
 * queue[0..end), the next is gathered behind the first blocks+1 places. A block is at most once in each. */
static void relax(struct distance *d, uint32_t block, uint32_t now, uint32_t *end, uint32_t *next)
{
	for (uint32_t i = d->in_first[block]; i < d->in_first[block + 1]; i++) {
		const struct link *l = &d->link[d->in[i]];
		if (d->of_block[l->from] <= now + (l->outcome != 0))
			continue;
		d->of_block[l->from] = now + (l->outcome != 0);
		if (l->outcome)
			d->queue[d->blocks + 1 + (*next)++] = l->from;
		else
			d->queue[(*end)++] = l->from;
	}
}

static void refresh(struct distance *d)
{
	uint32_t end = 0, next = 0;
	memset(d->of_block, 0xff, (d->blocks + 1u) * sizeof *d->of_block);
	/* Blocks that end in a wanted outcome are one branch away. */
	for (size_t i = 0; i < d->links; i++) {
		const struct link *l = &d->link[i];
		if (l->outcome && d->wanted[l->outcome - 1] && d->of_block[l->from] != 1) {
			d->of_block[l->from] = 1;
			d->queue[end++] = l->from;
		}
	}
	for (uint32_t now = 1; end; now++) {
		next = 0;
		for (uint32_t i = 0; i < end; i++) {
			uint32_t b = d->queue[i];
			if (d->of_block[b] == now)
				relax(d, b, now, &end, &next);
		}
		memcpy(d->queue, d->queue + d->blocks + 1, next * sizeof *d->queue);
		end = next;
	}
	d->stale = false;
}

uint32_t distance_get(struct distance *d, uint32_t unit, uint32_t outcome)
{
	uint32_t o;
	if (unit >= d->flow->units || outcome >= d->flow->unit[unit].outcomes)
		return DISTANCE_NONE;
	o = d->outcome_base[unit] + outcome;
	if (d->wanted[o])
		return 0;
	if (d->stale)
		refresh(d);
	return d->target[o] == UINT32_MAX ? DISTANCE_NONE : d->of_block[d->target[o]];
}
