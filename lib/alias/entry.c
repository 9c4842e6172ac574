/* entry: constraints for functions that are called from outside of the program: its entries, and
 * functions whose addresses unknown code learns. */
#include "lib/alias/inner.h"
#include "lib/base/grow.h"

#include <string.h>

/* A struct parameter passed by value is a copy of its argument's target. */
static void copy_homes(struct alias *a, uint32_t function)
{
	const struct function *f = &a->function[function];
	const struct flow_unit *u = &a->flow->unit[f->unit];
	for (size_t k = 0; k < u->homes; k++)
		if (u->var[u->home[k].var - 1].func == f->id
		    && u->var[u->home[k].var - 1].kind == 'p') {
			uint32_t object = a->object_of_var[f->unit][u->home[k].var - 1];
			alias_add_copy(a, alias_argument_node(a, function, u->home[k].argument),
			    alias_constant_node(a, object, 0), a->object[object].size);
		}
}

/* Unknown code calls the function with any address that it knows and learns the result. */
static void call_from_outside(struct alias *a, uint32_t function)
{
	struct function *f = &a->function[function];
	for (uint32_t k = 0; k < f->arguments; k++)
		alias_add_outside(a, f->node + k);
	if (f->rest) {
		uint32_t any = alias_add_node(a);
		alias_add_outside(a, any);
		alias_pass_variable(a, any, f->rest);
	}
	copy_homes(a, function);
	alias_add_edge(a, f->returns, a->world, 0, 0);
}

/* Unknown code may call an escaped function with any address that it knows. */
static void call_back(struct alias *a, uint32_t function)
{
	struct function *f = &a->function[function];
	if (f->back)
		return;
	f->back = true;
	*PUSH(a->back, a->backs) = function;
	call_from_outside(a, function);
	for (size_t i = 0, n = a->wilds; i < n; i++)
		alias_bind_pointed(a, a->wild[i], function);
}

void alias_escape(struct alias *a, uint32_t place)
{
	struct alias_object *o = &a->object[a->place[place].object];
	if (o->kind == ALIAS_FUNCTION) {
		call_back(a, o->id);
	} else if (!o->escaped) {
		o->escaped = true;
		alias_open(a, a->place[place].object);
	}
}

/* May argument k hold a pointer? Not if it is stored in a variable of arithmetic type. */
static bool may_point(const struct alias *a, uint32_t func, uint32_t k)
{
	const struct function *f = &a->function[func];
	const struct flow_unit *u = &a->flow->unit[f->unit];
	uint32_t block = u->func[f->id - 1].first_block;
	for (size_t i = 0; i < u->insts && u->inst[i].block <= block; i++) {
		const struct flow_operand *o = &u->operand[u->inst[i].first];
		if (u->inst[i].block != block || u->inst[i].op != FLOW_STORE || o[0].kind != '^'
		    || o[0].id != k || o[1].kind != '&')
			continue;
		uint32_t type = u->var[o[1].id - 1].type;
		return !type || !strchr("iucbf", u->type[type - 1].kind);
	}
	return true;
}

/* Each pointer parameter of an entry points to an object of its own, whose pointers point to a
 * second one; with may_alias, parameters share them. */
static void enter(struct alias *a, uint32_t i)
{
	struct function *f = &a->function[i];
	f->entry = true;
	if (a->options.any_caller) {
		call_from_outside(a, i);
		return;
	}
	for (uint32_t k = 0; k < f->arguments; k++) {
		struct alias_object o = { .kind = ALIAS_POINTEE,
			.unit = f->unit,
			.id = k,
			.owner = ALIAS_NONE,
			.unique = true };
		struct alias_object beyond = o;
		uint32_t first, second, node;
		if (!may_point(a, i, k))
			continue;
		if (a->options.may_alias) {
			alias_add_outside(a, f->node + k);
			continue;
		}
		o.owner = beyond.owner = i;
		beyond.kind = ALIAS_BEYOND;
		beyond.unique = false;
		first = alias_add_object(a, o);
		second = alias_add_object(a, beyond);
		alias_add_place(a, f->node + k, first, 0, 0);
		node = alias_constant_node(a, second, 0);
		alias_add_edge(a, alias_constant_node(a, 0, 0), node, 0, 0);
		for (uint32_t object = first;; object = second) {
			uint32_t anywhere = alias_add_node(a);
			alias_add_edge(a, alias_constant_node(a, object, 0), anywhere, 0, ANYWHERE);
			alias_add_duty(a, anywhere, DUTY_STORE, node);
			if (object == second)
				break;
		}
	}
	/* struct parameters by value hold such pointers too */
	copy_homes(a, i);
}

static bool is_entry(const struct alias *a, uint32_t i)
{
	const struct flow_func *f = alias_function_of(a, i, NULL, NULL);
	const struct flow_unit *u;
	const char *entry = a->options.entry ? a->options.entry
	    : flow_find(a->flow, "main", &u) ? "main"
	                                     : NULL;
	if (entry)
		return !strcmp(f->name, entry);
	return f->is_harness || !f->is_static || !a->function[i].called;
}

/* May other code have called this function before the entry, so that it keeps pointers from that
 * call, and variables keep pointers that were passed? This holds for main if it is not the entry. A
 * static function that is not called is also taken to be called by some code. */
static bool is_offered(const struct alias *a, uint32_t i)
{
	const struct flow_func *f = alias_function_of(a, i, NULL, NULL);
	return f->blocks && !f->is_harness && (!f->is_static || !a->function[i].called);
}

void alias_enter(struct alias *a)
{
	for (uint32_t i = 0; i < a->functions; i++)
		if (is_entry(a, i))
			enter(a, i);
		else if (a->options.any_caller && is_offered(a, i))
			call_from_outside(a, i);
}
