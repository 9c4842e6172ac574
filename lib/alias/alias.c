#include "lib/alias/inner.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

const struct flow *alias_flow(const struct alias *a)
{
	return a->flow;
}

uint32_t alias_functions(const struct alias *a)
{
	return a->functions;
}

uint32_t alias_function(const struct alias *a, uint32_t unit, uint32_t func)
{
	return a->func_base[unit] + func - 1;
}

const struct flow_func *alias_function_of(
    const struct alias *a, uint32_t number, uint32_t *unit, uint32_t *id)
{
	const struct function *f = &a->function[number];
	if (unit)
		*unit = f->unit;
	if (id)
		*id = f->id;
	return &a->flow->unit[f->unit].func[f->id - 1];
}

uint32_t alias_root(const struct alias *a, const char *entry)
{
	uint32_t found = ALIAS_NONE;
	for (uint32_t f = 0; f < alias_functions(a); f++) {
		const struct flow_func *func = alias_function_of(a, f, NULL, NULL);
		if (func->is_harness && func->blocks && !strcmp(func->name, "duct_harness"))
			return f;
		if (!func->is_harness && func->blocks
		    && !strcmp(func->name, entry ? entry : "main"))
			found = f;
	}
	return found;
}

bool alias_is_entry(const struct alias *a, uint32_t number)
{
	return a->function[number].entry;
}

bool alias_is_recursive(const struct alias *a, uint32_t number)
{
	return a->function[number].recursive;
}

size_t alias_objects(const struct alias *a)
{
	return a->objects;
}

const struct alias_object *alias_object(const struct alias *a, uint32_t object)
{
	return &a->object[object];
}

uint32_t alias_variable(const struct alias *a, uint32_t unit, uint32_t var)
{
	return a->object_of_var[unit][var - 1];
}

size_t alias_calls(const struct alias *a)
{
	return a->calls;
}

const struct alias_call *alias_call(const struct alias *a, size_t i)
{
	return &a->call[i];
}

const uint32_t *alias_called_back(const struct alias *a, size_t *n)
{
	*n = a->backs;
	return a->back;
}

size_t alias_places(struct alias *a, uint32_t unit, uint32_t func, const struct flow_operand *o,
    struct alias_place **out)
{
	uint32_t number = alias_operand(a, unit, func, o); /* may create a node */
	const struct pointer_node *n = &a->node[alias_find(a, number)];
	struct alias_place *p = reserved(n->places + 1u, sizeof *p);
	size_t found = 0;
	for (uint32_t i = 0; i < n->places; i++) {
		struct alias_place at = a->place[n->place[i]];
		if (!alias_is_covered(a, n, n->place[i]))
			p[found++] = at;
	}
	*out = p;
	return found;
}

size_t alias_points_to(struct alias *a, uint32_t unit, uint32_t func, const struct flow_operand *o,
    struct alias_place **out)
{
	size_t n = alias_places(a, unit, func, o, out), k = 0;
	struct alias_place *all;
	while (k < n && (*out)[k].object != ALIAS_OUTSIDE)
		k++;
	if (k == n)
		return n;
	all = resized(*out, n + a->objects, sizeof *all);
	*out = all;
	for (uint32_t i = 0; i < a->objects; i++)
		if (i != ALIAS_OUTSIDE && alias_is_known(a, i))
			all[n++] = (struct alias_place){ i,
				a->object[i].kind == ALIAS_FUNCTION ? 0 : ANYWHERE, 0 };
	all[k] = all[--n];
	return n;
}

static void find_unique(struct alias *a)
{
	for (size_t i = 0; i < a->objects; i++) {
		struct alias_object *o = &a->object[i];
		bool single = o->owner == ALIAS_NONE || !a->function[o->owner].recursive;
		if (o->kind == ALIAS_VARIABLE || o->kind == ALIAS_TEMPORARY)
			o->unique = single;
		else
			o->unique &= single;
	}
}

struct alias *alias_new(const struct flow *fl, const struct alias_options *o)
{
	struct alias *a = zeroed(1, sizeof *a);
	a->flow = fl;
	a->options = *o;
	alias_number(a);
	alias_build(a);
	alias_share_globals(a); /* first: known globals are kept as one set */
	alias_solve(a);
	alias_share_globals(a);
	alias_solve(a);
	alias_bind_mistyped(a);
	alias_solve(a);
	alias_find_recursion(a);
	find_unique(a);
	return a;
}

void alias_free(struct alias *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->nodes; i++) {
		free(a->node[i].place);
		free(a->node[i].edge);
		free(a->node[i].duty);
	}
	for (size_t i = 0; i < a->objects; i++) {
		free(a->content[i].place_node);
		free(a->content[i].load);
		free(a->content[i].transfer);
	}
	for (size_t i = 0; i < a->calls; i++)
		free(a->call[i].callee);
	for (size_t i = 0; i < a->flow->units; i++)
		free(a->object_of_var[i]);
	flow_names_free(a->names);
	texts_close(&a->shared);
	struct map *maps[] = { &a->by_name, &a->numbers, &a->place_of, &a->member, &a->edge_seen,
		&a->seen };
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
		map_close(maps[i]);
	void *arrays[] = { a->function, a->func_base, a->inst_base, a->object_of_var, a->object,
		a->content, a->place, a->node, a->spread, a->copy, a->queue, a->call, a->call_type,
		a->mistyped, a->back, a->wild };
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
		free(arrays[i]);
	free(a);
}
