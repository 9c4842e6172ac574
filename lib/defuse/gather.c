/* gather: the definitions, uses and groups of parts that the forward searches of reach.c begin
 * with. */
#include "lib/defuse/reach.h"

#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

uint32_t defuse_group_of(struct forward *w, struct defuse_place part)
{
	uint64_t ended = 1;
	for (uint32_t i = 0; i < w->classes; i++)
		if (w->class[i].must && place_covers(&w->class[i].place, &part, w->size))
			ended = (ended ^ (i + 1)) * 0x9e3779b97f4a7c15u, ended ^= ended >> 29;
	for (uint32_t i = 0; i < w->groups; i++)
		if (w->group[i].ended == ended)
			return i;
	*PUSH(w->group, w->groups) = (struct place_group){ part, ended };
	return (uint32_t)w->groups - 1;
}

void defuse_gather_groups(struct forward *w, uint32_t def, const struct defuse_place *source,
    uint32_t block, uint64_t from)
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
			defuse_follow(w);
	}
}

/* Adds the parts of a definition that uses access; source NULL: of the value at function entry. */
static void gather_uses(struct forward *w, const struct uses *uses, uint32_t def,
    const struct defuse_place *source, uint32_t block, uint64_t from)
{
	w->groups = 0;
	for (size_t i = 0; i < w->classes; i++)
		w->class[i].group = GRAPH_NONE;
	for (size_t i = 0; i < uses->n; i++) {
		struct class *c = &w->class[uses->class[i]];
		if (!source || place_meets(source, &c->place))
			c->group =
			    defuse_group_of(w, source ? place_common(source, &c->place) : c->place);
	}
	defuse_gather_groups(w, def, source, block, from);
}

/* Does the event access any escaped object (ALIAS_OUTSIDE), not this one in particular? */
static bool is_outside(const struct forward *w, const struct access_event *e)
{
	return w->object != ALIAS_OUTSIDE
	    && w->d->access[e->access].place[e->place].object == ALIAS_OUTSIDE;
}

size_t defuse_same_function(const struct forward *w, size_t i)
{
	uint32_t func = w->x->block[w->event[i].block].func;
	while (i < w->events && w->x->block[w->event[i].block].func == func)
		i++;
	return i;
}

/* Classes of the uses in an event range; those in ALIAS_OUTSIDE only if `outside`. */
static struct uses uses_between(struct forward *w, size_t from, size_t to, bool outside)
{
	struct uses u = { zeroed(w->classes + 1, sizeof *u.class), 0 };
	for (size_t i = 0; i < w->classes; i++)
		w->class[i].group = 0;
	for (size_t i = from; i < to; i++) {
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
		        .path = copied(f->name) });
	}
	return *at - 1;
}

static void gather_incoming(struct forward *w, const struct uses *uses, uint32_t func)
{
	uint32_t block = defuse_entry_block(w->d, func);
	if (uses->n && block != GRAPH_NONE
	    && !alias_function_of(w->d->alias, func, NULL, NULL)->is_harness)
		gather_uses(w, uses, incoming(w->d, func), NULL, block, 0);
}

/* May the object have a value before the function starts? */
static bool comes_in(const struct forward *w, uint32_t func)
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
    struct forward *w, const struct uses *uses, const struct uses *own, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		struct access_event e = w->event[i];
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
static void sort_out(struct forward *w)
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

static void mark_events(struct forward *w)
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
	const struct access_event *at, *end;
};

static struct events events_of(const struct forward *w, uint32_t object)
{
	return (struct events){ w->x->event + w->x->first_event[object],
		w->x->event + w->x->first_event[object + 1] };
}

/* Collects the events of an object; if it escaped, also those in ALIAS_OUTSIDE. */
static void gather(struct forward *w)
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

void defuse_choose(struct forward *w, uint32_t object)
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

bool defuse_has_own(const struct forward *w, size_t from, size_t to)
{
	while (from < to && is_outside(w, &w->event[from]))
		from++;
	return from < to;
}

void defuse_reach_between(struct forward *w, size_t from, size_t to)
{
	struct uses uses = uses_between(w, from, to, true), own = uses_between(w, from, to, false);
	gather_defs(w, &uses, &own, from, to);
	for (uint32_t f = 0; w->inter && f < alias_functions(w->d->alias); f++)
		if (alias_is_entry(w->d->alias, f) && comes_in(w, f))
			gather_incoming(w, &own, f);
	if (!w->inter && comes_in(w, w->x->block[w->event[from].block].func))
		gather_incoming(w, &own, w->x->block[w->event[from].block].func);
	if (w->live)
		defuse_follow(w);
	free(uses.class);
	free(own.class);
}
