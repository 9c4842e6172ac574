/* shared: which blocks guard others, and which blocks are merged. A block guards another one if
 * decisions about its inputs decide whether decisions about the other one's inputs are reached. A
 * guarded block is explored once for each path of its guard, so that two blocks with the same guard
 * need not be varied together. Blocks are merged where sharing gains nothing: blocks that guard
 * each other; several blocks that guard the same block, unless one of them guards the other; and a
 * block with the only block that it guards. */
#include "lib/partition/partition.h"

#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

struct settler {
	struct partition *p;
	uint32_t *up;             /* by input: union-find of what becomes one */
	uint32_t *above, *depth;  /* by block: the block that guards it directly; how many do */
	uint32_t *first, *next;   /* edges into a block: first[block], next[edge] */
	uint32_t *order, ordered; /* blocks, guards first */
	uint32_t *low, *seen, *stack, clock, stacked;
	uint32_t *given; /* by block: was it given? */
	bool changed, kept_apart;
};

static uint32_t top(const struct settler *s, uint32_t input)
{
	while (s->up[input] != input)
		input = s->up[input] = s->up[s->up[input]];
	return input;
}

static uint32_t from(const struct settler *s, size_t edge)
{
	return top(s, partition_class(s->p, s->p->edge[edge].a));
}

static uint32_t to(const struct settler *s, size_t edge)
{
	return top(s, partition_class(s->p, s->p->edge[edge].b));
}

/* a and b become one, for what edge `why` says. */
static void unite(struct settler *s, uint32_t a, uint32_t b, size_t why)
{
	struct partition *p = s->p;
	const struct partition_merge *e = &p->edge[why];
	a = top(s, a), b = top(s, b);
	if (a == b)
		return;
	s->up[a < b ? b : a] = a < b ? a : b;
	s->changed = true;
	s->kept_apart |= p->keep && s->given[a] && s->given[b];
	s->given[a] = s->given[b] = s->given[a] || s->given[b];
	struct partition_merge *m = PUSH(p->unite, p->unites);
	*m = *e;
	m->block = a < b ? a : b;
	m->with = a < b ? b : a;
}

static void list_edges(struct settler *s)
{
	memset(s->first, 0, (s->p->inputs + 1) * sizeof *s->first);
	for (size_t i = 0; i < s->p->edges; i++) {
		uint32_t b = to(s, i);
		if (from(s, i) == b)
			continue;
		s->next[i] = s->first[b];
		s->first[b] = (uint32_t)i + 1;
	}
}

/* Tarjan's strongly connected components, along edges backwards, with a stack of its own; lists
 * blocks with what guards them first. */
struct block_visit {
	uint32_t block, edge;
};

static void enter(struct settler *s, struct block_visit *v, uint32_t block)
{
	*v = (struct block_visit){ block, s->first[block] };
	s->seen[block] = s->low[block] = ++s->clock;
	s->stack[s->stacked++] = block;
}

static bool is_inside(const struct settler *s, uint32_t a, uint32_t block)
{
	return s->seen[a] != UINT32_MAX && s->seen[a] >= s->seen[block];
}

/* The component of a block whose lowest number is its own. */
static void leave(struct settler *s, uint32_t block)
{
	uint32_t at = s->stacked;
	while (s->stack[--at] != block)
		;
	for (uint32_t i = at + 1; i < s->stacked; i++) {
		uint32_t e = s->first[s->stack[i]];
		while (!is_inside(s, from(s, e - 1), block))
			e = s->next[e - 1];
		unite(s, block, s->stack[i], e - 1);
	}
	for (uint32_t i = at; i < s->stacked; i++)
		s->seen[s->stack[i]] = UINT32_MAX;
	s->order[s->ordered++] = block;
	s->stacked = at;
}

static void find_components(struct settler *s, struct block_visit *call)
{
	memset(s->seen, 0, (s->p->inputs + 1) * sizeof *s->seen);
	s->clock = s->stacked = s->ordered = 0;
	for (uint32_t i = 1; i <= s->p->inputs; i++) {
		size_t n = 0;
		if (partition_class(s->p, i) != i || top(s, i) != i || s->seen[i])
			continue;
		enter(s, &call[n++], i);
		while (n) {
			struct block_visit *v = &call[n - 1];
			if (v->edge) {
				uint32_t a = from(s, v->edge - 1);
				v->edge = s->next[v->edge - 1];
				if (!s->seen[a])
					enter(s, &call[n++], a);
				else if (s->seen[a] != UINT32_MAX && s->seen[a] < s->low[v->block])
					s->low[v->block] = s->seen[a];
				continue;
			}
			if (s->low[v->block] == s->seen[v->block])
				leave(s, v->block);
			n--;
			if (n && s->low[v->block] < s->low[call[n - 1].block])
				s->low[call[n - 1].block] = s->low[v->block];
		}
	}
}

static bool is_above(const struct settler *s, uint32_t a, uint32_t b)
{
	while (s->depth[b] > s->depth[a])
		b = s->above[b];
	return a == b;
}

/* The blocks that guard one are guarded by each other, in a row; those that are not become one. */
static void put_in_row(struct settler *s, uint32_t block)
{
	uint32_t last = 0, a;
	for (uint32_t e = s->first[block]; e; e = s->next[e - 1])
		if ((a = from(s, e - 1)) != top(s, block)
		    && (!last || s->depth[a] > s->depth[last]))
			last = a;
	for (uint32_t e = s->first[block]; e; e = s->next[e - 1])
		if ((a = from(s, e - 1)) != top(s, block) && a != top(s, last)
		    && !is_above(s, a, last))
			unite(s, last, a, e - 1);
	s->above[block] = last;
	s->depth[block] = last ? s->depth[last] + 1 : 0;
}

/* Merges a guard that guards only one block into that block. */
static void take_single(struct settler *s)
{
	uint32_t *count = s->low, n = (uint32_t)s->p->inputs;
	memset(count, 0, (n + 1) * sizeof *count);
	for (uint32_t i = 0; i < s->ordered; i++)
		count[s->above[s->order[i]]]++;
	for (uint32_t i = 0; i < s->ordered; i++) {
		uint32_t b = s->order[i], a = s->above[b];
		for (uint32_t e = a && count[a] == 1 ? s->first[b] : 0; e; e = s->next[e - 1])
			if (from(s, e - 1) == top(s, a)) {
				unite(s, a, b, e - 1);
				break;
			}
	}
}

static void settle(struct settler *s, struct block_visit *call)
{
	do {
		s->changed = false;
		list_edges(s);
		find_components(s, call);
		for (uint32_t i = 0; !s->changed && i < s->ordered; i++)
			put_in_row(s, s->order[i]);
	} while (s->changed);
	take_single(s);
}

/* The guard of a block, 0: none. Guards that were merged into the block are passed over. */
static uint32_t guard_of(const struct settler *s, uint32_t block)
{
	uint32_t a = s->above[block];
	while (a && top(s, a) == block)
		a = s->above[a];
	return a ? top(s, a) : 0;
}

/* Given blocks that would become one are kept apart, and nothing is shared then. */
static void keep(struct settler *s)
{
	struct partition *p = s->p;
	uint32_t *last = s->low;
	memset(last, 0, (p->inputs + 1) * sizeof *last);
	for (uint32_t i = 1; i <= p->inputs; i++) {
		struct partition_input *in = &p->input[i - 1];
		uint32_t class = partition_class(p, i), b = s->kept_apart ? class : top(s, class);
		in->block = b;
		in->size = 1;
		in->key = 0;
		p->input[b - 1].key += (i * 0x9e3779b97f4a7c15u ^ i) * 0xff51afd7ed558ccdu;
		in->guard = b != i || s->kept_apart ? 0 : guard_of(s, b);
		in->next = b;
		if (last[b])
			p->input[last[b] - 1].next = i, p->input[b - 1].size++;
		last[b] = i;
	}
}

void partition_settle(struct partition *p)
{
	size_t n = p->inputs + 1;
	struct settler s = { .p = p };
	if (p->settled)
		return;
	uint32_t *room = zeroed(9 * n + p->edges, sizeof *room);
	struct block_visit *call = zeroed(n, sizeof *call);
	s.up = room, s.above = room + n, s.depth = room + 2 * n, s.first = room + 3 * n;
	s.order = room + 4 * n, s.low = room + 5 * n, s.seen = room + 6 * n;
	s.stack = room + 7 * n, s.given = room + 8 * n, s.next = room + 9 * n;
	for (uint32_t i = 1; i < n; i++) {
		s.up[i] = i;
		s.given[i] = p->input[i - 1].given;
	}
	p->unites = 0;
	settle(&s, call);
	keep(&s);
	free(room);
	free(call);
	p->settled = true;
}
