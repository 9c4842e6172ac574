/* steps: distances in instructions. Blocks are split into segments after their calls. A call is a
 * step into the callee, or over it at the cost of the shortest path through it (distance2return of
 * the paper); a return is a step to after any call of the function. */
#include "lib/defuse/inner.h"

#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT = 64 }; /* number of cached targets */

/* instruction range; the call that ends it, or NONE */
struct segment {
	uint32_t block, first, last;
	uint32_t call;
};
/* by segment, from its first instruction */
struct distances {
	uint32_t unit, inst;
	uint32_t *distance;
};
struct queued {
	uint32_t distance, node;
};
struct distance_queue {
	struct queued *entry;
	size_t n, room;
};

struct steps {
	struct segment *segment;
	uint32_t segments;
	uint32_t *first;   /* by block: its first segment, plus an end marker */
	uint32_t *over;    /* by call: least instructions to execute it */
	struct graph back; /* reversed block graph */
	bool *harness;     /* by block: in the harness; its back edges lead to another
	                      call of the entry and are ignored */
	struct distances kept[KEPT];
	size_t next;
	struct distance_queue heap;
};

static void heap_push(struct distance_queue *h, uint32_t distance, uint32_t node)
{
	size_t i = h->n;
	h->n++;
	GROW(h->entry, h->room, h->n);
	for (; i && h->entry[(i - 1) / 2].distance > distance; i = (i - 1) / 2)
		h->entry[i] = h->entry[(i - 1) / 2];
	h->entry[i] = (struct queued){ distance, node };
}

static struct queued heap_pop(struct distance_queue *h)
{
	struct queued top = h->entry[0], last = h->entry[--h->n];
	size_t i = 0, k;
	while ((k = 2 * i + 1) < h->n) {
		if (k + 1 < h->n && h->entry[k + 1].distance < h->entry[k].distance)
			k++;
		if (h->entry[k].distance >= last.distance)
			break;
		h->entry[i] = h->entry[k];
		i = k;
	}
	h->entry[i] = last;
	return top;
}

static uint32_t cost(const struct segment *s)
{
	return s->last - s->first + 1;
}

static uint32_t sum(uint32_t a, uint32_t b)
{
	return a == DEFUSE_FAR || b == DEFUSE_FAR || a > DEFUSE_FAR - 1 - b ? DEFUSE_FAR : a + b;
}

static void relax(struct steps *s, uint32_t *distance, uint32_t node, uint32_t d)
{
	if (d >= distance[node])
		return;
	distance[node] = d;
	heap_push(&s->heap, d, node);
}

static void cut_block(struct defuse *d, struct steps *s, uint32_t block)
{
	const struct block *b = &d->index->block[block];
	uint32_t at = b->first_inst, end = b->first_inst + b->insts;
	s->first[block] = s->segments;
	for (uint32_t c = b->first_call; c < b->first_call + b->calls; c++) {
		uint32_t inst = alias_call(d->alias, c)->inst;
		s->segment[s->segments++] = (struct segment){ block, at, inst, c };
		at = inst + 1;
	}
	s->segment[s->segments++] = (struct segment){ block, at, end - 1, ALIAS_NONE };
}

/* Relaxes the predecessors of a segment in its function: the segment before its call, or the last
 * segments of preceding blocks. */
static void relax_before(struct steps *s, uint32_t *distance, uint32_t node)
{
	uint32_t block = s->segment[node].block, from = distance[node];
	if (node != s->first[block]) {
		const struct segment *before = &s->segment[node - 1];
		relax(s, distance, node - 1, sum(sum(cost(before), s->over[before->call]), from));
		return;
	}
	for (uint32_t k = s->back.first[block]; k < s->back.first[block + 1]; k++) {
		if (s->harness[block] && s->back.succ[k] >= block)
			continue;
		uint32_t last = s->first[s->back.succ[k] + 1] - 1;
		relax(s, distance, last, sum(cost(&s->segment[last]), from));
	}
}

static bool is_entry_segment(const struct defuse *d, const struct steps *s, uint32_t node)
{
	const struct segment *g = &s->segment[node];
	return node == s->first[g->block]
	    && defuse_entry_block(d, d->index->block[g->block].func) == g->block;
}

static uint32_t call_segment(const struct defuse *d, const struct steps *s, size_t call)
{
	const struct alias_call *c = alias_call(d->alias, call);
	uint32_t block = d->index->block_base[c->unit] + c->block - 1;
	return s->first[block] + (uint32_t)call - d->index->block[block].first_call;
}

/* Dijkstra: least instructions from each segment to a return of its function. Once a function's
 * entry segment is settled, its calls are relaxed. */
static void measure_calls(struct defuse *d, struct steps *s)
{
	const struct defuse_index *x = d->index;
	uint32_t *distance = reserved(s->segments + 1u, sizeof *distance);
	bool *settled = zeroed(s->segments + 1u, sizeof *settled);
	size_t count;
	for (uint32_t i = 0; i < s->segments; i++)
		distance[i] = DEFUSE_FAR;
	for (size_t i = 0; i < alias_calls(d->alias); i++) {
		const struct alias_call *c = alias_call(d->alias, i);
		defuse_callees(d, c, &count);
		s->over[i] = c->external || !count ? 0 : DEFUSE_FAR;
	}
	for (uint32_t b = 0; b < x->blocks; b++)
		if (x->block[b].returns)
			relax(s, distance, s->first[b + 1] - 1,
			    cost(&s->segment[s->first[b + 1] - 1]));
	while (s->heap.n) {
		uint32_t node = heap_pop(&s->heap).node;
		if (settled[node])
			continue;
		settled[node] = true;
		relax_before(s, distance, node);
		if (!is_entry_segment(d, s, node))
			continue;
		uint32_t func = x->block[s->segment[node].block].func;
		for (size_t k = x->first_caller[func]; k < x->first_caller[func + 1]; k++) {
			size_t call = x->caller[k];
			uint32_t at = call_segment(d, s, call);
			if (s->over[call] <= distance[node])
				continue;
			s->over[call] = distance[node];
			if (settled[at + 1])
				relax(s, distance, at,
				    sum(sum(cost(&s->segment[at]), s->over[call]),
				        distance[at + 1]));
		}
	}
	free(distance);
	free(settled);
}

static void mark_harness(const struct defuse *d, struct steps *s)
{
	for (size_t i = 0; i < d->flow->units; i++) {
		const struct flow_unit *u = &d->flow->unit[i];
		for (uint32_t b = 0; b < u->blocks; b++)
			s->harness[d->index->block_base[i] + b] =
			    u->block_func[b] && u->func[u->block_func[b] - 1].is_harness;
	}
}

static struct steps *make_steps(struct defuse *d)
{
	const struct defuse_index *x = d->index;
	struct steps *s = zeroed(1, sizeof *s);
	size_t calls = alias_calls(d->alias);
	s->segment = reserved(x->blocks + calls + 1, sizeof *s->segment);
	s->first = reserved(x->blocks + 1u, sizeof *s->first);
	s->harness = zeroed(x->blocks + 1u, sizeof *s->harness);
	s->over = reserved(calls + 1, sizeof *s->over);
	graph_reverse(&s->back, &x->flow);
	mark_harness(d, s);
	for (uint32_t b = 0; b < x->blocks; b++)
		cut_block(d, s, b);
	s->first[x->blocks] = s->segments;
	measure_calls(d, s);
	return s;
}

void defuse_steps_free(struct steps *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < KEPT; i++)
		free(s->kept[i].distance);
	graph_free(&s->back);
	free(s->segment);
	free(s->first);
	free(s->harness);
	free(s->over);
	free(s->heap.entry);
	free(s);
}

/* Relaxes paths that only descend into callees. */
static void measure_down(const struct defuse *d, struct steps *s, uint32_t *distance)
{
	const struct defuse_index *x = d->index;
	while (s->heap.n) {
		struct queued e = heap_pop(&s->heap);
		if (e.distance > distance[e.node])
			continue;
		relax_before(s, distance, e.node);
		if (!is_entry_segment(d, s, e.node))
			continue;
		uint32_t func = x->block[s->segment[e.node].block].func;
		for (size_t k = x->first_caller[func]; k < x->first_caller[func + 1]; k++) {
			uint32_t at = call_segment(d, s, x->caller[k]);
			relax(s, distance, at, sum(cost(&s->segment[at]), e.distance));
		}
	}
}

/* Relaxes paths that first ascend: from a return to after a call. */
static void measure_up(const struct defuse *d, struct steps *s, uint32_t *distance,
    const uint32_t *first_return, const uint32_t *return_block)
{
	size_t count;
	for (uint32_t i = 0; i < s->segments; i++)
		if (distance[i] != DEFUSE_FAR)
			heap_push(&s->heap, distance[i], i);
	while (s->heap.n) {
		struct queued e = heap_pop(&s->heap);
		if (e.distance > distance[e.node])
			continue;
		relax_before(s, distance, e.node);
		if (e.node == s->first[s->segment[e.node].block])
			continue;
		const uint32_t *callee =
		    defuse_callees(d, alias_call(d->alias, s->segment[e.node - 1].call), &count);
		for (size_t k = 0; k < count; k++)
			for (uint32_t i = first_return[callee[k]]; i < first_return[callee[k] + 1];
			    i++) {
				uint32_t at = s->first[return_block[i] + 1] - 1;
				relax(s, distance, at, sum(cost(&s->segment[at]), e.distance));
			}
	}
}

static void index_returns(const struct defuse *d, uint32_t **first, uint32_t **block)
{
	const struct defuse_index *x = d->index;
	uint32_t functions = alias_functions(d->alias);
	*first = zeroed(functions + 2u, sizeof **first);
	*block = reserved(x->blocks + 1u, sizeof **block);
	for (uint32_t b = 0; b < x->blocks; b++)
		if (x->block[b].returns)
			(*first)[x->block[b].func + 2]++;
	for (uint32_t f = 0; f < functions; f++)
		(*first)[f + 2] += (*first)[f + 1];
	for (uint32_t b = 0; b < x->blocks; b++)
		if (x->block[b].returns)
			(*block)[(*first)[x->block[b].func + 1]++] = b;
}

static uint32_t segment_of(
    const struct defuse *d, const struct steps *s, uint32_t unit, uint32_t inst)
{
	uint32_t block = d->index->block_base[unit] + d->flow->unit[unit].inst[inst - 1].block - 1,
	         i = s->first[block];
	while (s->segment[i].last < inst)
		i++;
	return i;
}

/* Distances from every segment to an instruction. */
static const uint32_t *distances_to(struct defuse *d, struct steps *s, uint32_t unit, uint32_t inst)
{
	struct distances *t;
	uint32_t *first, *block, at;
	for (size_t i = 0; i < KEPT; i++)
		if (s->kept[i].distance && s->kept[i].unit == unit && s->kept[i].inst == inst)
			return s->kept[i].distance;
	t = &s->kept[s->next++ % KEPT];
	t->unit = unit;
	t->inst = inst;
	if (!t->distance)
		t->distance = reserved(s->segments + 1u, sizeof *t->distance);
	index_returns(d, &first, &block);
	memset(t->distance, 0xff, (s->segments + 1u) * sizeof *t->distance);
	at = segment_of(d, s, unit, inst);
	relax(s, t->distance, at, inst - s->segment[at].first);
	measure_down(d, s, t->distance);
	measure_up(d, s, t->distance, first, block);
	free(first);
	free(block);
	return t->distance;
}

uint32_t defuse_block_distance(
    struct defuse *d, uint32_t unit, uint32_t block, uint32_t to_unit, uint32_t to_inst)
{
	struct defuse_index *x = d->index;
	const uint32_t *distance;
	if (!x->steps)
		x->steps = make_steps(d);
	distance = distances_to(d, x->steps, to_unit, to_inst);
	return distance[x->steps->first[x->block_base[unit] + block - 1]];
}

uint32_t defuse_distance(
    struct defuse *d, uint32_t unit, uint32_t outcome, uint32_t to_unit, uint32_t to_inst)
{
	uint32_t block = d->index->block_behind[unit][outcome];
	return block ? defuse_block_distance(d, unit, block, to_unit, to_inst) : DEFUSE_FAR;
}
