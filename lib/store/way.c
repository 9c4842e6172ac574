/* way: the order in which a run first took the outcomes that it covers. Traces have it only for
 * conditions that depend on inputs. The others are ordered by a walk along the control flow from
 * the entry through the covered edges, which enters functions where they are called, and loop
 * bodies before the code after the loop. */
#include "lib/store/db.h"
#include "lib/base/grow.h"
#include "lib/base/search.h"

#include <stdlib.h>
#include <string.h>

enum { RANK_SELECT, RANK_CALL, RANK_LEAVE };

/* From a block of a unit: an outcome that selects a value, a call, or an edge to the next block. */
struct way_step {
	uint32_t from, rank, number; /* their order in the block */
	uint32_t unit, to;           /* the block that it leads to; 0: none */
	uint32_t objective;          /* 1 + the objective that it covers; 0: none */
};

struct way_unit {
	struct way_step *step; /* by `from` */
	size_t steps;
	bool *seen; /* by block, from 1 */
};

struct way {
	struct store *s;
	uint64_t *event; /* 1 + the first event of an objective; 0: none */
	bool *covered;   /* by objective */
	struct way_unit *unit;
	struct way_step *todo; /* a stack */
	size_t todos;
	uint32_t *order;
	size_t ordered;
};

static void note_events(struct way *w, const struct trace *t)
{
	for (size_t i = 0; i < t->events; i++) {
		const struct channel_event *e = &t->event[i];
		bool chooses = e->kind == EV_BRANCH || e->kind == EV_SWITCH;
		uint32_t unit = chooses ? store_unit(w->s, t, e->unit) : 0;
		const struct flow_unit *u = unit ? &w->s->flow->unit[unit - 1] : NULL;
		if (!u || !e->id || e->id > u->branches)
			continue;
		uint32_t side = (uint32_t)(e->kind == EV_SWITCH ? e->x : !e->x);
		size_t k = store_find(w->s, unit - 1, u->branch[e->id - 1].first + side);
		if (k != SIZE_MAX && !w->event[k])
			w->event[k] = i + 1;
	}
}

static int by_from(const void *a, const void *b)
{
	const struct way_step *x = a, *y = b;

	if (x->from != y->from)
		return (x->from > y->from) - (x->from < y->from);
	if (x->rank != y->rank)
		return (x->rank > y->rank) - (x->rank < y->rank);
	return (x->number > y->number) - (x->number < y->number);
}

static void add(struct way_unit *x, struct way_step step)
{
	*PUSH(x->step, x->steps) = step;
}

/* Adds the edges and the outcomes of select instructions that the run may have taken. */
static void add_outcomes(struct way *w, uint32_t unit)
{
	const struct flow_unit *u = &w->s->flow->unit[unit];
	struct way_unit *x = &w->unit[unit];

	for (size_t i = 0; i < u->edges; i++) {
		const struct flow_edge *e = &u->edge[i];
		size_t k = e->branch ? store_find(w->s, unit, e->outcome) : SIZE_MAX;
		if (k == SIZE_MAX || w->covered[k])
			add(x,
			    (struct way_step){ e->from, RANK_LEAVE, (uint32_t)i, unit, e->to,
			        k == SIZE_MAX ? 0 : (uint32_t)k + 1 });
	}
	for (uint32_t i = 0; i < u->branches; i++)
		for (uint32_t side = 0; u->branch[i].kind == 'q' && side < 2; side++) {
			size_t k = store_find(w->s, unit, u->branch[i].first + side);
			if (k != SIZE_MAX && w->covered[k])
				add(x,
				    (struct way_step){ u->branch[i].block, RANK_SELECT, i, unit, 0,
				        (uint32_t)k + 1 });
		}
}

/* Adds the calls. Through a pointer, any function whose address is taken may be called. */
static void add_calls(struct way *w, uint32_t unit, const struct flow_names *names)
{
	const struct flow_unit *u = &w->s->flow->unit[unit];
	struct flow_meaning m;

	for (uint32_t i = 0; i < u->calls; i++) {
		const struct flow_call *c = &u->call[i];
		if (c->block && c->callee && flow_names_find(names, unit, c->callee, &m))
			add(&w->unit[unit],
			    (struct way_step){ c->block, RANK_CALL, i, m.unit,
			        w->s->flow->unit[m.unit].func[m.func].first_block, 0 });
		for (size_t k = 0; c->block && !c->callee && k < u->funcs; k++)
			if (u->func[k].address_taken && u->func[k].first_block)
				add(&w->unit[unit],
				    (struct way_step){
				        c->block, RANK_CALL, i, unit, u->func[k].first_block, 0 });
	}
}

static int from_order(const void *block, const void *step)
{
	uint32_t a = *(const uint32_t *)block, b = ((const struct way_step *)step)->from;

	return (a > b) - (a < b);
}

static size_t first_step(const struct way_unit *x, uint32_t block)
{
	return lower_bound(&block, x->step, x->steps, sizeof *x->step, from_order);
}

/* May the run have come from the block `from` to the block `to` of the function? */
static bool leads_to(const struct way *w, uint32_t unit, uint32_t from, uint32_t to)
{
	const struct way_unit *x = &w->unit[unit];
	bool *seen = zeroed(w->s->flow->unit[unit].blocks + 1, sizeof *seen), found = from == to;
	uint32_t *todo = NULL;
	size_t todos = 0;

	*PUSH(todo, todos) = from;
	while (todos && !found) {
		uint32_t block = todo[--todos];
		for (size_t i = first_step(x, block); i < x->steps && x->step[i].from == block;
		    i++) {
			uint32_t next = x->step[i].rank == RANK_LEAVE ? x->step[i].to : 0;
			found |= next == to;
			if (next && !seen[next]) {
				seen[next] = true;
				*PUSH(todo, todos) = next;
			}
		}
	}
	free(seen);
	free(todo);
	return found;
}

/* Was b taken before a? Decided by the order of events; without them, if control can return from b
 * to this block but not from a. */
static bool is_later(const struct way *w, const struct way_step *a, const struct way_step *b)
{
	uint64_t x = a->objective ? w->event[a->objective - 1] : 0,
	         y = b->objective ? w->event[b->objective - 1] : 0;

	if (a->rank != RANK_LEAVE || b->rank != RANK_LEAVE)
		return false;
	if (x && y)
		return x > y;
	return !leads_to(w, a->unit, a->to, a->from) && leads_to(w, b->unit, b->to, b->from);
}

/* Enters a block: pushes its steps on the stack, the first one last. */
static void enter(struct way *w, uint32_t unit, uint32_t block)
{
	struct way_unit *x = &w->unit[unit];
	size_t begin = first_step(x, block), end = begin;

	if (x->seen[block])
		return;
	x->seen[block] = true;
	for (; end < x->steps && x->step[end].from == block; end++)
		for (size_t i = end; i > begin && is_later(w, &x->step[i - 1], &x->step[i]); i--) {
			struct way_step later = x->step[i - 1];
			x->step[i - 1] = x->step[i];
			x->step[i] = later;
		}
	while (end > begin)
		*PUSH(w->todo, w->todos) = x->step[--end];
}

static void walk(struct way *w)
{
	enter(w, w->s->entry_unit, w->s->entry_block);
	while (w->todos) {
		struct way_step step = w->todo[--w->todos];
		if (step.objective && w->covered[step.objective - 1]) {
			w->covered[step.objective - 1] = false;
			w->order[w->ordered++] = step.objective - 1;
		}
		if (step.to)
			enter(w, step.unit, step.to);
	}
}

static void prepare(struct way *w)
{
	const struct flow *fl = w->s->flow;
	struct flow_names *names = flow_names_new(fl);

	for (uint32_t i = 0; i < fl->units; i++) {
		struct way_unit *x = &w->unit[i];
		x->seen = zeroed(fl->unit[i].blocks + 1, sizeof *x->seen);
		add_outcomes(w, i);
		add_calls(w, i, names);
		if (x->steps)
			qsort(x->step, x->steps, sizeof *x->step, by_from);
	}
	flow_names_free(names);
}

/* Sorts the outcomes. Those that the walk did not reach, such as outcomes in functions called by a
 * library, come first. */
static void reorder(const struct way *w, struct covers *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		if (w->covered[c->at[i]])
			c->at[n++] = c->at[i];
	for (size_t i = 0; i < w->ordered; i++)
		c->at[n++] = w->order[i];
}

void store_order(struct store *s, const struct trace *t, struct covers *c)
{
	size_t n = s->known[STORE_BRANCHES].n;
	struct way w = { .s = s,
		.event = zeroed(n + 1, sizeof *w.event),
		.covered = zeroed(n + 1, sizeof *w.covered),
		.order = zeroed(n + 1, sizeof *w.order),
		.unit = zeroed(s->flow->units + 1, sizeof *w.unit) };

	for (size_t i = 0; i < c->n; i++)
		w.covered[c->at[i]] = true;
	note_events(&w, t);
	prepare(&w);
	if (s->entry_block)
		walk(&w);
	reorder(&w, c);
	for (size_t i = 0; i < s->flow->units; i++) {
		free(w.unit[i].step);
		free(w.unit[i].seen);
	}
	void *all[] = { w.event, w.covered, w.order, w.unit, w.todo };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
}
