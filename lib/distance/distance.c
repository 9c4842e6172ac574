#include "lib/distance/distance.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

/* Nodes are the blocks of all units, and for each call a node for the rest of its block after it.
 * An edge that a branch decides costs 1, others 0. A call has edges to the entry block of its
 * callee (through a pointer: of every function whose address is taken) and to the rest of its
 * block. With `returns`, exit blocks of a callee lead to the rest of every calling block: distances
 * are lower bounds. Distances are found by a backward 0-1 breadth-first search from the wanted
 * outcomes. */

struct link {
	uint32_t from, to;
	uint32_t outcome; /* 1 + its number; 0: none */
};

struct distance {
	const struct flow *flow;
	uint32_t *block_base, *outcome_base; /* by unit: first block and outcome number */
	uint32_t nodes, outcomes;
	uint32_t *rest; /* by block: its last node */
	struct link *link;
	size_t links, capacity;
	uint32_t *in_first, *in; /* links grouped by target node */
	uint32_t *target;        /* by outcome: target block, or UINT32_MAX */
	bool *wanted, *closed;   /* by outcome */
	bool *leaf;              /* by block: exits its function; NULL: no
	                            return edges */
	uint32_t *way;           /* by node: branches to the nearest wanted
	                            outcome */
	uint32_t *queue;
	bool stale;
};

static void add_link(struct distance *d, uint32_t from, uint32_t to, uint32_t outcome)
{
	GROW(d->link, d->capacity, d->links + 1);
	d->link[d->links++] = (struct link){ from, to, outcome };
}

/* Is the edge a back edge of the harness? It leads to a further call of the entry, which is
 * ignored: usually the entry is called once. */
static bool is_next_call(const struct flow_unit *u, const struct flow_edge *e)
{
	uint32_t func = u->block_func[e->from - 1];

	return func && u->func[func - 1].is_harness && e->to <= e->from;
}

static void add_edges(struct distance *d, uint32_t unit)
{
	const struct flow_unit *u = &d->flow->unit[unit];
	uint32_t base = d->block_base[unit] - 1; /* ids start at 1 */
	for (size_t i = 0; i < u->edges; i++) {
		const struct flow_edge *e = &u->edge[i];
		uint32_t outcome = 0;
		if (is_next_call(u, e))
			continue;
		if (e->branch) {
			uint32_t o = d->outcome_base[unit] + e->outcome;
			if (o < d->outcomes) {
				d->target[o] = base + e->to;
				outcome = o + 1;
			}
		}
		add_link(d, d->rest[base + e->from], base + e->to, outcome);
		if (d->leaf)
			d->leaf[base + e->from] = false;
	}
}

/* A conditional value (kind 'q') has no edges: its outcomes lead back to its own block. */
static void add_selects(struct distance *d, uint32_t unit)
{
	const struct flow_unit *u = &d->flow->unit[unit];
	for (size_t i = 0; i < u->branches; i++) {
		uint32_t o = d->outcome_base[unit] + u->branch[i].first;
		uint32_t block = d->block_base[unit] + u->branch[i].block - 1;
		if (u->branch[i].kind != 'q' || !u->branch[i].block || o + 1 >= d->outcomes)
			continue;
		d->target[o] = d->target[o + 1] = block;
		add_link(d, d->rest[block], block, o + 1);
		add_link(d, d->rest[block], block, o + 2);
	}
}

/* Adds the edges of a call at `node` to function f of unit v; `rest` is the node it returns to. */
static void add_callee(struct distance *d, uint32_t node, uint32_t rest, const struct flow_unit *v,
    const struct flow_func *f)
{
	uint32_t first = d->block_base[v - d->flow->unit] + f->first_block - 1;
	if (!f->blocks)
		return;
	add_link(d, node, first, 0);
	for (uint32_t i = first; d->leaf && i < first + f->blocks; i++)
		if (d->leaf[i])
			add_link(d, d->rest[i], rest, 0);
}

static void add_pointed(struct distance *d, uint32_t node, uint32_t rest)
{
	for (const struct flow_unit *v = d->flow->unit; v < d->flow->unit + d->flow->units; v++)
		for (size_t i = 0; i < v->funcs; i++)
			if (v->func[i].address_taken)
				add_callee(d, node, rest, v, &v->func[i]);
}

/* Adds the calls of a unit; `rest` is the node of its first call. */
static void add_calls(
    struct distance *d, uint32_t unit, uint32_t rest, const struct flow_names *names)
{
	const struct flow_unit *u = &d->flow->unit[unit];
	for (size_t i = 0; i < u->calls; i++, rest++) {
		struct flow_meaning m;
		bool found =
		    u->call[i].callee && flow_names_find(names, unit, u->call[i].callee, &m);
		const struct flow_unit *v = found ? &d->flow->unit[m.unit] : NULL;
		const struct flow_func *f = found ? &v->func[m.func] : NULL;
		uint32_t block = d->block_base[unit] + u->call[i].block - 1, node = block;
		if (!u->call[i].block)
			continue;
		if (i && u->call[i - 1].block == u->call[i].block)
			node = rest - 1;
		if (!f || !f->no_return)
			add_link(d, node, rest, 0);
		if (f)
			add_callee(d, node, rest, v, f);
		else if (!u->call[i].callee)
			add_pointed(d, node, rest);
	}
}

/* Finds the last node of each block: that of its last call, if any. */
static void find_rests(struct distance *d, uint32_t blocks)
{
	uint32_t call = blocks;
	for (uint32_t b = 0; b < blocks; b++)
		d->rest[b] = b;
	for (size_t i = 0; i < d->flow->units; i++)
		for (size_t k = 0; k < d->flow->unit[i].calls; k++, call++)
			if (d->flow->unit[i].call[k].block)
				d->rest[d->block_base[i] + d->flow->unit[i].call[k].block - 1] =
				    call;
}

/* Groups links by target. */
static void index_links(struct distance *d)
{
	uint32_t *at;
	d->in_first = zeroed(d->nodes + 1u, sizeof *d->in_first);
	d->in = reserved(d->links + 1, sizeof *d->in);
	at = reserved(d->nodes + 1u, sizeof *at);
	for (size_t i = 0; i < d->links; i++)
		d->in_first[d->link[i].to + 1]++;
	for (uint32_t n = 0; n < d->nodes; n++)
		d->in_first[n + 1] += d->in_first[n];
	memcpy(at, d->in_first, (d->nodes + 1u) * sizeof *at);
	for (size_t i = 0; i < d->links; i++)
		d->in[at[d->link[i].to]++] = (uint32_t)i;
	free(at);
}

/* Allocates all arrays but links. Sets nodes to the number of blocks and calls, *blocks to that of
 * blocks. */
static void make_room(struct distance *d, uint32_t *blocks)
{
	const struct flow *f = d->flow;
	uint32_t calls = 0;
	d->block_base = zeroed(f->units + 1, sizeof *d->block_base);
	d->outcome_base = zeroed(f->units + 1, sizeof *d->outcome_base);
	for (size_t i = 0; i < f->units; i++) {
		d->block_base[i] = *blocks;
		d->outcome_base[i] = d->outcomes;
		*blocks += f->unit[i].blocks;
		calls += (uint32_t)f->unit[i].calls;
		d->outcomes += f->unit[i].outcomes;
	}
	d->nodes = *blocks + calls;
	d->rest = reserved(*blocks + 1u, sizeof *d->rest);
	d->target = reserved(d->outcomes + 1u, sizeof *d->target);
	d->wanted = zeroed(d->outcomes + 1u, sizeof *d->wanted);
	d->closed = zeroed(d->outcomes + 1u, sizeof *d->closed);
	d->way = reserved(d->nodes + 1u, sizeof *d->way);
	d->queue = reserved(2u * d->nodes + 2u, sizeof *d->queue);
}

static void make_links(struct distance *d, uint32_t blocks, bool returns)
{
	struct flow_names *names = flow_names_new(d->flow);
	uint32_t call = blocks;
	find_rests(d, blocks);
	memset(d->target, 0xff, (d->outcomes + 1u) * sizeof *d->target);
	if (returns) {
		d->leaf = reserved(blocks + 1u, sizeof *d->leaf);
		memset(d->leaf, true, blocks);
	}
	for (uint32_t i = 0; i < d->flow->units; i++) {
		add_edges(d, i);
		add_selects(d, i);
	}
	for (uint32_t i = 0; i < d->flow->units; i++) {
		add_calls(d, i, call, names);
		call += (uint32_t)d->flow->unit[i].calls;
	}
	flow_names_free(names);
	index_links(d);
}

struct distance *distance_new(const struct flow *f, bool returns)
{
	struct distance *d = zeroed(1, sizeof *d);
	uint32_t blocks = 0;
	d->flow = f;
	d->stale = true;
	make_room(d, &blocks);
	make_links(d, blocks, returns);
	return d;
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
	free(d->closed);
	free(d->leaf);
	free(d->rest);
	free(d->way);
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

void distance_close(struct distance *d, uint32_t unit, uint32_t outcome, bool closed)
{
	uint32_t o;
	if (unit >= d->flow->units || outcome >= d->flow->unit[unit].outcomes)
		return;
	o = d->outcome_base[unit] + outcome;
	d->stale |= d->closed[o] != closed;
	d->closed[o] = closed;
}

static bool is_closed(const struct distance *d, const struct link *l)
{
	return l->outcome && d->closed[l->outcome - 1];
}

/* Relaxes the predecessors of a node. The current level is queue[0..end); the next level starts at
 * queue[nodes + 1]. A node is at most once in each. */
static void relax(struct distance *d, uint32_t node, uint32_t now, uint32_t *end, uint32_t *next)
{
	for (uint32_t i = d->in_first[node]; i < d->in_first[node + 1]; i++) {
		const struct link *l = &d->link[d->in[i]];
		if (is_closed(d, l) || d->way[l->from] <= now + (l->outcome != 0))
			continue;
		d->way[l->from] = now + (l->outcome != 0);
		if (l->outcome)
			d->queue[d->nodes + 1 + (*next)++] = l->from;
		else
			d->queue[(*end)++] = l->from;
	}
}

static void refresh(struct distance *d)
{
	uint32_t end = 0, next = 0;
	memset(d->way, 0xff, (d->nodes + 1u) * sizeof *d->way);
	/* edges with a wanted outcome have distance 1 */
	for (size_t i = 0; i < d->links; i++) {
		const struct link *l = &d->link[i];
		if (l->outcome && d->wanted[l->outcome - 1] && !is_closed(d, l)
		    && d->way[l->from] != 1) {
			d->way[l->from] = 1;
			d->queue[end++] = l->from;
		}
	}
	for (uint32_t now = 1; end; now++) {
		next = 0;
		for (uint32_t i = 0; i < end; i++) {
			uint32_t node = d->queue[i];
			if (d->way[node] == now)
				relax(d, node, now, &end, &next);
		}
		memcpy(d->queue, d->queue + d->nodes + 1, next * sizeof *d->queue);
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
	return d->target[o] == UINT32_MAX ? DISTANCE_NONE : d->way[d->target[o]];
}
