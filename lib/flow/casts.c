/* casts: the types to which a function, and functions of its file that it passes them to, convert
 * its parameters of type `void *`, and the types to which functions of its file convert results of
 * that type. */
#include "lib/flow/flow.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

static const struct flow_type *type_of(const struct flow_unit *u, uint32_t id)
{
	return id && id <= u->types ? &u->type[id - 1] : NULL;
}

static const struct flow_type *target_of(const struct flow_unit *u, uint32_t id)
{
	const struct flow_type *t = type_of(u, id);

	return t && t->kind == 'p' ? type_of(u, t->of) : NULL;
}

static bool holds_pointer(const struct flow_unit *u, const struct flow_type *t, int depth)
{
	bool holds = t && t->kind == 'p';

	for (size_t i = 0; t && depth && strchr("sn", t->kind) && i < t->members && !holds; i++)
		holds = holds_pointer(u, type_of(u, t->member[i].type), depth - 1);
	return holds
	    || (t && depth && t->kind == 'a' && holds_pointer(u, type_of(u, t->of), depth - 1));
}

/* Is it the parameter's value? */
static bool is_value(const struct flow_unit *u, const struct flow_operand *o, uint32_t param)
{
	const struct flow_inst *load =
	    o->kind == '%' && o->id <= u->insts ? &u->inst[o->id - 1] : NULL;
	const struct flow_operand *from = load ? &u->operand[load->first] : NULL;

	return load && load->op == FLOW_LOAD && load->operands && from->kind == '&'
	    && from->id == param && !from->value;
}

/* If the instruction stores the parameter's value to a variable, the variable's type, as id; else
 * 0. */
static uint32_t stored_as(const struct flow_unit *u, const struct flow_inst *in, uint32_t param)
{
	const struct flow_operand *o = &u->operand[in->first];

	return in->op == FLOW_STORE && in->operands >= 2 && o[1].kind == '&' && !o[1].value
	        && is_value(u, o, param)
	    ? u->var[o[1].id - 1].type
	    : 0;
}

/* The type of a function by its name, as id; 0: the unit does not know it. */
static uint32_t function_type(const struct flow_unit *u, const char *name)
{
	for (size_t i = 0; i < u->funcs; i++)
		if (!strcmp(u->func[i].name, name))
			return u->func[i].type;
	for (size_t i = 0; i < u->exts; i++)
		if (!strcmp(u->ext[i].name, name))
			return u->ext[i].type;
	return 0;
}

/* The type of the functions that the instruction calls, as id; 0: it is no call, or the type is not
 * known. For a call through a pointer it is the type of the parameter or variable that holds the
 * pointer. */
static uint32_t called_type(const struct flow_unit *u, const struct flow_inst *in)
{
	const struct flow_operand *o = &u->operand[in->first], *from;
	const struct flow_inst *load;
	const struct flow_type *pointer;

	if (in->op != FLOW_CALL || !in->operands)
		return 0;
	if (o->kind == '@')
		return o->name ? function_type(u, o->name) : 0;
	load = o->kind == '%' && o->id && o->id <= u->insts ? &u->inst[o->id - 1] : NULL;
	from = load && load->op == FLOW_LOAD && load->operands ? &u->operand[load->first] : NULL;
	if (!from || from->kind != '&' || from->value)
		return 0;
	pointer = type_of(u, u->var[from->id - 1].type);
	return pointer && pointer->kind == 'p' ? pointer->of : 0;
}

/* The types to which functions convert a parameter. */
struct taken {
	const struct flow_unit *u;
	uint32_t only; /* the only type so far, without const, as id; 0: none */
	bool several;
	unsigned left; /* functions still to be examined, including those that it is passed to */
};

static void meet(struct taken *t, uint32_t type)
{
	const struct flow_type *target = target_of(t->u, type);

	if (!target || target->kind == 'v')
		return;
	t->several |= t->only && target_of(t->u, t->only) != target;
	t->only = type;
}

static void look(struct taken *t, uint32_t func, uint32_t param);

/* Notes the type of parameter k of functions of the type, to which the instruction passes the
 * value. If that is `void *`, the uses of the parameter in functions of the file are examined, too.
 */
static void pass(struct taken *t, const struct flow_inst *in, uint32_t type, size_t k)
{
	const struct flow_unit *u = t->u;
	const struct flow_operand *callee = &u->operand[in->first];
	const struct flow_type *target = target_of(u, type_of(u, type)->member[k].type);

	if (target && target->kind != 'v') {
		meet(t, type_of(u, type)->member[k].type);
		return;
	}
	for (size_t i = 0; target && i < u->funcs; i++) {
		const struct flow_func *f = &u->func[i];
		if (f->type == type && !f->in_system && !f->is_harness && k < f->params
		    && (callee->kind == '@' ? !strcmp(f->name, callee->name) : f->address_taken))
			look(t, (uint32_t)i + 1, f->param[k]);
	}
}

/* Notes the types of the variables to which the function copies the parameter, and of the
 * parameters as which it passes it. Operands of structures passed by value may precede it. */
static void look(struct taken *t, uint32_t func, uint32_t param)
{
	const struct flow_unit *u = t->u;

	if (!t->left)
		return;
	t->left--;
	for (size_t i = 0; i < u->insts; i++) {
		const struct flow_inst *in = &u->inst[i];
		uint32_t type;
		if (!in->block || u->block_func[in->block - 1] != func)
			continue;
		if ((type = stored_as(u, in, param))) {
			meet(t, type);
			continue;
		}
		type = called_type(u, in);
		if (!type || type_of(u, type)->members != in->operands - 1)
			continue;
		for (size_t k = 0; k + 1 < in->operands; k++)
			if (is_value(u, &u->operand[in->first + k + 1], param))
				pass(t, in, type, k);
	}
}

enum { FUNCTIONS = 64 };

/* The only type that the parameter is converted to, as id; 0: none, or several. */
static uint32_t only_type(const struct flow_unit *u, uint32_t func, uint32_t param)
{
	struct taken t = { .u = u, .left = FUNCTIONS };

	look(&t, func, param);
	return t.several || !t.left ? 0 : t.only;
}

/* If the instruction stores the result of a call of the function to a variable, the variable's
 * type, as id; else 0. */
static uint32_t result_as(
    const struct flow_unit *u, const struct flow_inst *in, const char *function)
{
	const struct flow_operand *o = &u->operand[in->first];
	const struct flow_inst *from = in->op == FLOW_STORE && in->operands >= 2 && o[0].kind == '%'
	        && o[0].id && o[0].id <= u->insts && o[1].kind == '&' && !o[1].value
	    ? &u->inst[o[0].id - 1]
	    : NULL;
	const struct flow_operand *callee =
	    from && from->op == FLOW_CALL && from->operands ? &u->operand[from->first] : NULL;

	return callee && callee->kind == '@' && callee->name && !strcmp(callee->name, function)
	    ? u->var[o[1].id - 1].type
	    : 0;
}

/* The only type, apart from const, of the variables to which the function `func` (0: all of the
 * file) assigns results of the other function, as id; 0: none. */
static uint32_t only_result(const struct flow_unit *u, uint32_t func, const char *other)
{
	uint32_t only = 0;

	for (size_t i = 0; i < u->insts; i++) {
		uint32_t block = u->inst[i].block, type;
		if (!block || (func && u->block_func[block - 1] != func)
		    || !(type = result_as(u, &u->inst[i], other)) || !target_of(u, type)
		    || target_of(u, type)->kind == 'v')
			continue;
		if (only && target_of(u, only) != target_of(u, type))
			return 0;
		only = type;
	}
	return only;
}

/* Lists functions that return `void *` with the type of the variables to which the entry, or else
 * its file, assigns their results. */
static void results(const struct flow_unit *u, uint32_t entry, FILE *out)
{
	for (size_t i = 0; i < u->exts; i++) {
		const struct flow_type *function = type_of(u, u->ext[i].type),
		                       *target = function && function->kind == 'e'
		    ? target_of(u, function->of)
		    : NULL;
		uint32_t type;
		if (!target || target->kind != 'v')
			continue;
		if (!(type = only_result(u, entry, u->ext[i].name)))
			type = only_result(u, 0, u->ext[i].name);
		if (type && holds_pointer(u, target_of(u, type), 8))
			fprintf(out, "%s %s\n", u->ext[i].name, type_of(u, type)->text);
	}
}

char *flow_casts(const struct flow *f, const char *entry)
{
	const struct flow_unit *u = NULL;
	const struct flow_func *func = flow_find(f, entry, &u);
	char *text = NULL;
	size_t size;
	FILE *out = text_stream(&text, &size);

	for (size_t i = 0; func && i < func->params; i++) {
		const struct flow_type *target = target_of(u, u->var[func->param[i] - 1].type);
		uint32_t type = target && target->kind == 'v'
		    ? only_type(u, (uint32_t)(func - u->func) + 1, func->param[i])
		    : 0;
		if (type && target_of(u, type) && holds_pointer(u, target_of(u, type), 8))
			fprintf(out, "%zu %s\n", i + 1, type_of(u, type)->text);
	}
	if (func)
		results(u, (uint32_t)(func - u->func) + 1, out);
	fclose(out);
	return text;
}
