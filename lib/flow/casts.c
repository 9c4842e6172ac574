/* casts: what a function takes its parameters of type `void *` for, and what functions of its file
 * take such results for. */
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

/* Is the instruction a store of the parameter's value to a variable? Its type, as id; 0: no. */
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

/* Does the instruction pass the parameter's value to a function whose own has a type? That one; 0:
 * no. Structures that are passed may stand before it among the operands. */
static uint32_t passed_as(const struct flow_unit *u, const struct flow_inst *in, uint32_t param)
{
	const struct flow_operand *o = &u->operand[in->first];
	const struct flow_type *t;

	if (in->op != FLOW_CALL || !in->operands || o->kind != '@' || !o->name
	    || !(t = type_of(u, function_type(u, o->name))) || t->members != in->operands - 1)
		return 0;
	for (size_t i = 0; i < t->members; i++)
		if (is_value(u, &o[i + 1], param)) {
			const struct flow_type *target = target_of(u, t->member[i].type);
			return target && target->kind != 'v' ? t->member[i].type : 0;
		}
	return 0;
}

/* The only type, but for const, that the function copies the parameter to or passes it as, as id;
 * 0: none. */
static uint32_t only_type(const struct flow_unit *u, uint32_t func, uint32_t param)
{
	uint32_t only = 0;

	for (size_t i = 0; i < u->insts; i++) {
		uint32_t block = u->inst[i].block, type;
		if (!block || u->block_func[block - 1] != func
		    || !((type = stored_as(u, &u->inst[i], param))
		        || (type = passed_as(u, &u->inst[i], param))))
			continue;
		if (only && target_of(u, only) != target_of(u, type))
			return 0;
		only = type;
	}
	return only;
}

/* Does the instruction store what a call of the function gave to a variable? Its type, as id; 0:
 * no.
 */
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

/* The only type, but for const, of variables that the function `func` (0: all of the file) puts
 * results of the other function into, as id; 0: none. */
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

/* Results of type `void *`: what the entry itself takes them for, or else its file. */
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
	FILE *out = open_memstream(&text, &size);

	if (!out)
		no_memory();
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
