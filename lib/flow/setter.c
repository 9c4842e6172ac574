/* setter: finds the function that sets a global pointer which an instruction dereferences. */
#include "lib/base/grow.h"
#include "lib/flow/flow.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH 8 /* operations between an address and a variable, at most */

/* The variable whose value a pointer is, perhaps with an offset; 0: none. */
static uint32_t followed(const struct flow_unit *u, const struct flow_operand *o, int depth)
{
	const struct flow_inst *in =
	    o->kind == '%' && o->id && o->id <= u->insts && depth ? &u->inst[o->id - 1] : NULL;
	const struct flow_operand *base = in && in->operands ? &u->operand[in->first] : NULL;

	if (!base)
		return 0;
	if (in->op == FLOW_LOAD && base->kind == '&')
		return base->id;
	return in->op == FLOW_ADDR || in->op == FLOW_CAST ? followed(u, base, depth - 1) : 0;
}

/* Is it a global, of this unit or of another one, that is not constant? */
static bool is_global(const struct flow_var *v)
{
	return (v->kind == 'g' && v->defined != 2) || (v->kind == 's' && v->defined);
}

/* The global pointer that the instruction dereferences, or passes to a function, which may
 * dereference it; 0: none. */
static uint32_t global_of(const struct flow_unit *u, const struct flow_inst *in)
{
	const struct flow_operand *o = &u->operand[in->first];
	uint32_t first = in->op == FLOW_STORE ? 1 : 0,
	         end = in->op == FLOW_CALL || in->op == FLOW_COPY ? in->operands : first + 1;

	if (in->op != FLOW_LOAD && in->op != FLOW_STORE && in->op != FLOW_CALL
	    && in->op != FLOW_COPY && in->op != FLOW_FILL)
		return 0;
	for (uint32_t k = first; k < end && k < in->operands; k++) {
		uint32_t var = followed(u, &o[k], DEPTH);
		const struct flow_type *t =
		    var && u->var[var - 1].type ? &u->type[u->var[var - 1].type - 1] : NULL;
		if (t && strchr("psna", t->kind) && is_global(&u->var[var - 1]))
			return var;
	}
	return 0;
}

/* The only global on which the instructions of the block depend; 0: none, or several. */
static uint32_t only_global(const struct flow_unit *u, uint32_t block)
{
	uint32_t only = 0;

	for (size_t i = 0; i < u->insts; i++) {
		uint32_t var = u->inst[i].block == block ? global_of(u, &u->inst[i]) : 0;
		if (var && only && var != only)
			return 0;
		only = var ? var : only;
	}
	return only;
}

/* Is it a store of something else than NULL to the variable, or a part of it? */
static bool sets(const struct flow_unit *u, const struct flow_inst *in, uint32_t var)
{
	const struct flow_operand *o = &u->operand[in->first];

	return in->op == FLOW_STORE && in->block && in->operands >= 2 && o[1].kind == '&'
	    && o[1].id == var && !(o[0].kind == '#' && !o[0].value);
}

bool flow_same_variable(
    const struct flow_unit *u, uint32_t var, const struct flow_unit *w, uint32_t other)
{
	const struct flow_var *v = &u->var[var - 1], *o = &w->var[other - 1];

	if (u == w)
		return var == other;
	return v->kind == 'g' && !v->is_static && o->kind == 'g' && !o->is_static
	    && !strcmp(v->name, o->name);
}

/* A function of the unit w that sets the global and that the entry does not reach; NULL: none. */
static const struct flow_func *setter_in(
    const struct flow_unit *u, uint32_t var, const struct flow_unit *w, const bool *reached)
{
	for (size_t i = 0; i < w->insts; i++) {
		const struct flow_inst *in = &w->inst[i];
		const struct flow_operand *to = &w->operand[in->first + 1];
		if (in->op != FLOW_STORE || in->operands < 2 || to->kind != '&'
		    || !flow_same_variable(u, var, w, to->id) || !sets(w, in, to->id))
			continue;
		const struct flow_func *f = &w->func[w->block_func[in->block - 1] - 1];
		if (!f->is_harness && !reached[f - w->func])
			return f;
	}
	return NULL;
}

char *flow_setter(const struct flow *f, const char *entry, const struct flow_unit *u,
    uint32_t block, uint32_t inst)
{
	bool here = inst && inst <= u->insts && u->inst[inst - 1].block == block;
	uint32_t var = here ? global_of(u, &u->inst[inst - 1]) : only_global(u, block);
	bool **reached = var ? flow_reachable(f, entry) : NULL;
	const struct flow_func *found = NULL;

	for (size_t i = 0; var && i < f->units && !found; i++)
		found = setter_in(u, var, &f->unit[i], reached[i]);
	flow_marks_free(f, reached);
	return found ? copied(found->name) : NULL;
}
