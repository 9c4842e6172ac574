/* build: constraints of each record: nodes, edges and duties (constraints on the places of a
 * node). */
#include "lib/alias/inner.h"
#include "lib/base/gcd.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

/* Node 0 means no node. Then come instructions, arguments and results; other nodes are added on
 * demand. */
uint32_t alias_argument_node(const struct alias *a, uint32_t func, uint32_t k)
{
	return k < a->function[func].arguments ? a->function[func].node + k : 0;
}

uint32_t alias_constant_node(struct alias *a, uint32_t object, int64_t offset)
{
	bool fresh = true;
	uint64_t key = ((uint64_t)object << 32 ^ (uint32_t)offset) * 4 + 2;
	uint32_t *at, node;

	if (offset != (int32_t)offset) { /* far outside of the object: too far for a key */
		node = alias_add_node(a);
		alias_add_place(a, node, object, offset, 0);
		return node;
	}
	at = map_at(&a->numbers, key & INT64_MAX, &fresh);
	if (!fresh)
		return *at;
	node = *at = alias_add_node(a);
	alias_add_place(a, node, object, offset, 0);
	return node;
}

/* The table entry of a library function; NULL if none, or if this program's formats (%n, %m) give
 * the function effects that the table does not list. */
static const struct clib *library_of(const struct alias *a, const char *name)
{
	const struct clib *l = alias_library(name);
	bool unknown =
	    l && ((a->counts && clib_extends(l, "FH")) || (a->allocates && clib_extends(l, "G")));
	return unknown ? NULL : l;
}

static uint32_t library_node(struct alias *a, const struct clib *l)
{
	bool fresh = true;
	uint32_t number = alias_library_number(l),
	         *at = map_at(&a->numbers, ((uint64_t)number + 1) * 4, &fresh);
	if (!fresh)
		return *at;
	uint32_t node = *at = alias_add_node(a);
	alias_add_place(a, node,
	    alias_add_object(a,
	        (struct alias_object){
	            .kind = ALIAS_LIBRARY, .id = number, .owner = ALIAS_NONE, .unique = true }),
	    0, 0);
	return node;
}

/* A name that the flow does not define. A weak alias of a variable: that variable or an external
 * one. Else a library function, or external code. */
static uint32_t unknown_node(struct alias *a, uint32_t unit, const char *name)
{
	const struct clib *l = library_of(a, name);
	const struct flow_unit *u = &a->flow->unit[unit];
	const struct flow_operand *of = NULL;
	bool fresh = true;
	uint32_t *at;
	for (size_t i = 0; i < u->aliases && !of; i++)
		if (u->alias[i].target.kind == '&' && !strcmp(u->alias[i].name, name))
			of = &u->alias[i].target;
	if (!of)
		return l ? library_node(a, l) : alias_constant_node(a, 0, 0);
	at = map_at(
	    &a->numbers, (uint64_t)a->object_of_var[unit][of->id - 1] << 32 & INT64_MAX, &fresh);
	if (fresh) {
		uint32_t node = *at = alias_add_node(a);
		alias_add_place(a, node, a->object_of_var[unit][of->id - 1], 0, ANYWHERE);
		alias_add_place(a, node, 0, 0, 0);
	}
	return *at;
}

static uint32_t function_node(struct alias *a, uint32_t unit, const char *name)
{
	bool fresh = true, weak = false;
	uint32_t f = alias_find_function(a, unit, name, &weak), object;
	uint32_t *at;
	if (f == ALIAS_NONE)
		return unknown_node(a, unit, name);
	at = map_at(&a->numbers, (uint64_t)f * 4 + (weak ? 3 : 1), &fresh);
	if (!fresh)
		return *at;
	object = alias_add_object(a,
	    (struct alias_object){ .kind = ALIAS_FUNCTION,
	        .id = f,
	        .owner = ALIAS_NONE,
	        .unit = unit,
	        .unique = true });
	uint32_t node = *at = alias_add_node(a);
	alias_add_place(a, node, object, 0, 0);
	if (weak)
		alias_add_place(a, node, 0, 0, 0);
	return node;
}

uint32_t alias_operand(struct alias *a, uint32_t unit, uint32_t func, const struct flow_operand *o)
{
	switch (o->kind) {
	case '%':
		return o->id <= a->flow->unit[unit].insts ? 1 + a->inst_base[unit] + o->id - 1 : 0;
	case '^': return alias_argument_node(a, func, o->id);
	case '&': return alias_constant_node(a, a->object_of_var[unit][o->id - 1], o->value);
	case '$': return alias_constant_node(a, alias_data_object(a, unit, o->id), o->value);
	case '@': return function_node(a, unit, o->name);
	default: return 0;
	}
}

struct at {
	struct alias *a;
	uint32_t unit, func, self;
	const struct flow_unit *u;
	const struct flow_inst *inst;
};

static const struct flow_operand *operand(const struct at *t, uint32_t k)
{
	static const struct flow_operand none = { .kind = '-' };
	return k < t->inst->operands ? &t->u->operand[t->inst->first + k] : &none;
}

static uint32_t node_of(const struct at *t, uint32_t k)
{
	return alias_operand(t->a, t->unit, t->func, operand(t, k));
}

static void connect(const struct at *t, uint32_t from, int64_t add, uint32_t stride)
{
	if (from)
		alias_add_edge(t->a, from, t->self, add, stride);
}

static uint64_t magnitude(int64_t v)
{
	return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

/* Operands: BASE OFFSET INDEX SCALE ... */
static void address(const struct at *t)
{
	uint64_t stride = 0;
	for (uint32_t k = 3; k < t->inst->operands; k += 2)
		stride = gcd(stride, magnitude(operand(t, k)->value));
	if (operand(t, 1)->kind != '#' || stride > UINT32_MAX)
		stride = ANYWHERE;
	connect(t, node_of(t, 0), operand(t, 1)->value, (uint32_t)stride);
	/* an index that was converted from a pointer */
	for (uint32_t k = 2; k < t->inst->operands; k += 2)
		connect(t, node_of(t, k), 0, ANYWHERE);
}

static void sum(const struct at *t)
{
	bool minus = t->inst->op == FLOW_SUB;
	for (uint32_t k = 0; k < 2; k++) {
		const struct flow_operand *other = operand(t, 1 - k);
		bool exact = other->kind == '#' && (!minus || k == 0);
		connect(t, node_of(t, k), exact ? minus ? -other->value : other->value : 0,
		    exact ? 0 : ANYWHERE);
	}
}

static void all_operands(const struct at *t, uint32_t from, uint32_t step, uint32_t stride)
{
	for (uint32_t k = from; k < t->inst->operands; k += step)
		connect(t, node_of(t, k), 0, stride);
}

static uint64_t constant_size(const struct flow_operand *o)
{
	return o->kind == '#' && o->value > 0 ? (uint64_t)o->value : 0;
}

static uint32_t new_object(const struct at *t, enum alias_kind kind, uint64_t size, uint32_t owner)
{
	return alias_add_object(t->a,
	    (struct alias_object){ .kind = (uint8_t)kind,
	        .unit = t->unit,
	        .size = size,
	        .id = (uint32_t)(t->inst - t->u->inst) + 1,
	        .owner = owner });
}

static void instruction(const struct at *t)
{
	struct alias *a = t->a;
	uint32_t n, m;
	switch (t->inst->op) {
	case FLOW_ALLOCA:
		alias_add_place(a, t->self,
		    new_object(t, ALIAS_TEMPORARY, constant_size(operand(t, 0)), t->func), 0, 0);
		break;
	case FLOW_LOAD:
		if ((n = node_of(t, 0)))
			alias_add_duty(a, n, DUTY_LOAD, t->self);
		break;
	case FLOW_STORE:
		n = node_of(t, 0);
		m = node_of(t, 1);
		if (n && m)
			alias_add_duty(a, m, DUTY_STORE, n);
		break;
	case FLOW_COPY:
		n = node_of(t, 1);
		m = node_of(t, 0);
		if (n && m)
			alias_add_copy(a, n, m, constant_size(operand(t, 2)));
		break;
	case FLOW_ADDR: address(t); break;
	case FLOW_ADD:
	case FLOW_SUB: sum(t); break;
	case FLOW_CAST: connect(t, node_of(t, 0), 0, 0); break;
	case FLOW_PHI: all_operands(t, 0, 2, 0); break;
	case FLOW_SELECT: all_operands(t, 1, 1, 0); break;
	case FLOW_RET:
		if ((n = node_of(t, 0)))
			alias_add_edge(a, n, a->function[t->func].returns, 0, 0);
		break;
	case FLOW_VALUE: all_operands(t, 0, 1, ANYWHERE); break;
	case FLOW_OTHER:
	case FLOW_ASM:
		for (uint32_t k = 0; k < t->inst->operands; k++)
			if ((n = node_of(t, k)))
				alias_add_edge(a, n, a->world, 0, 0);
		alias_add_outside(a, t->self);
		break;
	default: break;
	}
}

/* ---- calls */

static struct at at_call(struct alias *a, const struct alias_call *c)
{
	struct at t = { .a = a, .unit = c->unit, .func = c->func, .u = &a->flow->unit[c->unit] };
	t.inst = &t.u->inst[c->inst - 1];
	t.self = 1 + a->inst_base[c->unit] + c->inst - 1;
	return t;
}

static void all_escape(const struct at *t)
{
	uint32_t n;
	for (uint32_t k = 1; k < t->inst->operands; k++)
		if ((n = node_of(t, k)))
			alias_add_edge(t->a, n, t->a->world, 0, 0);
	alias_add_outside(t->a, t->self);
}

/* strtol and similar: stores a pointer into the object of argument 0 where argument 1 points to. */
static void store_place(const struct at *t)
{
	uint32_t of = node_of(t, 1), to = node_of(t, 2), place;
	if (!of || !to)
		return;
	place = alias_add_node(t->a);
	alias_add_edge(t->a, of, place, 0, ANYWHERE);
	alias_add_duty(t->a, to, DUTY_STORE, place);
}

/* errno: one object, which unknown code knows. */
static uint32_t named_object(struct alias *a, const struct clib *l)
{
	bool fresh = true;
	uint32_t number = alias_library_number(l), object,
	         *at = map_at(&a->numbers, (UINT64_C(1) << 40 | number) * 4 + 1, &fresh);
	if (!fresh)
		return *at;
	object = *at = alias_add_object(a,
	    (struct alias_object){ .kind = ALIAS_NAMED,
	        .id = number,
	        .owner = ALIAS_NONE,
	        .size = sizeof(int),
	        .unique = true });
	alias_add_edge(a, alias_constant_node(a, object, 0), a->world, 0, 0);
	return object;
}

/* Adds the pointer effects of a library call, as listed in `points` of lib/clib. */
static void library_call(const struct at *t, const struct clib *l)
{
	for (const char *p = l->points; *p; p++) {
		if (strchr("0123", *p))
			connect(t, node_of(t, (uint32_t)(*p - '0') + 1), 0, ANYWHERE);
		else if (*p == '*')
			alias_add_place(
			    t->a, t->self, new_object(t, ALIAS_HEAP, 0, ALIAS_NONE), 0, 0);
		else if (*p == 'x')
			alias_add_place(t->a, t->self, 0, 0, 0);
		else if (*p == 'o')
			alias_add_place(t->a, t->self, named_object(t->a, l), 0, 0);
		else if (*p == 'e')
			store_place(t);
		else if (*p == 'c' && node_of(t, 1) && clib_has(l, "y"))
			alias_add_copy(t->a, node_of(t, 1), t->self, 0);
		else if (*p == 'c' && node_of(t, 1) && node_of(t, 2))
			alias_add_copy(
			    t->a, node_of(t, 2), node_of(t, 1), constant_size(operand(t, 3)));
	}
}

/* A va_list may point to every variable argument; the current position is not modelled. */
static void variable_arguments(const struct at *t, const char *name)
{
	uint32_t rest = t->a->function[t->func].rest, list = node_of(t, 1), anywhere;
	if (!strncmp(name, "llvm.va_copy", 12) && list && node_of(t, 2)) {
		alias_add_copy(t->a, node_of(t, 2), list, 0);
	} else if (!strncmp(name, "llvm.va_start", 13) && list && rest) {
		anywhere = alias_add_node(t->a);
		alias_add_edge(t->a, list, anywhere, 0, ANYWHERE);
		alias_add_duty(t->a, anywhere, DUTY_STORE, rest);
	}
}

void alias_pass_variable(struct alias *a, uint32_t node, uint32_t rest)
{
	alias_add_duty(a, rest, DUTY_STORE, node);
	alias_add_copy(a, node, rest, 0);
}

static bool add_callee(struct alias *a, struct alias_call *c, uint32_t function)
{
	for (size_t i = 0; i < c->callees; i++)
		if (c->callee[i] == function)
			return false;
	*PUSH(c->callee, c->callees) = function;
	a->function[function].called = true;
	return true;
}

/* Structs passed in memory: a by-value parameter is a copy of the argument's target; a local that
 * is the result lives at the address that the caller passes. */
static void bind_homes(const struct at *t, uint32_t function)
{
	const struct function *f = &t->a->function[function];
	const struct flow_unit *u = &t->a->flow->unit[f->unit];
	for (size_t i = 0; i < u->homes; i++) {
		const struct flow_home *h = &u->home[i];
		if (u->var[h->var - 1].func != f->id)
			continue;
		uint32_t object = t->a->object_of_var[f->unit][h->var - 1];
		uint32_t mine = alias_constant_node(t->a, object, 0),
		         theirs = node_of(t, 1 + h->argument);
		if (theirs && u->var[h->var - 1].kind == 'p')
			alias_add_copy(t->a, theirs, mine, t->a->object[object].size);
		else if (theirs)
			alias_add_copy(t->a, mine, theirs, t->a->object[object].size);
	}
}

void alias_bind(struct alias *a, uint32_t call, uint32_t function)
{
	struct alias_call *c = &a->call[call];
	struct at t = at_call(a, c);
	const struct function *f;
	uint32_t n;
	if (function == ALIAS_NONE) {
		if (!c->unknown)
			all_escape(&t);
		c->external = c->unknown = true;
		return;
	}
	if (!add_callee(a, c, function))
		return;
	f = &a->function[function];
	for (uint32_t k = 1; k < t.inst->operands; k++) {
		if (!(n = node_of(&t, k)))
			continue;
		if (k - 1 < f->arguments)
			alias_add_edge(a, n, f->node + k - 1, 0, 0);
		if (f->rest)
			alias_pass_variable(a, n, f->rest);
	}
	bind_homes(&t, function);
	connect(&t, f->returns, 0, 0);
}

void alias_bind_pointed(struct alias *a, uint32_t call, uint32_t function)
{
	uint32_t type = a->call_type[call], other = a->function[function].type;
	if (!type || !other || type == other)
		alias_bind(a, call, function);
	else
		a->mistyped[call] = true;
}

void alias_bind_mistyped(struct alias *a)
{
	for (uint32_t i = 0; i < a->calls; i++)
		if (a->mistyped[i] && !a->call[i].callees && !a->call[i].external)
			alias_bind(a, i, ALIAS_NONE);
}

void alias_bind_outside(struct alias *a, uint32_t call)
{
	*PUSH(a->wild, a->wilds) = call;
	alias_bind(a, call, ALIAS_NONE);
	for (size_t i = 0; i < a->backs; i++)
		alias_bind_pointed(a, call, a->back[i]);
}

void alias_bind_library(struct alias *a, uint32_t call, uint32_t object)
{
	struct at t = at_call(a, &a->call[call]);
	a->call[call].external = true;
	library_call(&t, alias_library_at(a->object[object].id));
}

static void call(struct alias *a, uint32_t i)
{
	struct alias_call *c = &a->call[i];
	struct at t = at_call(a, c);
	const struct flow_operand *to = operand(&t, 0);
	const struct clib *l;
	bool weak = false;
	uint32_t f, n;
	if (to->kind != '@') {
		if ((n = node_of(&t, 0)))
			alias_add_duty(a, n, DUTY_CALL, i);
		return;
	}
	c->name = to->name;
	f = alias_find_function(a, t.unit, to->name, &weak);
	if (f != ALIAS_NONE)
		alias_bind(a, i, f);
	if (weak)
		alias_bind(a, i, ALIAS_NONE);
	if (f != ALIAS_NONE)
		return;
	c->external = true;
	l = library_of(a, to->name);
	if (!strncmp(to->name, "llvm.va_", 8))
		variable_arguments(&t, to->name);
	else if (l)
		library_call(&t, l);
	else
		alias_bind(a, i, ALIAS_NONE);
}

static void note_types(struct alias *a)
{
	struct flow_pointed *p = flow_pointed_new(a->flow);
	uint32_t i = 0;
	for (uint32_t k = 0; k < a->functions; k++)
		a->function[k].type =
		    flow_pointed_function(p, a->function[k].unit, a->function[k].id - 1);
	for (uint32_t unit = 0; unit < a->flow->units; unit++) {
		const struct flow_unit *u = &a->flow->unit[unit];
		uint32_t *type = zeroed(u->insts + 1, sizeof *type);
		for (size_t k = 0; k < u->calls; k++)
			if (u->call[k].inst <= u->insts)
				type[u->call[k].inst] = flow_pointed_call(p, unit, k);
		for (; i < a->calls && a->call[i].unit == unit; i++)
			a->call_type[i] = type[a->call[i].inst];
		free(type);
	}
	flow_pointed_free(p);
}

static void collect_calls(struct alias *a)
{
	size_t n = 0;
	for (size_t i = 0; i < a->flow->units; i++)
		for (size_t k = 0; k < a->flow->unit[i].insts; k++)
			n += a->flow->unit[i].inst[k].op == FLOW_CALL;
	a->call = zeroed(n + 1, sizeof *a->call);
	a->call_type = zeroed(n + 1, sizeof *a->call_type);
	a->mistyped = zeroed(n + 1, sizeof *a->mistyped);
	for (uint32_t i = 0; i < a->flow->units; i++) {
		const struct flow_unit *u = &a->flow->unit[i];
		for (uint32_t k = 0; k < u->insts; k++)
			if (u->inst[k].op == FLOW_CALL)
				a->call[a->calls++] = (struct alias_call){ .unit = i,
					.inst = k + 1,
					.block = u->inst[k].block,
					.func = a->func_base[i]
					    + u->block_func[u->inst[k].block - 1] - 1 };
	}
	note_types(a);
}

static void pointers_in_initialisers(struct alias *a, uint32_t unit)
{
	const struct flow_unit *u = &a->flow->unit[unit];
	for (size_t i = 0; i < u->relocs; i++) {
		struct flow_operand at = u->reloc[i].object;
		uint32_t from = alias_operand(a, unit, 0, &u->reloc[i].target), to;
		at.value += (int64_t)u->reloc[i].offset;
		to = alias_operand(a, unit, 0, &at);
		if (from && to)
			alias_add_duty(a, to, DUTY_STORE, from);
	}
}

/* Unknown code knows every undefined global, and every global that is not static if it runs in
 * other units. */
void alias_share_globals(struct alias *a)
{
	bool unknown = a->options.any_caller;
	for (size_t i = 0; i < a->calls; i++)
		unknown |= a->call[i].unknown;
	for (uint32_t i = 0; i < a->flow->units; i++)
		for (uint32_t k = 0; k < a->flow->unit[i].vars; k++) {
			const struct flow_var *v = &a->flow->unit[i].var[k];
			if (v->kind == 'g' && (v->defined ? unknown && !v->is_static : true))
				alias_add_edge(a, alias_constant_node(a, a->object_of_var[i][k], 0),
				    a->world, 0, 0);
		}
}

void alias_build(struct alias *a)
{
	const struct flow *fl = a->flow;
	alias_add_node(a);
	for (uint32_t i = 0; i < a->inst_base[fl->units]; i++)
		alias_add_node(a);
	a->world = alias_add_node(a);
	for (uint32_t i = 0; i < a->functions; i++) {
		struct function *f = &a->function[i];
		const struct flow_func *func = alias_function_of(a, i, NULL, NULL);
		f->node = (uint32_t)a->nodes;
		for (uint32_t k = 0; k < f->arguments; k++)
			alias_add_node(a);
		f->returns = alias_add_node(a);
		if (func->is_variadic) {
			f->rest = alias_add_node(a);
			alias_add_place(a, f->rest,
			    alias_add_object(a,
			        (struct alias_object){
			            .kind = ALIAS_VARIADIC, .id = i, .owner = i }),
			    0, ANYWHERE);
		}
	}
	alias_add_edge(a, alias_constant_node(a, 0, 0), a->world, 0, 0);
	a->counts = alias_text_has(fl, "n");
	a->allocates = alias_text_has(fl, "m");
	collect_calls(a);
	for (uint32_t i = 0; i < fl->units; i++) {
		pointers_in_initialisers(a, i);
		for (uint32_t k = 0; k < fl->unit[i].insts; k++) {
			const struct flow_unit *u = &fl->unit[i];
			struct at t = { a, i,
				a->func_base[i] + u->block_func[u->inst[k].block - 1] - 1,
				1 + a->inst_base[i] + k, u, &u->inst[k] };
			instruction(&t);
		}
	}
	for (uint32_t i = 0; i < a->calls; i++)
		call(a, i);
	alias_enter(a);
}
