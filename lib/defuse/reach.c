/* reach: which uses each definition reaches, object by object. A walk follows one definition, forward from
 * where it stands: first in its function and, where it crosses calls, up into those that called it; from
 * any of these down into those that they call. A callee that comes back is passed over unless it certainly
 * overwrites, so no walk returns where it did not come from. */
#include "lib/defuse/inner.h"

#include <stdlib.h>
#include <string.h>

enum phase { UP, DOWN, KILLS, PHASES };      /* KILLS: does anything get through this function? */
enum { USES, CALLS, DEFS, ORDERS = 4 };      /* order within an instruction */

struct step { uint32_t block, phase, node; uint64_t from; };      /* from: instruction * ORDERS + order, exclusive */
struct head { uint32_t first, count, stamp; };

struct walk {
	struct defuse *d;
	struct defuse_index *x;
	uint32_t object, owner;                  /* owner: of a local, else ALIAS_NONE */
	uint64_t size;                           /* of the object, bits */
	bool inter;
	struct defuse_place range;               /* what is followed */
	uint32_t def;                            /* access */
	struct head *head;                       /* events of the object, by block */
	uint32_t object_stamp, stamp;
	uint32_t *seen[PHASES];                  /* stamps by block */
	uint32_t *returned;                      /* stamps by call */
	struct { uint32_t stamp; bool survives; } *memo;       /* by function, for this range */
	uint32_t memo_stamp;
	struct step *stack; size_t n, room;
	struct tracer *trace;                    /* tells where it goes, adds no pairs; or NULL */
};

/* A node for where the walk goes to, and an edge to it from where it is. */
static uint32_t trace_edge(struct walk *w, uint64_t key, uint32_t block)
{
	struct tracer *t = w->trace;
	bool fresh = true;
	uint32_t *node = t ? map_at(&t->node_of, key + 1, &fresh) : NULL;
	void *grown;
	if (!node)
		return 0;
	if (fresh) {
		if (!(grown = defuse_grow(w->x, t->block, t->nodes, sizeof *t->block)))
			return 0;
		t->block = grown;
		t->block[t->nodes] = block;
		*node = t->nodes++;
	}
	if ((grown = defuse_grow(w->x, t->edge, t->edges, sizeof *t->edge))) {
		t->edge = grown;
		t->edge[t->edges++] = (struct graph_edge){ t->at, *node };
	}
	return *node;
}

static void trace_use(struct walk *w, uint32_t access)
{
	struct tracer *t = w->trace;
	void *grown = defuse_grow(w->x, t->hit, t->hits, sizeof *t->hit);
	if (!grown)
		return;
	t->hit = grown;
	t->hit[t->hits++] = (struct hit){ access, t->at };
}

static void push(struct walk *w, uint32_t block, uint64_t from, enum phase phase, uint32_t node)
{
	if (w->n == w->room) {
		size_t room = w->room ? w->room * 2 : 256;
		struct step *stack = realloc(w->stack, room * sizeof *stack);
		if (!stack) {
			w->x->failed = true;
			return;
		}
		w->stack = stack;
		w->room = room;
	}
	w->stack[w->n++] = (struct step){ block, phase, node, from };
}

/* Blocks are entered once a walk, by phase; in the middle of them a walk only starts. */
static void enter(struct walk *w, uint32_t block, enum phase phase)
{
	uint32_t stamp = phase == KILLS ? w->memo_stamp : w->stamp;
	uint32_t node = phase == KILLS ? 0 : trace_edge(w, (uint64_t)block * 4 + phase, block);
	if (w->seen[phase][block] == stamp)
		return;
	w->seen[phase][block] = stamp;
	push(w, block, 0, phase, node);
}

static bool survives(struct walk *w, uint32_t func);

/* Whether the range may still be there after a call. */
static bool passes(struct walk *w, const struct alias_call *c)
{
	size_t n;
	const uint32_t *callee = defuse_callees(w->d, c, &n);
	if (c->external || !n)
		return true;
	for (size_t i = 0; i < n; i++)
		if (!defuse_touches(w->d, callee[i], w->object) || survives(w, callee[i]))
			return true;
	return false;
}

static void descend(struct walk *w, const struct alias_call *c)
{
	size_t n;
	const uint32_t *callee = defuse_callees(w->d, c, &n);
	for (size_t i = 0; i < n; i++) {
		uint32_t block = defuse_entry_block(w->d, callee[i]);
		if (block != GRAPH_NONE && defuse_touches(w->d, callee[i], w->object))
			enter(w, block, DOWN);
	}
}

/* False when the event overwrites the range. */
static bool meet_event(struct walk *w, const struct event *e, enum phase phase)
{
	const struct defuse_access *a = &w->d->access[e->access];
	const struct defuse_place *p = &a->place[e->place];
	if (a->direct && a->func == w->owner && phase == DOWN)      /* that of another activation */
		return true;
	if (!a->is_def) {
		if (phase == KILLS || !place_meets(p, &w->range))
			return true;
		if (w->trace)
			trace_use(w, e->access);
		else
			defuse_add_pairs(w->d, w->def, e->access, place_common(p, &w->range));
		return true;
	}
	return !a->must || !place_covers(p, &w->range, w->size);
}

static uint64_t event_order(const struct walk *w, const struct event *e)
{
	return (uint64_t)e->inst * ORDERS + (w->d->access[e->access].is_def ? DEFS : USES);
}

/* Events and calls of a block, in order; true when its end is reached. */
static bool scan(struct walk *w, struct step s)
{
	const struct block *b = &w->x->block[s.block];
	const struct head *h = &w->head[s.block];
	uint32_t e = h->stamp == w->object_stamp ? h->first : 0, events = h->stamp == w->object_stamp ? e + h->count : 0;
	uint32_t c = b->first_call, calls = w->x->private_[w->object] ? c : c + b->calls;
	while (e < events || c < calls) {
		const struct alias_call *call = c < calls ? alias_call(w->d->alias, c) : NULL;
		uint64_t at = call ? (uint64_t)call->inst * ORDERS + CALLS : UINT64_MAX;
		if (e < events && event_order(w, &w->x->event[e]) < at) {
			at = event_order(w, &w->x->event[e++]);
			if (at > s.from && !meet_event(w, &w->x->event[e - 1], s.phase))
				return false;
			continue;
		}
		c++;
		if (at <= s.from)
			continue;
		if (w->inter && s.phase != KILLS)
			descend(w, call);
		if (!passes(w, call))
			return false;
	}
	return true;
}

static bool survives(struct walk *w, uint32_t func)
{
	size_t base = w->n;
	uint32_t block = defuse_entry_block(w->d, func);
	bool through = false;
	if (w->memo[func].stamp == w->memo_stamp)
		return w->memo[func].survives;
	w->memo[func].stamp = w->memo_stamp;
	w->memo[func].survives = true;               /* while it is not known */
	if (block == GRAPH_NONE)
		return true;
	enter(w, block, KILLS);
	while (w->n > base && !w->x->failed) {
		struct step s = w->stack[--w->n];
		if (through || !scan(w, s))
			continue;
		through |= w->x->block[s.block].returns;
		for (uint32_t k = w->x->flow.first[s.block]; k < w->x->flow.first[s.block + 1]; k++)
			enter(w, w->x->flow.succ[k], KILLS);
	}
	return w->memo[func].survives = through;
}

static void ascend(struct walk *w, uint32_t func)
{
	bool dies = func == w->owner && (w->d->access[w->def].direct || !alias_is_recursive(w->d->alias, func));
	if (!w->inter || dies || w->x->private_[w->object])
		return;
	for (size_t k = w->x->first_caller[func]; k < w->x->first_caller[func + 1]; k++) {
		size_t i = w->x->caller[k];
		const struct alias_call *c = alias_call(w->d->alias, i);
		uint32_t block = w->x->block_base[c->unit] + c->block - 1, node = trace_edge(w, (uint64_t)i * 4 + 2, block);
		if (w->returned[i] == w->stamp)
			continue;
		w->returned[i] = w->stamp;
		push(w, block, (uint64_t)c->inst * ORDERS + CALLS, UP, node);
	}
}

static void follow(struct walk *w, uint32_t def, struct defuse_place range, uint32_t block, uint64_t from)
{
	w->def = def;
	w->range = range;
	w->stamp++;
	push(w, block, from, UP, 0);
	while (w->n && !w->x->failed) {
		struct step s = w->stack[--w->n];
		const struct block *b = &w->x->block[s.block];
		if (w->trace)
			w->trace->at = s.node;
		if (!scan(w, s))
			continue;
		for (uint32_t k = w->x->flow.first[s.block]; k < w->x->flow.first[s.block + 1]; k++)
			enter(w, w->x->flow.succ[k], s.phase);
		if (b->returns && s.phase == UP)
			ascend(w, b->func);
	}
	w->n = 0;
}

struct ranges { struct defuse_place *range; size_t n; };

static void add_range(struct walk *w, struct ranges *r, struct defuse_place p)
{
	void *grown;
	for (size_t i = 0; i < r->n; i++)
		if (!memcmp(&r->range[i], &p, sizeof p))
			return;
	if ((grown = defuse_grow(w->x, r->range, r->n, sizeof p))) {
		r->range = grown;
		r->range[r->n++] = p;
	}
}

/* What is followed of a definition: what each use of the object means of it. Without a definition: of the
 * value that comes in. func: only its uses, ALIAS_NONE all. */
static struct ranges ranges_of(struct walk *w, const struct ranges *uses, const struct defuse_place *def)
{
	struct ranges r = { 0 };
	for (size_t i = 0; i < uses->n; i++)
		if (!def)
			add_range(w, &r, uses->range[i]);
		else if (place_meets(def, &uses->range[i]))
			add_range(w, &r, place_common(def, &uses->range[i]));
	return r;
}

static void follow_all(struct walk *w, const struct ranges *r, uint32_t def, uint32_t block, uint64_t from)
{
	for (size_t i = 0; i < r->n; i++) {
		w->memo_stamp++;
		follow(w, def, r->range[i], block, from);
	}
}

/* The first and last event of the function of event i. */
static size_t same_function(const struct walk *w, size_t i, size_t end)
{
	uint32_t func = w->x->block[w->x->event[i].block].func;
	while (i < end && w->x->block[w->x->event[i].block].func == func)
		i++;
	return i;
}

static struct ranges uses_between(struct walk *w, size_t from, size_t to)
{
	struct ranges r = { 0 };
	for (size_t i = from; i < to; i++) {
		const struct event *e = &w->x->event[i];
		if (!w->d->access[e->access].is_def)
			add_range(w, &r, w->d->access[e->access].place[e->place]);
	}
	return r;
}

static void follow_incoming(struct walk *w, const struct ranges *uses, uint32_t func)
{
	uint32_t block = defuse_entry_block(w->d, func), unit, id;
	const struct flow_func *f = alias_function_of(w->d->alias, func, &unit, &id);
	struct ranges r = ranges_of(w, uses, NULL);
	if (r.n && block != GRAPH_NONE && !f->is_harness) {
		defuse_add(w->d, (struct defuse_access){ .kind = DEFUSE_INCOMING, .is_def = true, .unit = unit, .func = func,
			.block = f->first_block, .pos = f->pos, .path = strdup(f->name) });
		follow_all(w, &r, (uint32_t)w->d->accesses - 1, block, 0);
	}
	free(r.range);
}

/* Has the object a value before the function starts? */
static bool comes_in(const struct walk *w, uint32_t func)
{
	const struct alias_object *o = alias_object(w->d->alias, w->object);
	switch (o->kind) {
	case ALIAS_VARIABLE:
	case ALIAS_TEMPORARY:
		return w->owner == ALIAS_NONE || (w->owner != func && !w->inter);
	case ALIAS_HEAP:
		return !w->inter;
	default:
		return true;
	}
}

static void follow_defs(struct walk *w, const struct ranges *uses, size_t from, size_t to)
{
	for (size_t i = from; i < to && !w->x->failed; i++) {
		struct event e = w->x->event[i];
		const struct defuse_access *a = &w->d->access[e.access];
		if (!a->is_def)
			continue;
		struct ranges r = ranges_of(w, uses, &a->place[e.place]);
		follow_all(w, &r, e.access, e.block, (uint64_t)e.inst * ORDERS + DEFS);
		free(r.range);
	}
}

static void mark_events(struct walk *w, size_t from, size_t to)
{
	w->object_stamp++;
	for (size_t i = from; i < to; i++) {
		struct head *h = &w->head[w->x->event[i].block];
		if (h->stamp != w->object_stamp)
			*h = (struct head){ (uint32_t)i, 0, w->object_stamp };
		h->count++;
	}
}

/* Makes an object the one that is followed. */
static void choose(struct walk *w, uint32_t object)
{
	const struct alias_object *o = alias_object(w->d->alias, object);
	bool local = o->kind == ALIAS_VARIABLE || o->kind == ALIAS_TEMPORARY || o->kind == ALIAS_VARIADIC;
	w->object = object;
	w->owner = local ? o->owner : ALIAS_NONE;
	w->size = o->size * 8;
	w->inter = !w->x->private_[object] && (w->d->options.inter || (w->d->options.paper && w->owner == ALIAS_NONE));
	mark_events(w, w->x->first_event[object], w->x->first_event[object + 1]);
}

static void reach_object(struct walk *w, uint32_t object)
{
	enum alias_kind kind = alias_object(w->d->alias, object)->kind;
	size_t from = w->x->first_event[object], to = w->x->first_event[object + 1], next;
	if (from == to || kind == ALIAS_FUNCTION)
		return;
	choose(w, object);
	struct ranges all = uses_between(w, from, to);
	for (size_t i = from; i < to && !w->inter; i = next) {
		uint32_t func = w->x->block[w->x->event[i].block].func;
		next = same_function(w, i, to);
		struct ranges uses = uses_between(w, i, next);
		follow_defs(w, &uses, i, next);
		if (comes_in(w, func))
			follow_incoming(w, &uses, func);
		free(uses.range);
	}
	if (w->inter)
		follow_defs(w, &all, from, to);
	for (uint32_t f = 0; w->inter && f < alias_functions(w->d->alias); f++)
		if (alias_is_entry(w->d->alias, f) && comes_in(w, f))
			follow_incoming(w, &all, f);
	free(all.range);
}

static bool open_walk(struct walk *w)
{
	size_t blocks = w->x->blocks + 1u;
	bool ready = (w->head = calloc(blocks, sizeof *w->head));
	for (int p = 0; p < PHASES; p++)
		ready &= (w->seen[p] = calloc(blocks, sizeof **w->seen)) != NULL;
	ready &= (w->returned = calloc(alias_calls(w->d->alias) + 1, sizeof *w->returned)) != NULL;
	ready &= (w->memo = calloc(alias_functions(w->d->alias) + 1u, sizeof *w->memo)) != NULL;
	w->x->failed |= !ready;
	return ready;
}

static void close_walk(struct walk *w)
{
	for (int p = 0; p < PHASES; p++)
		free(w->seen[p]);
	free(w->head);
	free(w->returned);
	free(w->memo);
	free(w->stack);
}

void defuse_reach(struct defuse *d)
{
	struct walk w = { .d = d, .x = d->index };
	open_walk(&w);
	for (uint32_t o = 0; o < alias_objects(d->alias) && !d->index->failed; o++)
		reach_object(&w, o);
	close_walk(&w);
}

bool defuse_trace(struct defuse *d, const struct defuse_pair *p, struct tracer *t)
{
	const struct defuse_access *a = &d->access[p->def];
	struct walk w = { .d = d, .x = d->index, .trace = t };
	bool good = open_walk(&w) && map_open(&t->node_of) && (t->block = defuse_grow(w.x, t->block, 0, sizeof *t->block));
	if (a->kind == DEFUSE_ARGUMENT)
		a = &d->access[a->formal_of];
	if (good) {
		t->def = p->def;
		t->place = p->place;
		t->block[t->nodes++] = w.x->block_base[a->unit] + a->block - 1;
		if (p->place.object != ALIAS_NONE) {
			choose(&w, p->place.object);
			w.memo_stamp++;
			follow(&w, p->def, p->place, t->block[0], a->inst ? (uint64_t)a->inst * ORDERS + DEFS : 0);
		}
	}
	close_walk(&w);
	return good && !d->index->failed;
}

void defuse_forget(struct tracer *t)
{
	map_close(&t->node_of);
	free(t->block);
	free(t->edge);
	free(t->hit);
	free(t->idom);
	*t = (struct tracer){ 0 };
}
