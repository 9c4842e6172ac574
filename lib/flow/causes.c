/* causes: finds the blocks that have to run before a condition that does not depend on inputs can
 * have another outcome. The condition's value is traced back through computations, variables,
 * arguments and results of functions, but not through pointers. */
#include "lib/base/grow.h"
#include "lib/flow/flow.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH 16     /* operations between a value and a variable, at most */
#define VARIABLES 64 /* variables that are followed, at most */

struct unit_var {
	const struct flow_unit *unit;
	uint32_t var;
};

struct causes {
	const struct flow *flow;
	struct unit_var var[VARIABLES]; /* that the condition depends on */
	size_t vars;
	struct flow_place *place;
	size_t places;
};

static void meet(struct causes *c, const struct flow_unit *u, uint32_t var)
{
	for (size_t i = 0; i < c->vars; i++)
		if (flow_same_variable(c->var[i].unit, c->var[i].var, u, var))
			return;
	if (c->vars < VARIABLES)
		c->var[c->vars++] = (struct unit_var){ u, var };
}

static void follow(struct causes *c, const struct flow_unit *u, uint32_t func,
    const struct flow_operand *o, int depth);

/* The values that calls pass for a parameter. */
static void follow_argument(
    struct causes *c, const struct flow_unit *u, uint32_t func, uint32_t k, int depth)
{
	const struct flow_func *f = &u->func[func - 1];

	for (const struct flow_unit *w = c->flow->unit; w < c->flow->unit + c->flow->units; w++)
		for (size_t i = 0; (w == u || !f->is_static) && i < w->insts; i++) {
			const struct flow_inst *in = &w->inst[i];
			const struct flow_operand *o = &w->operand[in->first];
			if (in->op == FLOW_CALL && in->block && k + 1 < in->operands
			    && o->kind == '@' && o->name && !strcmp(o->name, f->name))
				follow(c, w, w->block_func[in->block - 1], o + k + 1, depth);
		}
}

/* The values that a function returns. */
static void follow_result(struct causes *c, const struct flow_operand *callee, int depth)
{
	const struct flow_unit *w = NULL;
	const struct flow_func *f =
	    callee->kind == '@' && callee->name ? flow_find(c->flow, callee->name, &w) : NULL;

	for (size_t i = 0; f && i < w->insts; i++) {
		const struct flow_inst *in = &w->inst[i];
		if (in->op == FLOW_RET && in->operands && in->block - f->first_block < f->blocks)
			follow(c, w, (uint32_t)(f - w->func) + 1, &w->operand[in->first], depth);
	}
}

/* The variables that an operand of the function is computed from. */
static void follow(struct causes *c, const struct flow_unit *u, uint32_t func,
    const struct flow_operand *o, int depth)
{
	const struct flow_inst *in =
	    o->kind == '%' && o->id && o->id <= u->insts ? &u->inst[o->id - 1] : NULL;
	const struct flow_operand *base = in && in->operands ? &u->operand[in->first] : NULL;

	if (!depth)
		return;
	if (o->kind == '^' && func)
		follow_argument(c, u, func, o->id, depth - 1);
	if (!base || in->op == FLOW_ALLOCA)
		return;
	if (in->op == FLOW_LOAD && base->kind == '&') {
		meet(c, u, base->id);
		return;
	}
	if (in->op == FLOW_CALL)
		follow_result(c, base, depth - 1);
	/* the condition of a select is not followed, only the values */
	for (uint32_t k = in->op == FLOW_SELECT;
	    in->op != FLOW_CALL && in->op != FLOW_LOAD && k < in->operands; k++)
		follow(c, u, func, &base[k], depth - 1);
}

/* Follows the stores to the variable, and the values that they store. */
static void follow_variable(struct causes *c, struct unit_var v)
{
	for (const struct flow_unit *w = c->flow->unit; w < c->flow->unit + c->flow->units; w++)
		for (size_t i = 0; i < w->insts; i++) {
			const struct flow_inst *in = &w->inst[i];
			const struct flow_operand *o = &w->operand[in->first];
			if (in->op != FLOW_STORE || in->operands < 2 || !in->block
			    || o[1].kind != '&' || !flow_same_variable(v.unit, v.var, w, o[1].id))
				continue;
			*PUSH(c->place, c->places) =
			    (struct flow_place){ (uint32_t)(w - c->flow->unit), in->block };
			follow(c, w, w->block_func[in->block - 1], o, DEPTH);
		}
}

/* The value that decides the branch; NULL: not known. */
static const struct flow_operand *decider(const struct flow_unit *u, uint32_t branch)
{
	for (size_t i = 0; i < u->insts; i++) {
		const struct flow_inst *in = &u->inst[i];
		for (uint32_t k = 1; k < in->operands; k++)
			if (u->operand[in->first + k].kind == '?'
			    && u->operand[in->first + k].id == branch)
				return &u->operand[in->first];
	}
	return NULL;
}

struct flow_place *flow_causes(const struct flow *f, uint32_t unit, uint32_t branch, size_t *n)
{
	struct causes c = { .flow = f };
	const struct flow_unit *u = &f->unit[unit];
	const struct flow_operand *o = decider(u, branch);

	if (o)
		follow(&c, u, u->branch[branch - 1].func, o, DEPTH);
	for (size_t i = 0; i < c.vars; i++)
		follow_variable(&c, c.var[i]);
	*n = c.places;
	return c.place;
}
