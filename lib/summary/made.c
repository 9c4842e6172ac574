/* Objects of the heap that a call makes and to which no pointer exists elsewhere until it returns:
 * each pointer to them comes from the allocator, from variables of the call's own activations, or
 * from such an object. The analysis of aliases is insensitive to context, so that one pointer from
 * elsewhere (an argument, a global list) is enough to say no. */
#include "lib/base/grow.h"
#include "lib/summary/inner.h"

#include "lib/clib/clib.h"

#include <stdlib.h>
#include <string.h>

bool effects_is_made(const struct summary_work *w, uint32_t f, uint32_t object)
{
	return object < w->objects && w->made[f * w->objects + object];
}

uint64_t effects_heap_size(const struct summary_work *w, uint32_t object)
{
	const struct alias_object *o = alias_object(w->e->alias, object);
	const struct flow_unit *u = &w->flow->unit[o->unit];
	const struct flow_inst *i = &u->inst[o->id - 1];
	const struct flow_operand *a = u->operand + i->first;
	uint64_t size;
	if (i->operands < 2 || a[0].kind != '@' || a[1].kind != '#' || a[1].value <= 0)
		return 0;
	if (!strcmp(a[0].name, "malloc"))
		return (uint64_t)a[1].value;
	if (strcmp(a[0].name, "calloc") || i->operands < 3 || a[2].kind != '#' || a[2].value <= 0
	    || __builtin_mul_overflow((uint64_t)a[1].value, (uint64_t)a[2].value, &size))
		return 0;
	return size;
}

static bool runs_in(const struct summary_work *w, uint32_t f, uint32_t function)
{
	return function == f || w->e->reaches[f * w->functions + function];
}

/* Only of the call of f: a variable of an activation, or what it made. */
static bool is_own(const struct summary_work *w, uint32_t f, uint32_t object)
{
	const struct alias_object *o =
	    object < w->objects ? alias_object(w->e->alias, object) : NULL;
	return o
	    && (effects_is_made(w, f, object)
	        || ((o->kind == ALIAS_VARIABLE || o->kind == ALIAS_TEMPORARY)
	            && o->owner != ALIAS_NONE && runs_in(w, f, o->owner)));
}

/* May the operand point to what is not the call's own, or nowhere that is known? */
static bool leads_out(
    struct summary_work *w, uint32_t f, uint32_t unit, const struct flow_operand *o)
{
	struct alias_place *to;
	size_t n = alias_points_to(w->e->alias, unit, f, o, &to);
	bool out = n == 0;
	for (size_t i = 0; i < n; i++)
		out |= !is_own(w, f, to[i].object);
	free(to);
	return out;
}

/* Marks the objects that the operand may point to as not allocated by the call of f. True if one
 * was not marked before. */
static bool drop(struct summary_work *w, uint32_t f, uint32_t unit, const struct flow_operand *o)
{
	struct alias_place *to;
	size_t n = alias_points_to(w->e->alias, unit, f, o, &to);
	bool any = false;
	for (size_t i = 0; i < n; i++)
		if (effects_is_made(w, f, to[i].object)) {
			w->made[f * w->objects + to[i].object] = false;
			any = true;
		}
	free(to);
	return any;
}

static bool drop_all(struct summary_work *w, uint32_t f)
{
	bool any = memchr(w->made + f * w->objects, true, w->objects) != NULL;
	memset(w->made + f * w->objects, false, w->objects);
	return any;
}

/* An instruction that runs in a call of f. */
static bool instruction(struct summary_work *w, uint32_t f, uint32_t unit, size_t k)
{
	const struct flow_unit *u = &w->flow->unit[unit];
	const struct flow_inst *i = &u->inst[k];
	const struct flow_operand *o = u->operand + i->first,
	                          self = { .kind = '%', .id = (uint32_t)k + 1 };
	switch (i->op) {
	case FLOW_LOAD: return leads_out(w, f, unit, o) && drop(w, f, unit, &self);
	case FLOW_COPY: return leads_out(w, f, unit, o + 1) && drop_all(w, f);
	case FLOW_OTHER:
	case FLOW_ASM: return drop_all(w, f);
	default: return false;
	}
}

/* The arguments with which f itself is called. */
static bool argument(struct summary_work *w, uint32_t f, uint32_t unit, size_t k)
{
	const struct flow_unit *u = &w->flow->unit[unit];
	const struct flow_inst *i = &u->inst[k];
	bool any = false;
	if (alias_function(w->e->alias, unit, u->block_func[i->block - 1]) != f)
		return false;
	for (uint32_t n = 0; n < i->operands; n++)
		if (u->operand[i->first + n].kind == '^')
			any |= drop(w, f, unit, &u->operand[i->first + n]);
	return any;
}

/* Calls of the library that copy pointers. */
static bool copies(const struct summary_work *w, uint32_t f)
{
	for (size_t i = 0; i < alias_calls(w->e->alias); i++) {
		const struct alias_call *c = alias_call(w->e->alias, i);
		const struct clib *l = c->external && c->name ? clib_find(c->name) : NULL;
		if (c->external && runs_in(w, f, c->func) && (!l || strpbrk(l->points, "cCn+e")))
			return true;
	}
	return false;
}

typedef bool visit(struct summary_work *w, uint32_t f, uint32_t unit, size_t k);

/* Visits the instructions in `at` that may run in a call of f. True if some visit gives that. */
static bool each(struct summary_work *w, uint32_t f, visit *v)
{
	bool any = false;
	for (size_t i = 0; i < w->ats; i++)
		if (runs_in(w, f, w->at[i].function))
			any |= v(w, f, w->at[i].unit, w->at[i].inst - 1);
	return any;
}

/* May it point anywhere? */
static bool may_point(
    struct summary_work *w, uint32_t f, uint32_t unit, const struct flow_operand *o)
{
	struct alias_place *to;
	size_t n = alias_points_to(w->e->alias, unit, f, o, &to);
	free(to);
	return n > 0;
}

static bool follows(struct summary_work *w, uint32_t f, uint32_t unit, size_t k)
{
	const struct flow_unit *u = &w->flow->unit[unit];
	const struct flow_inst *i = &u->inst[k];
	const struct flow_operand *o = u->operand + i->first,
	                          self = { .kind = '%', .id = (uint32_t)k + 1 };
	switch (i->op) {
	case FLOW_LOAD: return may_point(w, f, unit, &self) && leads_out(w, f, unit, o);
	case FLOW_COPY: return leads_out(w, f, unit, o + 1);
	case FLOW_OTHER:
	case FLOW_ASM: return true;
	default: return false;
	}
}

bool effects_follows(struct summary_work *w, uint32_t f)
{
	uint32_t unit, id;
	alias_function_of(w->e->alias, f, &unit, &id);
	for (size_t i = 0; i < w->flow->unit[unit].homes; i++)
		if (w->flow->unit[unit].var[w->flow->unit[unit].home[i].var - 1].func == id)
			return true;
	return w->e->reaches[f * w->functions + f] || copies(w, f) || each(w, f, follows);
}

static void find(struct summary_work *w, uint32_t f)
{
	for (uint32_t i = 0; i < w->objects; i++) {
		const struct alias_object *o = alias_object(w->e->alias, i);
		if (o->kind != ALIAS_HEAP || !o->id)
			continue;
		const struct flow_unit *u = &w->flow->unit[o->unit];
		uint32_t maker = alias_function(
		    w->e->alias, o->unit, u->block_func[u->inst[o->id - 1].block - 1]);
		w->made[f * w->objects + i] = runs_in(w, f, maker);
	}
	if (w->e->reaches[f * w->functions + f] || copies(w, f))
		drop_all(w, f);
	each(w, f, argument);
	while (each(w, f, instruction))
		;
}

/* Is it a load of a pointer, a copy of memory, or is an argument in it? */
static bool moves_pointer(struct summary_work *w, uint32_t unit, uint32_t function, size_t k)
{
	const struct flow_unit *u = &w->flow->unit[unit];
	const struct flow_inst *i = &u->inst[k];
	const struct flow_operand self = { .kind = '%', .id = (uint32_t)k + 1 };
	for (uint32_t n = 0; n < i->operands; n++)
		if (u->operand[i->first + n].kind == '^')
			return true;
	return i->op == FLOW_COPY || i->op == FLOW_OTHER || i->op == FLOW_ASM
	    || (i->op == FLOW_LOAD && may_point(w, function, unit, &self));
}

static void list(struct summary_work *w, uint32_t unit)
{
	const struct flow_unit *u = &w->flow->unit[unit];
	for (size_t k = 0; k < u->insts && u->operand; k++) {
		uint32_t function =
		    alias_function(w->e->alias, unit, u->block_func[u->inst[k].block - 1]);
		if (!moves_pointer(w, unit, function, k))
			continue;
		*PUSH(w->at, w->ats) = (struct effects_at){ unit, (uint32_t)k + 1, function };
	}
}

void effects_find_made(struct summary_work *w)
{
	w->made = zeroed(w->functions + 1, w->objects + 1);
	for (uint32_t unit = 0; unit < w->flow->units; unit++)
		list(w, unit);
	for (uint32_t f = 0; f < w->functions; f++)
		find(w, f);
}
