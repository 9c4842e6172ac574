#include "lib/summary/effects.h"

#include "lib/base/grow.h"
#include "lib/clib/clib.h"

#include <stdlib.h>
#include <string.h>

#include "lib/summary/inner.h"

/* All that a library function does is in the memory that its arguments point to, or only output, or
 * the end of the run. */
static bool is_plain(const char *name)
{
	const struct clib *c = clib_find(name);
	return (!strncmp(name, "llvm.", 5) && strncmp(name, "llvm.va_", 8))
	    || !strncmp(name, "__VERIFIER_", 11) || (c && clib_is_local(c));
}

static uint32_t function_of(const struct summary_work *w, uint32_t unit, const struct flow_inst *i)
{
	return alias_function(w->e->alias, unit, w->flow->unit[unit].block_func[i->block - 1]);
}

static void hide(struct summary_work *w, uint32_t function, const char *why)
{
	if (!w->e->function[function].hidden)
		w->e->function[function].hidden = why;
}

/* The calls that cannot be left out, and why. */
static void hide_call(struct summary_work *w, const struct alias_call *c)
{
	if (c->external && (c->unknown || !c->name || !is_plain(c->name)))
		hide(w, c->func,
		    c->name ? "it calls a function that keeps a state of its own"
		            : "it calls an unknown function");
}

/* A caller reaches what its callees reach, and cannot be left out when one of them cannot. */
static bool inherit(struct summary_work *w, uint32_t to, uint32_t from)
{
	bool changed = false;
	for (size_t i = 0; i < w->functions; i++) {
		bool *mine = &w->e->reaches[to * w->functions + i],
		     all = w->e->reaches[from * w->functions + i] || i == from;
		changed |= all && !*mine;
		*mine |= all;
	}
	if (w->e->function[from].hidden && !w->e->function[to].hidden) {
		hide(w, to, w->e->function[from].hidden);
		changed = true;
	}
	return changed;
}

static void propagate(struct summary_work *w)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (size_t i = 0; i < alias_calls(w->e->alias); i++) {
			const struct alias_call *c = alias_call(w->e->alias, i);
			for (size_t k = 0; k < c->callees; k++)
				changed |= inherit(w, c->func, c->callee[k]);
		}
	}
}

/* Structures in memory: the caller has them. */
static void structs(struct summary_work *w, uint32_t f)
{
	uint32_t unit, id;
	const struct flow_unit *u;
	alias_function_of(w->e->alias, f, &unit, &id);
	u = &w->flow->unit[unit];
	for (size_t i = 0; i < u->homes; i++) {
		const struct flow_var *v = &u->var[u->home[i].var - 1];
		w->e->function[f].reads |= v->func == id;
		w->e->function[f].writes |= v->func == id && v->kind != 'p';
	}
}

/* A variable of the program with static storage? */
static bool is_static(const struct alias_object *o)
{
	return o->kind == ALIAS_VARIABLE && o->owner == ALIAS_NONE;
}

/* May an object of a function be there already when f is called? */
static bool is_there(
    const struct summary_work *w, const struct alias_object *o, uint32_t f, uint32_t i)
{
	if (effects_is_made(w, f, i))
		return false;
	return o->owner == ALIAS_NONE || o->kind == ALIAS_HEAP
	    || w->e->reaches[o->owner * w->functions + f];
}

/* May f write an object that its argument points to, through whatever pointer? */
static bool writes_through(struct summary_work *w, uint32_t f, uint32_t unit, uint32_t argument)
{
	struct flow_operand o = { .kind = '^', .id = argument };
	struct alias_place *to;
	size_t n = alias_places(w->e->alias, unit, f, &o, &to);
	bool may = n == 0;
	for (size_t i = 0; i < n && !may; i++)
		may = to[i].object >= w->objects || to[i].object == ALIAS_OUTSIDE
		    || summary_does(w->summary, w->e->alias, f, to[i].object) & SUMMARY_WRITTEN;
	free(to);
	return may;
}

#define MOST_ARGUMENTS 64

static void find_kept(struct summary_work *w, uint32_t f)
{
	const struct summary_function *s = &w->summary->function[f];
	struct effects_function *e = &w->e->function[f];
	uint32_t unit, id;
	if (!e->writes || s->all || s->elsewhere & SUMMARY_WRITTEN)
		return;
	alias_function_of(w->e->alias, f, &unit, &id);
	for (uint32_t k = 0; k < MOST_ARGUMENTS; k++)
		if (!writes_through(w, f, unit, k))
			e->kept |= UINT64_C(1) << k;
}

static void conclude(struct summary_work *w, uint32_t f)
{
	struct effects_function *e = &w->e->function[f];
	uint8_t elsewhere = w->summary->function[f].elsewhere;
	structs(w, f);
	e->follows = effects_follows(w, f);
	e->reads |= (elsewhere & SUMMARY_READ) != 0;
	e->writes |= (elsewhere & SUMMARY_WRITTEN) != 0;
	for (uint32_t i = 0; i < w->objects; i++) {
		const struct alias_object *o = alias_object(w->e->alias, i);
		uint8_t how = summary_does(w->summary, w->e->alias, f, i);
		if (!how || o->kind == ALIAS_FUNCTION || o->kind == ALIAS_DATA
		    || !is_there(w, o, f, i))
			continue;
		if ((o->kind == ALIAS_EXTERNAL || o->kind == ALIAS_NAMED) && how & SUMMARY_WRITTEN)
			hide(w, f, "it writes memory that is not the program's");
		if (!is_static(o)) {
			e->reads |= how & SUMMARY_READ;
			e->writes |= (how & SUMMARY_WRITTEN) != 0;
			continue;
		}
		for (uint8_t bit = SUMMARY_READ; bit <= SUMMARY_WRITTEN; bit++) {
			if (how & bit)
				*PUSH(e->variable, e->variables) =
				    (struct effects_variable){ o->unit, o->id,
					    bit == SUMMARY_WRITTEN };
		}
	}
	find_kept(w, f);
}

#define MOST_TARGETS 64

static bool add_target(struct effects_function *e, const struct alias_object *o, uint64_t offset)
{
	for (size_t i = 0; i < e->targets; i++)
		if (e->target[i].unit == o->unit && e->target[i].var == o->id
		    && e->target[i].offset == offset)
			return true;
	if (e->targets == MOST_TARGETS)
		return false;
	*PUSH(e->target, e->targets) = (struct effects_target){ o->unit, o->id, offset };
	return true;
}

#define MOST_SIZES 4

static bool add_heap(struct effects_function *e, uint64_t size)
{
	for (size_t i = 0; i < e->heaps; i++)
		if (e->heap[i] == size)
			return true;
	if (!size || e->heaps == MOST_SIZES)
		return false;
	*PUSH(e->heap, e->heaps) = size;
	return true;
}

/* The places of variables of static storage that a pointer of f may be at, and the objects that a
 * call of f makes; false: it may be elsewhere, or at too many. */
static bool add_places(struct summary_work *w, uint32_t f, const struct alias_place *to, size_t n)
{
	struct effects_function *e = &w->e->function[f];
	for (size_t i = 0; i < n; i++) {
		if (effects_is_made(w, f, to[i].object)) {
			if (to[i].offset || to[i].stride
			    || !add_heap(e, effects_heap_size(w, to[i].object)))
				return false;
			continue;
		}
		const struct alias_object *o =
		    to[i].object < w->objects ? alias_object(w->e->alias, to[i].object) : NULL;
		int64_t at = to[i].offset, step = to[i].stride;
		if (!o || !is_static(o) || !o->size || o->size > INT64_MAX)
			return false;
		if (step)
			at = (at % step + step) % step;
		for (bool first = true; at >= 0 && at < (int64_t)o->size && (first || step);
		    at += step, first = false)
			if (!add_target(e, o, (uint64_t)at))
				return false;
	}
	return n > 0;
}

/* The objects that a function's result may point to. */
static void targets(
    struct summary_work *w, uint32_t unit, const struct flow_inst *i, bool *elsewhere)
{
	const struct flow_unit *u = &w->flow->unit[unit];
	uint32_t f = function_of(w, unit, i);
	struct alias_place *to;
	size_t n;
	if (i->op != FLOW_RET || !i->operands || !u->operand)
		return;
	n = alias_points_to(w->e->alias, unit, f, u->operand + i->first, &to);
	elsewhere[f] |= n && !add_places(w, f, to, n);
	free(to);
}

static void all_targets(struct summary_work *w)
{
	bool *elsewhere = zeroed(w->functions + 1, sizeof *elsewhere);
	for (uint32_t i = 0; i < w->flow->units; i++)
		for (size_t k = 0; k < w->flow->unit[i].insts; k++)
			targets(w, i, &w->flow->unit[i].inst[k], elsewhere);
	for (size_t f = 0; f < w->functions; f++)
		if (elsewhere[f])
			w->e->function[f].targets = w->e->function[f].heaps = 0;
	free(elsewhere);
}

const char *effects_entry(const struct flow *fl)
{
	for (uint32_t i = 0; i < fl->units; i++)
		if (fl->unit[i].entry)
			return fl->unit[i].entry;
	return "main";
}

struct effects *effects_new(const struct flow *fl)
{
	struct alias_options options = { .entry = effects_entry(fl) };
	struct summary_work w = { .e = zeroed(1, sizeof *w.e), .flow = fl };
	w.e->alias = alias_new(fl, &options);
	w.functions = alias_functions(w.e->alias);
	w.objects = alias_objects(w.e->alias);
	w.summary = summary_new(fl, w.e->alias);
	w.e->function = zeroed(w.functions + 1, sizeof *w.e->function);
	w.e->reaches = zeroed(w.functions + 1, w.functions + 1);
	for (uint32_t i = 0; i < fl->units; i++)
		for (size_t k = 0; k < fl->unit[i].insts; k++)
			if (fl->unit[i].inst[k].op == FLOW_ASM)
				hide(&w, function_of(&w, i, &fl->unit[i].inst[k]),
				    "inline assembly");
	for (size_t i = 0; i < alias_calls(w.e->alias); i++)
		hide_call(&w, alias_call(w.e->alias, i));
	propagate(&w);
	effects_find_made(&w);
	for (uint32_t i = 0; i < w.functions; i++)
		conclude(&w, i);
	all_targets(&w);
	summary_free(w.summary);
	free(w.made);
	free(w.at);
	return w.e;
}

void effects_free(struct effects *e)
{
	if (!e)
		return;
	for (uint32_t i = 0; i < alias_functions(e->alias); i++) {
		free(e->function[i].variable);
		free(e->function[i].target);
		free(e->function[i].heap);
	}
	free(e->function);
	free(e->reaches);
	alias_free(e->alias);
	free(e);
}
