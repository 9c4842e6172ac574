/* reach: which uses each definition reaches, object by object. A walk follows one definition, forward from
 * where it stands: first in its function and, where it crosses calls, up into those that called it; from
 * any of these down into those that they call. A callee that comes back is passed over unless it certainly
 * overwrites, so no walk returns where it did not come from.
 *
 * Uses mean different parts of what a definition writes: a walk carries up to 64 such ranges at once, a bit each. */
#include "lib/defuse/inner.h"

#include <stdlib.h>
#include <string.h>

enum phase { UP, DOWN, KILLS, PHASES };      /* KILLS: does anything get through this function? */
enum { USES, CALLS, DEFS, ORDERS = 4 };      /* order within an instruction */

enum { BATCH = 64 };

struct step { uint32_t block, phase, node; uint64_t from, live; };        /* from: instruction * ORDERS + order, exclusive */
struct head { uint32_t first, count, stamp; };
struct mark { uint32_t stamp; uint64_t live; };
struct class { struct defuse_place place; uint64_t meets, covers; };     /* of the ranges that are followed */

struct walk {
	struct defuse *d;
	struct defuse_index *x;
	uint32_t object, owner;                  /* owner: of a local, else ALIAS_NONE */
	uint64_t size;                           /* of the object, bits */
	bool inter;
	struct defuse_place *range; size_t ranges;       /* what is followed, at most BATCH */
	struct class *class; size_t classes;     /* the different places of the object's events */
	uint32_t *class_of; struct map class_at; /* class_of: event, from first_event on */
	uint32_t def;                            /* access */
	struct head *head;                       /* events of the object, by block */
	uint32_t object_stamp, stamp;
	struct mark *seen[PHASES];               /* by block */
	struct mark *returned;                   /* by call */
	struct mark *memo;                       /* by function: what gets through it */
	uint32_t *landing; size_t landings;      /* calls of setjmp */
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

static void push(struct walk *w, struct step s)
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
	w->stack[w->n++] = s;
}

static uint64_t all_ranges(const struct walk *w)
{
	return w->ranges == BATCH ? UINT64_MAX : (UINT64_C(1) << w->ranges) - 1;
}

/* Those of the ranges that have not been there yet. */
static uint64_t news(struct mark *m, uint32_t stamp, uint64_t live)
{
	if (m->stamp != stamp)
		*m = (struct mark){ stamp, 0 };
	live &= ~m->live;
	m->live |= live;
	return live;
}

/* Blocks are entered once a walk by each range, by phase; in the middle of them a walk only starts. */
static void enter(struct walk *w, uint32_t block, enum phase phase, uint64_t live)
{
	uint32_t stamp = phase == KILLS ? w->memo_stamp : w->stamp;
	uint32_t node = phase == KILLS ? 0 : trace_edge(w, (uint64_t)block * 4 + phase, block);
	live = news(&w->seen[phase][block], stamp, live);
	if (live)
		push(w, (struct step){ block, phase, node, 0, live });
}

static uint64_t survivors(struct walk *w, uint32_t func);

/* The ranges that may still be there after a call. */
static uint64_t passes(struct walk *w, const struct alias_call *c)
{
	size_t n;
	const uint32_t *callee = defuse_callees(w->d, c, &n);
	uint64_t live = c->external || !n ? UINT64_MAX : 0;
	for (size_t i = 0; i < n && ~live; i++)
		live |= defuse_touches(w->d, callee[i], w->object) ? survivors(w, callee[i]) : UINT64_MAX;
	return live;
}

static void descend(struct walk *w, const struct alias_call *c, uint64_t live)
{
	size_t n;
	const uint32_t *callee = defuse_callees(w->d, c, &n);
	for (size_t i = 0; i < n; i++) {
		uint32_t block = defuse_entry_block(w->d, callee[i]);
		if (block != GRAPH_NONE && defuse_touches(w->d, callee[i], w->object))
			enter(w, block, DOWN, live);
	}
}

static bool is_named(const struct alias_call *c, const char *const *name)
{
	while (*name && (!c->name || strcmp(*name, c->name)))
		name++;
	return *name;
}

/* A longjmp goes behind a setjmp: any, or that of the function itself from within any of its calls. */
static void land(struct walk *w, const struct alias_call *from, enum phase phase, uint64_t live)
{
	static const char *const jumps[] = { "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk", NULL };
	bool any = w->landings && w->inter && is_named(from, jumps);
	for (size_t k = 0; k < w->landings && phase != KILLS; k++) {
		uint32_t i = w->landing[k], block, node;
		uint64_t fresh;
		const struct alias_call *c = alias_call(w->d->alias, i);
		if (!any && (phase != UP || c->func != from->func))
			continue;
		block = w->x->block_base[c->unit] + c->block - 1;
		node = trace_edge(w, (uint64_t)i * 4 + 2, block);
		fresh = news(&w->returned[i], w->stamp, live);
		if (fresh)
			push(w, (struct step){ block, UP, node, (uint64_t)c->inst * ORDERS + CALLS, fresh });
	}
}

static bool find_landings(struct walk *w)
{
	static const char *const names[] = { "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", NULL };
	size_t calls = alias_calls(w->d->alias);
	w->landing = malloc((calls + 1) * sizeof *w->landing);
	for (uint32_t i = 0; w->landing && i < calls; i++)
		if (is_named(alias_call(w->d->alias, i), names))
			w->landing[w->landings++] = i;
	return w->landing;
}

static void meet_use(struct walk *w, const struct event *e, uint64_t live)
{
	const struct defuse_place *p = &w->d->access[e->access].place[e->place];
	if (w->trace)
		trace_use(w, e->access);
	else
		defuse_add_pairs(w->d, w->def, e->access, place_common(p, &w->range[__builtin_ctzll(live)]));
}

/* What is left of the ranges behind an event. */
static uint64_t meet_event(struct walk *w, uint32_t i, enum phase phase, uint64_t live)
{
	const struct event *e = &w->x->event[i];
	const struct defuse_access *a = &w->d->access[e->access];
	const struct class *c = &w->class[w->class_of[i - w->x->first_event[w->object]]];
	if (a->direct && a->func == w->owner && phase == DOWN)      /* that of another activation */
		return live;
	if (a->is_def)
		return a->must ? live & ~c->covers : live;
	if (phase != KILLS && live & c->meets)
		meet_use(w, e, live & c->meets);
	return live;
}

static uint64_t event_order(const struct walk *w, const struct event *e)
{
	return (uint64_t)e->inst * ORDERS + (w->d->access[e->access].is_def ? DEFS : USES);
}

/* Events and calls of a block, in order; the ranges that reach its end. */
static uint64_t scan(struct walk *w, struct step s)
{
	const struct block *b = &w->x->block[s.block];
	const struct head *h = &w->head[s.block];
	uint32_t e = h->stamp == w->object_stamp ? h->first : 0, events = h->stamp == w->object_stamp ? e + h->count : 0;
	uint32_t c = b->first_call, calls = w->x->private_[w->object] && !w->landings ? c : c + b->calls;
	while (s.live && (e < events || c < calls)) {
		const struct alias_call *call = c < calls ? alias_call(w->d->alias, c) : NULL;
		uint64_t at = call ? (uint64_t)call->inst * ORDERS + CALLS : UINT64_MAX;
		if (e < events && event_order(w, &w->x->event[e]) < at) {
			if (event_order(w, &w->x->event[e]) > s.from)
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

static void enter_all(struct walk *w, const struct step *s, uint64_t live)
{
	for (uint32_t k = w->x->flow.first[s->block]; k < w->x->flow.first[s->block + 1]; k++)
		enter(w, w->x->flow.succ[k], s->phase, live);
}

/* The ranges that some way through a function leaves alone. */
static uint64_t survivors(struct walk *w, uint32_t func)
{
	size_t base = w->n;
	uint32_t block = defuse_entry_block(w->d, func);
	uint64_t through = 0, live;
	if (w->memo[func].stamp == w->memo_stamp)
		return w->memo[func].live;
	w->memo[func] = (struct mark){ w->memo_stamp, UINT64_MAX };     /* while it is not known */
	if (block == GRAPH_NONE)
		return UINT64_MAX;
	enter(w, block, KILLS, all_ranges(w));
	while (w->n > base && !w->x->failed) {
		struct step s = w->stack[--w->n];
		if (!(live = scan(w, s)))
			continue;
		if (w->x->block[s.block].returns)
			through |= live;
		enter_all(w, &s, live);
	}
	return w->memo[func].live = through;
}

static void ascend(struct walk *w, uint32_t func, uint64_t live)
{
	bool dies = func == w->owner && (w->d->access[w->def].direct || !alias_is_recursive(w->d->alias, func));
	if (!w->inter || dies || w->x->private_[w->object])
		return;
	for (size_t k = w->x->first_caller[func]; k < w->x->first_caller[func + 1]; k++) {
		size_t i = w->x->caller[k];
		const struct alias_call *c = alias_call(w->d->alias, i);
		uint32_t block = w->x->block_base[c->unit] + c->block - 1, node = trace_edge(w, (uint64_t)i * 4 + 2, block);
		uint64_t fresh = news(&w->returned[i], w->stamp, live);
		if (fresh)
			push(w, (struct step){ block, UP, node, (uint64_t)c->inst * ORDERS + CALLS, fresh });
	}
}

/* What the ranges are to each place of the object. */
static void classify(struct walk *w)
{
	for (size_t i = 0; i < w->classes; i++) {
		struct class *c = &w->class[i];
		c->meets = c->covers = 0;
		for (size_t k = 0; k < w->ranges; k++) {
			c->meets |= (uint64_t)place_meets(&c->place, &w->range[k]) << k;
			c->covers |= (uint64_t)place_covers(&c->place, &w->range[k], w->size) << k;
		}
	}
}

static void follow(struct walk *w, uint32_t def, struct defuse_place *range, size_t ranges, uint32_t block, uint64_t from)
{
	w->def = def;
	w->range = range;
	w->ranges = ranges;
	w->stamp++;
	w->memo_stamp++;
	classify(w);
	push(w, (struct step){ block, UP, 0, from, all_ranges(w) });
	while (w->n && !w->x->failed) {
		struct step s = w->stack[--w->n];
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
 * value that comes in. */
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
	for (size_t i = 0; i < r->n; i += BATCH)
		follow(w, def, r->range + i, r->n - i < BATCH ? r->n - i : BATCH, block, from);
}

/* The first event from i on that is of another function. */
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

static uint64_t place_key(const struct defuse_place *p, uint32_t object)
{
	uint64_t h = (object + UINT64_C(1)) * 0x9e3779b97f4a7c15u, part[] = { p->stride, (uint64_t)p->offset, p->size };
	for (size_t i = 0; i < 3; i++) {
		h = (h ^ part[i]) * 0x9e3779b97f4a7c15u;
		h ^= h >> 29;
	}
	return h ? h : 1;
}

/* Numbers the different places of the events. */
static void sort_out(struct walk *w, size_t from, size_t to)
{
	uint32_t *grown = realloc(w->class_of, (to - from + 1) * sizeof *grown);
	w->x->failed |= !grown;
	w->classes = 0;
	map_close(&w->class_at);
	w->x->failed |= !map_open(&w->class_at);
	if (grown)
		w->class_of = grown;
	for (size_t i = from; i < to && !w->x->failed; i++) {
		const struct event *e = &w->x->event[i];
		const struct defuse_place *p = &w->d->access[e->access].place[e->place];
		bool fresh = true;
		uint32_t *at = map_at(&w->class_at, place_key(p, w->object), &fresh);
		void *more = at && fresh ? defuse_grow(w->x, w->class, w->classes, sizeof *w->class) : w->class;
		if (!at || !more) {
			w->x->failed = true;
			return;
		}
		w->class = more;
		if (fresh) {
			w->class[w->classes].place = *p;
			*at = (uint32_t)w->classes++;
		}
		w->class_of[i - from] = *at;
	}
}

static void mark_events(struct walk *w, size_t from, size_t to)
{
	w->object_stamp++;
	sort_out(w, from, to);
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
	bool ready = map_open(&w->class_at);
	ready &= (w->head = calloc(blocks, sizeof *w->head)) != NULL;
	for (int p = 0; p < PHASES; p++)
		ready &= (w->seen[p] = calloc(blocks, sizeof **w->seen)) != NULL;
	ready &= (w->returned = calloc(alias_calls(w->d->alias) + 1, sizeof *w->returned)) != NULL;
	ready &= (w->memo = calloc(alias_functions(w->d->alias) + 1u, sizeof *w->memo)) != NULL;
	ready &= find_landings(w);
	w->x->failed |= !ready;
	return ready;
}

static void close_walk(struct walk *w)
{
	for (int p = 0; p < PHASES; p++)
		free(w->seen[p]);
	map_close(&w->class_at);
	free(w->class);
	free(w->class_of);
	free(w->head);
	free(w->returned);
	free(w->memo);
	free(w->landing);
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

/* Walks that are traced share their memory. */
static struct walk *tracing_walk(struct defuse *d)
{
	struct walk *w = d->index->walk;
	if (w || !(w = calloc(1, sizeof *w)))
		return w;
	d->index->walk = w;
	w->d = d;
	w->x = d->index;
	w->object = ALIAS_NONE;
	return open_walk(w) ? w : NULL;
}

bool defuse_trace(struct defuse *d, const struct defuse_pair *p, struct tracer *t)
{
	const struct defuse_access *a = &d->access[p->def];
	struct walk *w = tracing_walk(d);
	if (!w || !map_open(&t->node_of) || !(t->block = defuse_grow(w->x, t->block, 0, sizeof *t->block)))
		return false;
	if (a->kind == DEFUSE_ARGUMENT)
		a = &d->access[a->formal_of];
	t->def = p->def;
	t->block[t->nodes++] = w->x->block_base[a->unit] + a->block - 1;
	struct defuse_place range = t->place = p->place;
	if (p->place.object == ALIAS_NONE)
		return true;
	w->trace = t;
	if (w->object != p->place.object)
		choose(w, p->place.object);
	follow(w, p->def, &range, 1, t->block[0], a->inst ? (uint64_t)a->inst * ORDERS + DEFS : 0);
	return !d->index->failed;
}

void defuse_walk_free(struct walk *w)
{
	if (w)
		close_walk(w);
	free(w);
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
