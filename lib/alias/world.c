/* world: numbers of functions and objects over all units. */
#include "lib/alias/inner.h"

#include <stdlib.h>
#include <string.h>

#include "lib/graph/graph.h"
#include "lib/base/grow.h"

uint32_t alias_add_object(struct alias *a, struct alias_object o)
{
	a->object = grow_one(a->object, a->objects, sizeof *a->object);
	a->content = grow_one(a->content, a->objects, sizeof *a->content);
	a->object[a->objects] = o;
	a->content[a->objects] = (struct content){ 0 };
	return (uint32_t)a->objects++;
}

static uint64_t size_of(const struct flow_unit *u, uint32_t type)
{
	return type ? u->type[type - 1].size : 0;
}

/* A global shared by several units is one object, attributed to the unit that defines it. */
static uint32_t shared_variable(struct alias *a, uint32_t unit, uint32_t var, struct alias_object o)
{
	const struct flow_var *v = &a->flow->unit[unit].var[var];
	bool fresh = true;
	uint32_t *at = map_at(&a->by_name, texts_number(&a->shared, v->name), &fresh);
	if (fresh)
		*at = alias_add_object(a, o);
	else if (v->defined)
		a->object[*at] = o;
	return *at;
}

static void number_variables(struct alias *a, uint32_t unit)
{
	const struct flow_unit *u = &a->flow->unit[unit];
	a->object_of_var[unit] = zeroed(u->vars + 1, sizeof **a->object_of_var);
	for (uint32_t i = 0; i < u->vars; i++) {
		const struct flow_var *v = &u->var[i];
		struct alias_object o = { .kind = ALIAS_VARIABLE,
			.unit = unit,
			.id = i + 1,
			.owner = ALIAS_NONE,
			.size = size_of(u, v->type) };
		if (v->kind == 'l' || v->kind == 'p')
			o.owner = a->func_base[unit] + v->func - 1;
		a->object_of_var[unit][i] = v->kind == 'g' && !v->is_static
		    ? shared_variable(a, unit, i, o)
		    : alias_add_object(a, o);
	}
}

/* If another unit uses an alias of a variable, it means the variable itself. */
static void join_names(struct alias *a, uint32_t unit, const struct flow_alias *other)
{
	for (uint32_t i = 0; i < a->flow->units && other->target.kind == '&' && !other->is_weak;
	    i++)
		for (uint32_t k = 0; k < a->flow->unit[i].vars; k++) {
			const struct flow_var *v = &a->flow->unit[i].var[k];
			if (v->kind == 'g' && !v->is_static && !strcmp(v->name, other->name))
				a->object_of_var[i][k] =
				    a->object_of_var[unit][other->target.id - 1];
		}
}

uint32_t alias_find_function(const struct alias *a, uint32_t unit, const char *name, bool *weak)
{
	struct flow_meaning m;
	if (!flow_names_find(a->names, unit, name, &m))
		return ALIAS_NONE;
	*weak = m.weak;
	return a->func_base[m.unit] + m.func;
}

static void count_arguments(struct alias *a, uint32_t unit)
{
	const struct flow_unit *u = &a->flow->unit[unit];
	for (size_t i = 0; i < u->insts; i++) {
		struct function *f =
		    &a->function[a->func_base[unit] + u->block_func[u->inst[i].block - 1] - 1];
		for (uint32_t k = 0; k < u->inst[i].operands; k++) {
			const struct flow_operand *o = &u->operand[u->inst[i].first + k];
			if (o->kind == '^' && o->id >= f->arguments && o->id < UINT16_MAX)
				f->arguments = o->id + 1;
		}
	}
	for (size_t i = 0; i < u->homes; i++) {
		struct function *f =
		    &a->function[a->func_base[unit] + u->var[u->home[i].var - 1].func - 1];
		if (u->home[i].argument >= f->arguments && u->home[i].argument < UINT16_MAX)
			f->arguments = u->home[i].argument + 1;
	}
}

void alias_number(struct alias *a)
{
	const struct flow *fl = a->flow;
	uint32_t insts = 0;
	size_t n = 0;
	for (size_t i = 0; i < fl->units; i++)
		n += fl->unit[i].funcs;
	a->function = zeroed(n + 1, sizeof *a->function);
	a->func_base = zeroed(fl->units + 1, sizeof *a->func_base);
	a->inst_base = zeroed(fl->units + 1, sizeof *a->inst_base);
	a->object_of_var = zeroed(fl->units + 1, sizeof *a->object_of_var);
	a->names = flow_names_new(fl);
	alias_add_object(a, (struct alias_object){ .kind = ALIAS_EXTERNAL, .owner = ALIAS_NONE });
	alias_add_object(
	    a, (struct alias_object){ .kind = ALIAS_KNOWN, .owner = ALIAS_NONE, .escaped = true });
	for (uint32_t i = 0; i < fl->units; i++) {
		a->func_base[i] = a->functions;
		a->inst_base[i] = insts;
		insts += (uint32_t)fl->unit[i].insts;
		for (uint32_t k = 0; k < fl->unit[i].funcs; k++)
			a->function[a->functions++] = (struct function){ .unit = i, .id = k + 1 };
		number_variables(a, i);
		count_arguments(a, i);
	}
	for (uint32_t i = 0; i < fl->units; i++)
		for (size_t k = 0; k < fl->unit[i].aliases; k++)
			join_names(a, i, &fl->unit[i].alias[k]);
	a->inst_base[fl->units] = insts;
}

uint32_t alias_data_object(struct alias *a, uint32_t unit, uint32_t data)
{
	bool fresh = true;
	uint32_t *at = map_at(&a->numbers, (uint64_t)1 << 63 | (uint64_t)unit << 32 | data, &fresh);
	if (fresh)
		*at = alias_add_object(a,
		    (struct alias_object){ .kind = ALIAS_DATA,
		        .unit = unit,
		        .id = data,
		        .owner = ALIAS_NONE,
		        .unique = true });
	return *at;
}

/* Finds the functions that may have two activations at a time. */
void alias_find_recursion(struct alias *a)
{
	struct graph_edge *edge;
	struct graph g;
	size_t n = 0, room = 1;
	uint32_t *component, *size, components;
	for (size_t i = 0; i < a->calls; i++)
		room += a->call[i].callees + (a->call[i].unknown ? a->backs : 0);
	edge = reserved(room, sizeof *edge);
	for (size_t i = 0; i < a->calls; i++) {
		const struct alias_call *c = &a->call[i];
		for (size_t k = 0; k < c->callees; k++)
			edge[n++] = (struct graph_edge){ c->func, c->callee[k] };
		for (size_t k = 0; c->unknown && k < a->backs; k++)
			edge[n++] = (struct graph_edge){ c->func, a->back[k] };
	}
	graph_make(&g, a->functions, edge, n);
	component = graph_components(&g, &components);
	size = zeroed(components + 1u, sizeof *size);
	for (uint32_t i = 0; i < a->functions; i++)
		size[component[i]]++;
	for (uint32_t i = 0; i < a->functions; i++)
		a->function[i].recursive = size[component[i]] > 1;
	for (size_t i = 0; i < n; i++)
		a->function[edge[i].from].recursive |= edge[i].from == edge[i].to;
	free(component);
	free(size);
	free(edge);
	graph_free(&g);
}
