#include "lib/guide/inner.h"

#include "lib/base/grow.h"
#include "lib/base/search.h"

#include <stdlib.h>
#include <string.h>

struct guide *guide_new(struct defuse *d, const struct tree *t)
{
	struct guide *g = zeroed(1, sizeof *g);
	const struct flow *fl = d->flow;
	size_t blocks = 0;
	g->d = d;
	g->t = t;
	g->base = zeroed(fl->units + 1, sizeof *g->base);
	for (size_t i = 0; i <= fl->units; i++) {
		g->base[i] = (uint32_t)blocks;
		blocks += i < fl->units ? fl->unit[i].blocks : 0;
	}
	g->insts = zeroed(blocks + 1, sizeof *g->insts);
	g->first = zeroed(blocks + 1, sizeof *g->first);
	g->covered = zeroed(blocks + 1, sizeof *g->covered);
	g->segments = g->nodes = 1;
	GROW(g->segment, g->segment_room, 1);
	GROW(g->node, g->node_room, 1);
	for (uint32_t u = 0; u < fl->units; u++)
		for (uint32_t i = 0; i < fl->unit[u].insts; i++) {
			uint32_t block = g->base[u] + fl->unit[u].inst_block[i] - 1;
			g->insts[block]++;
			if (!g->first[block])
				g->first[block] = i + 1;
		}
	return g;
}

void guide_free(struct guide *g)
{
	if (!g)
		return;
	map_close(&g->by_hash);
	void *all[] = { g->base, g->insts, g->first, g->covered, g->block, g->segment, g->node,
		g->unit_of, g->way, g->gone, g };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
}

/* ---- segments: the blocks between two consecutive conditions */

/* The number of the segment in g->way, added if new. */
static uint32_t intern(struct guide *g)
{
	uint64_t h = 0xcbf29ce484222325u;
	uint32_t *at, i;
	bool fresh;
	if (!g->ways)
		return 0;
	for (size_t k = 0; k < g->ways; k++)
		h = (h ^ g->way[k]) * 0x100000001b3u, h ^= h >> 29;
	for (;; h = h * 0x9e3779b97f4a7c15u + 1) {
		at = map_at(&g->by_hash, h ? h : 1, &fresh);
		i = *at;
		if (!i)
			break;
		if (g->segment[i].n == g->ways
		    && !memcmp(g->block + g->segment[i].first, g->way, g->ways * sizeof *g->way))
			return i;
	}
	GROW(g->segment, g->segment_room, g->segments + 1);
	for (size_t k = 0; k < g->ways; k++) {
		GROW(g->block, g->block_room, g->blocks + k + 1);
		g->block[g->blocks + k] = g->way[k];
	}
	g->segment[g->segments] = (struct block_range){ g->blocks, (uint32_t)g->ways };
	g->blocks += g->ways;
	return *at = g->segments++;
}

/* 1 + index in the flow of a trace's unit; 0: not in the flow. All traces number units alike. */
static uint32_t unit_of(struct guide *g, const struct trace *tr, uint32_t unit)
{
	while (g->units < tr->units) {
		const struct flow_unit *u = flow_unit_by_key(g->d->flow, tr->unit[g->units].key);
		GROW(g->unit_of, g->unit_room, g->units + 1);
		g->unit_of[g->units++] = u ? (uint32_t)(u - g->d->flow->unit) + 1 : 0;
	}
	return unit < tr->units ? g->unit_of[unit] : 0;
}

/* Block number over all units; UINT32_MAX: not in the flow. */
static uint32_t block_of(struct guide *g, const struct trace *tr, uint32_t unit, uint32_t block)
{
	uint32_t u = unit_of(g, tr, unit);
	return u && block && block <= g->d->flow->unit[u - 1].blocks ? g->base[u - 1] + block - 1
	                                                             : UINT32_MAX;
}

static void pass(struct guide *g, struct guide_node *n, uint32_t block)
{
	n->since += g->insts[block];
	if (!g->covered[block]) {
		g->covered[block] = true;
		n->since = 0;
	}
	n->at = block + 1;
	GROW(g->way, g->way_room, g->ways + 1);
	g->way[g->ways++] = block;
}

static int by_events(const void *events, const void *step)
{
	size_t a = *(const size_t *)events, b = ((const struct trace_step *)step)->events;

	return (a > b) - (a < b);
}

/* The first step of the trace at or after an event number. */
static size_t step_at(const struct trace *tr, size_t events)
{
	return lower_bound(&events, tr->step, tr->path, sizeof *tr->step, by_events);
}

/* Notes which condition of the program an event is. */
static void name_condition(
    struct guide *g, struct guide_node *n, const struct trace *tr, size_t event)
{
	const struct channel_event *e = event < tr->events ? &tr->event[event] : NULL;
	uint32_t u =
	    e && (e->kind == EV_BRANCH || e->kind == EV_SWITCH) ? unit_of(g, tr, e->unit) : 0;

	if (u && e->id && e->id <= g->d->flow->unit[u - 1].branches) {
		n->unit = u;
		n->branch = e->id;
	}
}

/* A trace without recorded blocks still has those of its conditions. */
static void pass_condition(
    struct guide *g, struct guide_node *n, const struct trace *tr, size_t event)
{
	const struct channel_event *e = &tr->event[event];
	uint32_t u = unit_of(g, tr, e->unit), block;
	if (tr->path || !u || (e->kind != EV_BRANCH && e->kind != EV_SWITCH)
	    || e->id > g->d->flow->unit[u - 1].branches)
		return;
	block = block_of(g, tr, e->unit, g->d->flow->unit[u - 1].branch[e->id - 1].block);
	if (block != UINT32_MAX)
		pass(g, n, block);
}

/* May inputs with the same path write to another address, or has an effect been lost that no
 * expression describes? */
static bool may_differ(const struct trace *tr, const struct channel_event *e)
{
	return e->kind == EV_LOST
	    || (e->kind == EV_BOUNDS && e->y && e->y <= tr->addresses
	        && tr->address[e->y - 1].array_after);
}

/* Records a definition of which no byte is left. */
static void lose(
    struct guide *g, struct guide_node *n, const struct trace *tr, const struct trace_step *s)
{
	uint32_t u = n->unsure ? 0 : unit_of(g, tr, s->unit);
	if (!u)
		return;
	GROW(g->gone, g->gone_room, g->gones + (size_t)1);
	g->gone[g->gones++] = guide_definition(u - 1, s->kind == DUCT_PAIR_LIBRARY, s->def);
	n->gones++;
}

static void add_step(struct guide *g, const struct trace *tr, const struct tree_step *s)
{
	struct guide_node n = { .up = s->up };
	if (s->up < g->nodes) {
		n.since = g->node[s->up].since;
		n.at = g->node[s->up].at;
		n.unsure = g->node[s->up].unsure;
	}
	for (size_t i = s->from; i <= s->to && i < tr->events; i++)
		n.unsure |= may_differ(tr, &tr->event[i]);
	g->ways = 0;
	n.gone = g->gones;
	for (size_t i = step_at(tr, s->from); i < tr->path && tr->step[i].events <= s->to; i++) {
		uint32_t block = block_of(g, tr, tr->step[i].unit, tr->step[i].block);
		if (block != UINT32_MAX)
			pass(g, &n, block);
		else if (!tr->step[i].block)
			lose(g, &n, tr, &tr->step[i]);
	}
	pass_condition(g, &n, tr, s->to);
	name_condition(g, &n, tr, s->to);
	n.segment = intern(g);
	GROW(g->node, g->node_room, (size_t)s->node + 1);
	if (g->nodes <= s->node)
		g->nodes = s->node + 1;
	g->node[s->node] = n;
}

void guide_add(struct guide *g, const struct trace *tr)
{
	size_t n;
	const struct tree_step *s = tree_steps(g->t, &n);
	for (size_t i = 0; i < n; i++)
		add_step(g, tr, &s[i]);
	for (size_t i = 0; i < tr->blocks; i++) {
		uint32_t block = block_of(g, tr, tr->block[i].unit, tr->block[i].block);
		if (block != UINT32_MAX)
			g->covered[block] = true;
	}
}

void guide_keep(struct guide *g, pending b, uint64_t test)
{
	size_t n;
	const struct tree_step *s = tree_steps(g->t, &n);
	uint32_t node = n ? s[n - 1].node : b ? tree_node(g->t, b) : 0;

	for (; node && node < g->nodes && !g->node[node].test; node = g->node[node].up)
		g->node[node].test = (uint32_t)test;
}

uint32_t guide_nodes(const struct guide *g)
{
	return g->nodes;
}
