/* reach: the uses that each definition reaches, object by object.
 *
 * A forward search follows definitions forward from where they are made: first (phase UP) within
 * the function and, if calls are crossed, up into its callers; from any of these (phase DOWN) down
 * into callees. A call that returns is stepped over unless every path through the callee kills the
 * definition, so a search never returns to a call site that it did not come from.
 *
 * Uses access different parts of what a definition writes. Parts that are killed by the same
 * definitions form a group and behave alike. A forward search carries up to 64 groups at once, of
 * one or several definitions, one bit each. */
#include "lib/defuse/reach.h"

#include "lib/base/grow.h"
#include "lib/clib/clib.h"

#include <stdlib.h>
#include <string.h>

/* Adds a node for the target of the search, and an edge from the current node. */
static uint32_t trace_edge(struct forward *w, uint64_t key, uint32_t block)
{
	struct def_tracer *t = w->trace;
	bool fresh = true;
	uint32_t *node = t ? map_at(&t->node_of, key + 1, &fresh) : NULL;
	if (!node)
		return 0;
	if (fresh) {
		*node = t->nodes;
		*PUSH(t->block, t->nodes) = block;
	}
	*PUSH(t->edge, t->edges) = (struct graph_edge){ t->at, *node };
	return *node;
}

static void trace_use(struct forward *w, uint32_t access)
{
	struct def_tracer *t = w->trace;
	*PUSH(t->hit, t->hits) = (struct hit){ access, t->at };
}

static void push(struct forward *w, struct reach_step s)
{
	GROW(w->stack, w->room, w->n + 1);
	w->stack[w->n++] = s;
}

static uint64_t all_groups(const struct forward *w)
{
	return w->live == BATCH ? UINT64_MAX : (UINT64_C(1) << w->live) - 1;
}

/* The groups in `live` that have not been here before. */
static uint64_t news(struct visited *m, uint32_t stamp, uint64_t live)
{
	if (m->stamp != stamp)
		*m = (struct visited){ stamp, 0, 0 };
	live &= ~m->live;
	m->live |= live;
	return live;
}

/* Enters a block: once per search, group and phase. Only the start of a search is in the middle of
 * a block. */
static void enter(struct forward *w, uint32_t block, enum phase phase, uint64_t live)
{
	uint32_t stamp = phase == KILLS ? w->memo_stamp : w->stamp;
	uint32_t node = phase == KILLS ? 0 : trace_edge(w, (uint64_t)block * 4 + phase, block);
	struct visited *m = &w->seen[phase][block];
	live = news(m, stamp, live);
	if (live && !m->waits)
		push(w, (struct reach_step){ block, phase, node, 0, 0 });
	m->waits |= live;
}

/* Completes a step with all groups that reached its block since it was pushed. */
static struct reach_step whole(struct forward *w, struct reach_step s)
{
	struct visited *m = &w->seen[s.phase][s.block];
	if (!s.live) {
		s.live = m->waits;
		m->waits = 0;
	}
	return s;
}

static uint64_t survivors(struct forward *w, uint32_t func);

/* The groups that may survive a call. */
static uint64_t passes(struct forward *w, const struct alias_call *c)
{
	size_t n;
	const uint32_t *callee = defuse_callees(w->d, c, &n);
	uint64_t live = c->external || !n ? UINT64_MAX : 0;
	for (size_t i = 0; i < n && ~live; i++)
		live |= defuse_touches(w->d, callee[i], w->object) ? survivors(w, callee[i])
		                                                   : UINT64_MAX;
	return live;
}

static void descend(struct forward *w, const struct alias_call *c, uint64_t live)
{
	size_t n;
	const uint32_t *callee = defuse_callees(w->d, c, &n);
	for (size_t i = 0; i < n; i++) {
		uint32_t block = defuse_entry_block(w->d, callee[i]);
		if (block != GRAPH_NONE && w->x->runs[callee[i]]
		    && defuse_touches(w->d, callee[i], w->object))
			enter(w, block, DOWN, live);
	}
}

static bool does(const struct alias_call *c, const char *letters)
{
	const struct clib *f = c->name ? clib_find(c->name) : NULL;
	return f && clib_does(f, letters);
}

/* Continues the search behind a call, as after its return. */
static void continue_after(struct forward *w, size_t call, uint64_t live)
{
	const struct alias_call *c = alias_call(w->d->alias, call);
	uint32_t block = w->x->block_base[c->unit] + c->block - 1,
	         node = trace_edge(w, (uint64_t)call * 4 + 2, block);
	uint64_t fresh = news(&w->returned[call], w->stamp, live);
	if (fresh)
		push(w,
		    (struct reach_step){
		        block, UP, node, (uint64_t)c->inst * ORDERS + CALLS, fresh });
}

/* longjmp: `from` may return to a setjmp: to any if it may call longjmp, else to one of its own
 * function. */
static void land(struct forward *w, const struct alias_call *from, enum phase phase, uint64_t live)
{
	bool any = w->landings && w->inter && does(from, "j");
	for (size_t k = 0; k < w->landings && phase != KILLS; k++) {
		uint32_t i = w->landing[k];
		const struct alias_call *c = alias_call(w->d->alias, i);
		if (!any && (phase != UP || c->func != from->func))
			continue;
		continue_after(w, i, live);
	}
}

static void find_landings(struct forward *w)
{
	size_t calls = alias_calls(w->d->alias);
	w->landing = reserved(calls + 1, sizeof *w->landing);
	for (uint32_t i = 0; i < calls; i++)
		if (does(alias_call(w->d->alias, i), "2"))
			w->landing[w->landings++] = i;
}

static void meet_use(
    struct forward *w, const struct access_event *e, const struct defuse_place *p, uint64_t met)
{
	if (w->trace)
		trace_use(w, e->access);
	for (; met && !w->trace; met &= met - 1) {
		const struct bit *b = &w->bit[__builtin_ctzll(met)];
		defuse_add_pairs(
		    w->d, b->def, e->access, b->source ? place_common(b->source, p) : *p);
	}
}

/* The groups that survive an event. */
static uint64_t meet_event(struct forward *w, uint32_t i, enum phase phase, uint64_t live)
{
	const struct access_event *e = &w->event[i];
	const struct defuse_access *a = &w->d->access[e->access];
	const struct class *c = &w->class[w->class_of[i]];
	/* a local of another activation */
	if (a->direct && a->func == w->owner && phase == DOWN)
		return live;
	if (a->is_def)
		return a->must ? live & ~c->covers : live;
	if (phase != KILLS && live & c->meets)
		meet_use(w, e, &c->place, live & c->meets);
	return live;
}

static uint64_t event_order(const struct forward *w, const struct access_event *e)
{
	return (uint64_t)e->inst * ORDERS + (w->d->access[e->access].is_def ? DEFS : USES);
}

/* Processes events and calls of a block in order; returns the groups that reach its end. */
static uint64_t scan(struct forward *w, struct reach_step s)
{
	const struct block *b = &w->x->block[s.block];
	const struct head *h = &w->head[s.block];
	uint32_t e = h->stamp == w->object_stamp ? h->first : 0,
	         events = h->stamp == w->object_stamp ? e + h->count : 0;
	uint32_t c = b->first_call,
	         calls = w->x->private_[w->object] && !w->landings ? c : c + b->calls;
	while (s.live && (e < events || c < calls)) {
		const struct alias_call *call = c < calls ? alias_call(w->d->alias, c) : NULL;
		uint64_t at = call ? (uint64_t)call->inst * ORDERS + CALLS : UINT64_MAX;
		if (e < events && event_order(w, &w->event[e]) < at) {
			if (event_order(w, &w->event[e]) > s.from)
				s.live = meet_event(w, e, s.phase, s.live);
			e++;
			continue;
		}
		c++;
		if (at <= s.from)
			continue;
		if (w->inter && s.phase != KILLS)
			descend(w, call, s.live);
		land(w, call, s.phase, s.live);
		s.live &= passes(w, call);
	}
	return s.live;
}

static void enter_all(struct forward *w, const struct reach_step *s, uint64_t live)
{
	for (uint32_t k = w->x->flow.first[s->block]; k < w->x->flow.first[s->block + 1]; k++)
		enter(w, w->x->flow.succ[k], s->phase, live);
}

/* The groups that survive some path through a function; memoised. */
static uint64_t survivors(struct forward *w, uint32_t func)
{
	size_t base = w->n;
	uint32_t block = defuse_entry_block(w->d, func);
	uint64_t through = 0, live;
	if (w->memo[func].stamp == w->memo_stamp)
		return w->memo[func].live;
	/* assumed during recursion */
	w->memo[func] = (struct visited){ w->memo_stamp, UINT64_MAX, 0 };
	if (block == GRAPH_NONE)
		return UINT64_MAX;
	enter(w, block, KILLS, all_groups(w));
	while (w->n > base) {
		struct reach_step s = whole(w, w->stack[--w->n]);
		if (!(live = scan(w, s)))
			continue;
		if (w->x->block[s.block].returns)
			through |= live;
		enter_all(w, &s, live);
	}
	return w->memo[func].live = through;
}

static void ascend(struct forward *w, uint32_t func, uint64_t live)
{
	if (func == w->owner)
		live &= alias_is_recursive(w->d->alias, func) ? ~w->direct : 0;
	if (!w->inter || !live || w->x->private_[w->object])
		return;
	for (size_t k = w->x->first_caller[func]; k < w->x->first_caller[func + 1]; k++) {
		size_t i = w->x->caller[k];
		const struct alias_call *c = alias_call(w->d->alias, i);
		if (!w->x->runs[c->func])
			continue;
		continue_after(w, i, live);
	}
}

/* Sets `covers` of each class: the groups in the search that it kills. */
static void find_covers(struct forward *w)
{
	for (size_t i = 0; i < w->classes; i++) {
		struct class *c = &w->class[i];
		c->covers = 0;
		for (size_t k = 0; c->must && k < w->live; k++)
			c->covers |= (uint64_t)place_covers(&c->place, &w->bit[k].place, w->size)
			    << k;
	}
}

void defuse_follow(struct forward *w)
{
	w->stamp++;
	w->memo_stamp++;
	find_covers(w);
	for (size_t k = 0; k < w->live; k++)
		push(w,
		    (struct reach_step){
		        w->bit[k].block, UP, 0, w->bit[k].from, UINT64_C(1) << k });
	/* breadth first, so that groups meet */
	for (size_t i = 0; i < w->n; i++) {
		struct reach_step s = whole(w, w->stack[i]);
		const struct block *b = &w->x->block[s.block];
		uint64_t live;
		if (w->trace)
			w->trace->at = s.node;
		if (!(live = scan(w, s)))
			continue;
		enter_all(w, &s, live);
		if (b->returns && s.phase == UP)
			ascend(w, b->func, live);
	}
	w->n = w->live = 0;
	w->direct = 0;
	for (size_t i = 0; i < w->classes; i++)
		w->class[i].meets = 0;
}

static void reach_object(struct forward *w, uint32_t object)
{
	if (w->x->first_event[object] == w->x->first_event[object + 1]
	    || alias_object(w->d->alias, object)->kind == ALIAS_FUNCTION)
		return;
	defuse_choose(w, object);
	for (size_t i = 0, next; i < w->events; i = next) {
		next = w->inter ? w->events : defuse_same_function(w, i);
		if (defuse_has_own(w, i, next))
			defuse_reach_between(w, i, next);
	}
}

static void open_forward(struct forward *w)
{
	size_t blocks = w->x->blocks + 1u;
	w->head = zeroed(blocks, sizeof *w->head);
	for (int p = 0; p < PHASES; p++)
		w->seen[p] = zeroed(blocks, sizeof **w->seen);
	w->returned = zeroed(alias_calls(w->d->alias) + 1, sizeof *w->returned);
	w->memo = zeroed(alias_functions(w->d->alias) + 1u, sizeof *w->memo);
	find_landings(w);
}

static void close_forward(struct forward *w)
{
	for (int p = 0; p < PHASES; p++)
		free(w->seen[p]);
	map_close(&w->class_at);
	free(w->class);
	free(w->event);
	free(w->group);
	free(w->class_of);
	free(w->head);
	free(w->returned);
	free(w->memo);
	free(w->landing);
	free(w->stack);
}

void defuse_reach(struct defuse *d)
{
	struct forward w = { .d = d, .x = d->index };
	open_forward(&w);
	reach_object(&w, ALIAS_OUTSIDE);
	for (uint32_t o = 0; o < alias_objects(d->alias); o++)
		if (o != ALIAS_OUTSIDE)
			reach_object(&w, o);
	close_forward(&w);
}

/* The search shared by all recordings. */
static struct forward *tracing_search(struct defuse *d)
{
	struct forward *w = d->index->forward;
	if (w)
		return w;
	w = d->index->forward = zeroed(1, sizeof *w);
	w->d = d;
	w->x = d->index;
	w->object = ALIAS_NONE;
	open_forward(w);
	return w;
}

void defuse_trace(struct defuse *d, const struct defuse_pair *p, struct def_tracer *t)
{
	const struct defuse_access *a = &d->access[p->def];
	struct forward *w = tracing_search(d);
	if (a->kind == DEFUSE_ARGUMENT)
		a = &d->access[a->formal_of];
	t->def = p->def;
	*PUSH(t->block, t->nodes) = w->x->block_base[a->unit] + a->block - 1;
	t->place = p->place;
	if (p->place.object == ALIAS_NONE)
		return;
	w->trace = t;
	if (w->object != p->place.object)
		defuse_choose(w, p->place.object);
	w->groups = 0;
	defuse_group_of(w, p->place);
	for (size_t i = 0; i < w->classes; i++)
		w->class[i].group = place_meets(&w->class[i].place, &p->place) ? 0 : GRAPH_NONE;
	defuse_gather_groups(
	    w, p->def, NULL, t->block[0], a->inst ? (uint64_t)a->inst * ORDERS + DEFS : 0);
	defuse_follow(w);
}

void defuse_forward_free(struct forward *w)
{
	if (w)
		close_forward(w);
	free(w);
}

void defuse_forget(struct def_tracer *t)
{
	map_close(&t->node_of);
	free(t->block);
	free(t->edge);
	free(t->hit);
	free(t->idom);
	*t = (struct def_tracer){ 0 };
}
