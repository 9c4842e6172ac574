/* reach: the uses that each definition reaches, object by object.
 *
 * A walk follows definitions forward from where they are made: first (phase UP) within the function
 * and, if calls are crossed, up into its callers; from any of these (phase DOWN) down into callees.
 * A call that returns is stepped over unless every path through the callee kills the definition, so
 * a walk never returns to a call site that it did not come from.
 *
 * Uses access different parts of what a definition writes. Parts that are killed by the same
 * definitions form a group and behave alike. A walk carries up to 64 groups at once, of one or
 * several definitions, one bit each. */
#include "lib/defuse/inner.h"

#include "lib/base/grow.h"
#include "lib/clib/clib.h"

#include <stdlib.h>
#include <string.h>

enum phase {
	UP,
	DOWN,
	KILLS,
	PHASES
}; /* KILLS: what survives a function from entry to
      return */
enum { USES, CALLS, DEFS, ORDERS = 4 }; /* order of events within an instruction */

enum { BATCH = 64 };

/* resume after instruction * ORDERS + order */
struct step {
	uint32_t block, phase, node;
	uint64_t from, live;
};
struct head {
	uint32_t first, count, stamp;
};
struct mark {
	uint32_t stamp;
	uint64_t live, waits;
}; /* waits: those of `live` with a step
      pending on the stack */
/* must: some definition certainly overwrites it; group: of the part of the current definition that
 * a use accesses; meets, covers: bits of the groups in the walk that it overlaps or kills */
struct class
{
	struct defuse_place place;
	bool must;
	uint32_t group;
	uint64_t meets, covers;
};
/* hash of the classes that kill it */
struct group {
	struct defuse_place place;
	uint64_t ended;
};
/* A group in the walk: place, definition, what the definition writes (NULL: everything), start. */
struct bit {
	struct defuse_place place;
	uint32_t def, block;
	const struct defuse_place *source;
	uint64_t from;
};
struct uses {
	uint32_t *class;
	size_t n;
}; /* distinct classes of uses */

struct walk {
	struct defuse *d;
	struct defuse_index *x;
	uint32_t object, owner; /* owner: function of a local, else ALIAS_NONE */
	uint64_t size;          /* of the object, in bits */
	bool inter;
	struct event *event;
	size_t events; /* of the object */
	struct class *class;
	size_t classes; /* distinct places of the object's events */
	struct group *group;
	size_t groups; /* of the current definition */
	struct bit bit[BATCH];
	size_t live;     /* groups in the walk */
	uint64_t direct; /* groups whose definition names its variable
	                    directly */
	uint32_t *class_of;
	size_t class_room, event_room;
	struct map class_at; /* class_of: class of each event */
	struct head *head;   /* events of the object, by block */
	uint32_t object_stamp, stamp;
	struct mark *seen[PHASES]; /* by block */
	struct mark *returned;     /* by call */
	struct mark *memo;         /* by function: the groups that survive it */
	uint32_t *landing;
	size_t landings; /* calls of setjmp */
	uint32_t memo_stamp;
	struct step *stack;
	size_t n, room;
	struct tracer *trace; /* records the walk instead of adding pairs; or
	                         NULL */
};

/* Adds a node for the walk's target, and an edge from the current node. */
static uint32_t trace_edge(struct walk *w, uint64_t key, uint32_t block)
{
	struct tracer *t = w->trace;
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

static void trace_use(struct walk *w, uint32_t access)
{
	struct tracer *t = w->trace;
	*PUSH(t->hit, t->hits) = (struct hit){ access, t->at };
}

static void push(struct walk *w, struct step s)
{
	GROW(w->stack, w->room, w->n + 1);
	w->stack[w->n++] = s;
}

static uint64_t all_groups(const struct walk *w)
{
	return w->live == BATCH ? UINT64_MAX : (UINT64_C(1) << w->live) - 1;
}

/* The groups in `live` that have not been here before. */
static uint64_t news(struct mark *m, uint32_t stamp, uint64_t live)
{
	if (m->stamp != stamp)
		*m = (struct mark){ stamp, 0, 0 };
	live &= ~m->live;
	m->live |= live;
	return live;
}

/* Enters a block: once per walk, group and phase. Only the start of a walk is in the middle of a
 * block. */
static void enter(struct walk *w, uint32_t block, enum phase phase, uint64_t live)
{
	uint32_t stamp = phase == KILLS ? w->memo_stamp : w->stamp;
	uint32_t node = phase == KILLS ? 0 : trace_edge(w, (uint64_t)block * 4 + phase, block);
	struct mark *m = &w->seen[phase][block];
	live = news(m, stamp, live);
	if (live && !m->waits)
		push(w, (struct step){ block, phase, node, 0, 0 });
	m->waits |= live;
}

/* Completes a step with all groups that reached its block since it was pushed. */
static struct step whole(struct walk *w, struct step s)
{
	struct mark *m = &w->seen[s.phase][s.block];
	if (!s.live) {
		s.live = m->waits;
		m->waits = 0;
	}
	return s;
}

static uint64_t survivors(struct walk *w, uint32_t func);

/* The groups that may survive a call. */
static uint64_t passes(struct walk *w, const struct alias_call *c)
{
	size_t n;
	const uint32_t *callee = defuse_callees(w->d, c, &n);
	uint64_t live = c->external || !n ? UINT64_MAX : 0;
	for (size_t i = 0; i < n && ~live; i++)
		live |= defuse_touches(w->d, callee[i], w->object) ? survivors(w, callee[i])
		                                                   : UINT64_MAX;
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

static bool does(const struct alias_call *c, const char *letters)
{
	const struct clib *f = c->name ? clib_find(c->name) : NULL;
	return f && clib_does(f, letters);
}

/* longjmp: `from` may return to a setjmp: to any if it may call longjmp, else to one of its own
 * function. */
static void land(struct walk *w, const struct alias_call *from, enum phase phase, uint64_t live)
{
	bool any = w->landings && w->inter && does(from, "j");
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
			push(w,
			    (struct step){
			        block, UP, node, (uint64_t)c->inst * ORDERS + CALLS, fresh });
	}
}

static bool find_landings(struct walk *w)
{
	size_t calls = alias_calls(w->d->alias);
	w->landing = malloc((calls + 1) * sizeof *w->landing);
	for (uint32_t i = 0; w->landing && i < calls; i++)
		if (does(alias_call(w->d->alias, i), "2"))
			w->landing[w->landings++] = i;
	return w->landing;
}

static void meet_use(
    struct walk *w, const struct event *e, const struct defuse_place *p, uint64_t met)
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
static uint64_t meet_event(struct walk *w, uint32_t i, enum phase phase, uint64_t live)
{
	const struct event *e = &w->event[i];
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

static uint64_t event_order(const struct walk *w, const struct event *e)
{
	return (uint64_t)e->inst * ORDERS + (w->d->access[e->access].is_def ? DEFS : USES);
}

/* Processes events and calls of a block in order; returns the groups that reach its end. */
static uint64_t scan(struct walk *w, struct step s)
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

static void enter_all(struct walk *w, const struct step *s, uint64_t live)
{
	for (uint32_t k = w->x->flow.first[s->block]; k < w->x->flow.first[s->block + 1]; k++)
		enter(w, w->x->flow.succ[k], s->phase, live);
}

/* The groups that survive some path through a function; memoised. */
static uint64_t survivors(struct walk *w, uint32_t func)
{
	size_t base = w->n;
	uint32_t block = defuse_entry_block(w->d, func);
	uint64_t through = 0, live;
	if (w->memo[func].stamp == w->memo_stamp)
		return w->memo[func].live;
	/* assumed during recursion */
	w->memo[func] = (struct mark){ w->memo_stamp, UINT64_MAX, 0 };
	if (block == GRAPH_NONE)
		return UINT64_MAX;
	enter(w, block, KILLS, all_groups(w));
	while (w->n > base && !w->x->failed) {
		struct step s = whole(w, w->stack[--w->n]);
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
	if (func == w->owner)
		live &= alias_is_recursive(w->d->alias, func) ? ~w->direct : 0;
	if (!w->inter || !live || w->x->private_[w->object])
		return;
	for (size_t k = w->x->first_caller[func]; k < w->x->first_caller[func + 1]; k++) {
		size_t i = w->x->caller[k];
		const struct alias_call *c = alias_call(w->d->alias, i);
		uint32_t block = w->x->block_base[c->unit] + c->block - 1,
		         node = trace_edge(w, (uint64_t)i * 4 + 2, block);
		uint64_t fresh = news(&w->returned[i], w->stamp, live);
		if (fresh)
			push(w,
			    (struct step){
			        block, UP, node, (uint64_t)c->inst * ORDERS + CALLS, fresh });
	}
}

/* Sets `covers` of each class: the groups in the walk that it kills. */
static void find_covers(struct walk *w)
{
	for (size_t i = 0; i < w->classes; i++) {
		struct class *c = &w->class[i];
		c->covers = 0;
		for (size_t k = 0; c->must && k < w->live; k++)
			c->covers |= (uint64_t)place_covers(&c->place, &w->bit[k].place, w->size)
			    << k;
	}
}

/* Runs the walk for the gathered groups. */
static void follow(struct walk *w)
{
	w->stamp++;
	w->memo_stamp++;
	find_covers(w);
	for (size_t k = 0; k < w->live; k++)
		push(w, (struct step){ w->bit[k].block, UP, 0, w->bit[k].from, UINT64_C(1) << k });
	/* breadth first, so that groups meet */
	for (size_t i = 0; i < w->n && !w->x->failed; i++) {
		struct step s = whole(w, w->stack[i]);
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

/* The group of a part: equal if the same classes kill it. */
static uint32_t group_of(struct walk *w, struct defuse_place part)
{
	uint64_t ended = 1;
	for (uint32_t i = 0; i < w->classes; i++)
		if (w->class[i].must && place_covers(&w->class[i].place, &part, w->size))
			ended = (ended ^ (i + 1)) * 0x9e3779b97f4a7c15u, ended ^= ended >> 29;
	for (uint32_t i = 0; i < w->groups; i++)
		if (w->group[i].ended == ended)
			return i;
	*PUSH(w->group, w->groups) = (struct group){ part, ended };
	return (uint32_t)w->groups - 1;
}

/* Adds the groups of a definition to the batch; runs the walk when the batch is full. */
static void gather_groups(
    struct walk *w, uint32_t def, const struct defuse_place *source, uint32_t block, uint64_t from)
{
	for (uint32_t first = 0, n; first < w->groups; first += n) {
		n = BATCH - w->live < w->groups - first ? (uint32_t)(BATCH - w->live)
		                                        : (uint32_t)w->groups - first;
		for (uint32_t k = 0; k < n; k++) {
			w->direct |= (uint64_t)w->d->access[def].direct << (w->live + k);
			w->bit[w->live + k] =
			    (struct bit){ w->group[first + k].place, def, block, source, from };
		}
		for (size_t i = 0; i < w->classes; i++)
			if (w->class[i].group >= first && w->class[i].group < first + n)
				w->class[i].meets |= UINT64_C(1)
				    << (w->live + w->class[i].group - first);
		w->live += n;
		if (w->live == BATCH)
			follow(w);
	}
}

/* Adds the parts of a definition that uses access; source NULL: of the value at function entry. */
static void gather_uses(struct walk *w, const struct uses *uses, uint32_t def,
    const struct defuse_place *source, uint32_t block, uint64_t from)
{
	w->groups = 0;
	for (size_t i = 0; i < w->classes; i++)
		w->class[i].group = GRAPH_NONE;
	for (size_t i = 0; i < uses->n; i++) {
		struct class *c = &w->class[uses->class[i]];
		if (!source || place_meets(source, &c->place))
			c->group = group_of(w, source ? place_common(source, &c->place) : c->place);
	}
	gather_groups(w, def, source, block, from);
}

/* Does the event access any escaped object (ALIAS_OUTSIDE), not this one in particular? */
static bool is_outside(const struct walk *w, const struct event *e)
{
	return w->object != ALIAS_OUTSIDE
	    && w->d->access[e->access].place[e->place].object == ALIAS_OUTSIDE;
}

/* Index of the first event from i on in another function. */
static size_t same_function(const struct walk *w, size_t i)
{
	uint32_t func = w->x->block[w->event[i].block].func;
	while (i < w->events && w->x->block[w->event[i].block].func == func)
		i++;
	return i;
}

/* Classes of the uses in an event range; those in ALIAS_OUTSIDE only if `outside`. */
static struct uses uses_between(struct walk *w, size_t from, size_t to, bool outside)
{
	struct uses u = { calloc(w->classes + 1, sizeof *u.class), 0 };
	for (size_t i = 0; i < w->classes; i++)
		w->class[i].group = 0;
	w->x->failed |= !u.class;
	for (size_t i = from; u.class && i < to; i++) {
		struct class *c = &w->class[w->class_of[i]];
		if (w->d->access[w->event[i].access].is_def || c->group
		    || (!outside && is_outside(w, &w->event[i])))
			continue;
		c->group = 1;
		u.class[u.n++] = w->class_of[i];
	}
	return u;
}

/* The DEFUSE_INCOMING access of a function; one for all objects. */
static uint32_t incoming(struct defuse *d, uint32_t func)
{
	uint32_t unit, *at = &d->index->incoming[func];
	const struct flow_func *f = alias_function_of(d->alias, func, &unit, NULL);
	if (!*at) {
		*at = (uint32_t)d->accesses + 1;
		defuse_add(d,
		    (struct defuse_access){ .kind = DEFUSE_INCOMING,
		        .is_def = true,
		        .unit = unit,
		        .func = func,
		        .block = f->first_block,
		        .pos = f->pos,
		        .path = strdup(f->name) });
	}
	return *at - 1;
}

static void gather_incoming(struct walk *w, const struct uses *uses, uint32_t func)
{
	uint32_t block = defuse_entry_block(w->d, func);
	if (uses->n && block != GRAPH_NONE
	    && !alias_function_of(w->d->alias, func, NULL, NULL)->is_harness)
		gather_uses(w, uses, incoming(w->d, func), NULL, block, 0);
}

/* May the object have a value before the function starts? */
static bool comes_in(const struct walk *w, uint32_t func)
{
	const struct alias_object *o = alias_object(w->d->alias, w->object);
	switch (o->kind) {
	case ALIAS_VARIABLE:
	case ALIAS_TEMPORARY: return w->owner == ALIAS_NONE || (w->owner != func && !w->inter);
	case ALIAS_HEAP: return !w->inter;
	default: return true;
	}
}

/* Adds the definitions in an event range. Definitions and uses that are both in ALIAS_OUTSIDE are
 * paired once, not per object; own: uses not in ALIAS_OUTSIDE. */
static void gather_defs(
    struct walk *w, const struct uses *uses, const struct uses *own, size_t from, size_t to)
{
	for (size_t i = from; i < to && !w->x->failed; i++) {
		struct event e = w->event[i];
		if (w->d->access[e.access].is_def)
			gather_uses(w, is_outside(w, &e) ? own : uses, e.access,
			    &w->class[w->class_of[i]].place, e.block,
			    (uint64_t)e.inst * ORDERS + DEFS);
	}
}

static uint64_t place_key(const struct defuse_place *p, uint32_t object)
{
	uint64_t h = (object + UINT64_C(1)) * 0x9e3779b97f4a7c15u,
	         part[] = { p->stride, (uint64_t)p->offset, p->size };
	for (size_t i = 0; i < 3; i++) {
		h = (h ^ part[i]) * 0x9e3779b97f4a7c15u;
		h ^= h >> 29;
	}
	return h ? h : 1;
}

/* Numbers the distinct places of the events. */
static void sort_out(struct walk *w)
{
	GROW(w->class_of, w->class_room, w->events);
	w->classes = 0;
	map_close(&w->class_at);
	for (size_t i = 0; i < w->events; i++) {
		struct defuse_place p = defuse_event_place(w->d, &w->event[i], w->object);
		bool fresh = true;
		uint32_t *at = map_at(&w->class_at, place_key(&p, w->object), &fresh);
		if (fresh) {
			*at = (uint32_t)w->classes;
			*PUSH(w->class, w->classes) = (struct class){ .place = p };
		}
		w->class_of[i] = *at;
		w->class[*at].must |= w->d->access[w->event[i].access].must;
	}
}

static void mark_events(struct walk *w)
{
	w->object_stamp++;
	sort_out(w);
	for (size_t i = 0; i < w->events; i++) {
		struct head *h = &w->head[w->event[i].block];
		if (h->stamp != w->object_stamp)
			*h = (struct head){ (uint32_t)i, 0, w->object_stamp };
		h->count++;
	}
}

struct events {
	const struct event *at, *end;
};

static struct events events_of(const struct walk *w, uint32_t object)
{
	return (struct events){ w->x->event + w->x->first_event[object],
		w->x->event + w->x->first_event[object + 1] };
}

/* Collects the events of an object; if it escaped, also those in ALIAS_OUTSIDE. */
static void gather(struct walk *w)
{
	struct events own = events_of(w, w->object), out = { 0 };
	if (w->object != ALIAS_OUTSIDE && alias_object(w->d->alias, w->object)->escaped)
		out = events_of(w, ALIAS_OUTSIDE);
	w->events = 0;
	GROW(w->event, w->event_room, (size_t)(own.end - own.at + (out.end - out.at)));
	while (own.at < own.end || out.at < out.end) {
		bool first = out.at == out.end
		    || (own.at < own.end && defuse_compare_events(own.at, out.at, w->d) <= 0);
		w->event[w->events++] = first ? *own.at++ : *out.at++;
	}
}

/* Selects the object to analyse. */
static void choose(struct walk *w, uint32_t object)
{
	const struct alias_object *o = alias_object(w->d->alias, object);
	bool local =
	    o->kind == ALIAS_VARIABLE || o->kind == ALIAS_TEMPORARY || o->kind == ALIAS_VARIADIC;
	w->object = object;
	w->owner = local ? o->owner : ALIAS_NONE;
	w->size = o->size * 8;
	w->inter = !w->x->private_[object]
	    && (w->d->options.inter || (w->d->options.paper && w->owner == ALIAS_NONE));
	gather(w);
	mark_events(w);
}

static bool has_own(const struct walk *w, size_t from, size_t to)
{
	while (from < to && is_outside(w, &w->event[from]))
		from++;
	return from < to;
}

static void reach_between(struct walk *w, size_t from, size_t to)
{
	struct uses uses = uses_between(w, from, to, true), own = uses_between(w, from, to, false);
	gather_defs(w, &uses, &own, from, to);
	for (uint32_t f = 0; w->inter && f < alias_functions(w->d->alias); f++)
		if (alias_is_entry(w->d->alias, f) && comes_in(w, f))
			gather_incoming(w, &own, f);
	if (!w->inter && comes_in(w, w->x->block[w->event[from].block].func))
		gather_incoming(w, &own, w->x->block[w->event[from].block].func);
	if (w->live)
		follow(w);
	free(uses.class);
	free(own.class);
}

static void reach_object(struct walk *w, uint32_t object)
{
	if (w->x->first_event[object] == w->x->first_event[object + 1]
	    || alias_object(w->d->alias, object)->kind == ALIAS_FUNCTION)
		return;
	choose(w, object);
	for (size_t i = 0, next; i < w->events; i = next) {
		next = w->inter ? w->events : same_function(w, i);
		if (has_own(w, i, next))
			reach_between(w, i, next);
	}
}

static bool open_walk(struct walk *w)
{
	size_t blocks = w->x->blocks + 1u;
	bool ready = true;
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
	struct walk w = { .d = d, .x = d->index };
	open_walk(&w);
	if (!d->index->failed)
		reach_object(&w, ALIAS_OUTSIDE);
	for (uint32_t o = 0; o < alias_objects(d->alias) && !d->index->failed; o++)
		if (o != ALIAS_OUTSIDE)
			reach_object(&w, o);
	close_walk(&w);
}

/* The walk shared by all recordings. */
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
	if (!w)
		return false;
	if (a->kind == DEFUSE_ARGUMENT)
		a = &d->access[a->formal_of];
	t->def = p->def;
	*PUSH(t->block, t->nodes) = w->x->block_base[a->unit] + a->block - 1;
	t->place = p->place;
	if (p->place.object == ALIAS_NONE)
		return true;
	w->trace = t;
	if (w->object != p->place.object)
		choose(w, p->place.object);
	w->groups = 0;
	group_of(w, p->place);
	for (size_t i = 0; i < w->classes; i++)
		w->class[i].group = place_meets(&w->class[i].place, &p->place) ? 0 : GRAPH_NONE;
	gather_groups(
	    w, p->def, NULL, t->block[0], a->inst ? (uint64_t)a->inst * ORDERS + DEFS : 0);
	follow(w);
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
