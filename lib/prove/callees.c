/* callees: what functions do that are called but not followed: which objects they may write,
 * themselves or by what they call, and whether they come back. */
#include "lib/prove/inner.h"

#include <stdlib.h>
#include <string.h>

struct finder {
	const struct flow *flow;
	struct alias *alias;
	const struct unit_index *index;
	struct prove_callees *c;
};

static struct callee *writer(const struct finder *f, uint32_t unit, uint32_t inst)
{
	const struct flow_unit *u = &f->flow->unit[unit];
	return &f->c->of[alias_function(
	    f->alias, unit, u->block_func[u->inst[inst - 1].block - 1])];
}

/* Marks the objects that an operand points to as written. */
static void write_there(
    const struct finder *f, struct callee *by, uint32_t unit, const struct flow_operand *o)
{
	struct alias_place *place;
	size_t n;
	if (!strchr("%^&$", o->kind))
		return;
	n = alias_places(f->alias, unit, (uint32_t)(by - f->c->of), o, &place);
	for (size_t i = 0; i < n; i++) {
		by->escaped |= place[i].object == ALIAS_OUTSIDE;
		if (place[i].object < f->c->objects)
			by->object[place[i].object / 64] |= UINT64_C(1) << place[i].object % 64;
	}
	free(place);
}

static bool may_call_back(
    const struct finder *f, struct callee *by, uint32_t unit, const struct flow_operand *o)
{
	struct alias_place *place;
	size_t n = alias_places(f->alias, unit, (uint32_t)(by - f->c->of), o, &place);
	bool found = false;
	for (size_t i = 0; i < n; i++)
		found |= place[i].object == ALIAS_OUTSIDE
		    || alias_object(f->alias, place[i].object)->kind == ALIAS_FUNCTION;
	free(place);
	return found;
}

static bool stays_inside(const struct alias_call *c)
{
	return c && c->callees && !c->external && !c->unknown;
}

static void call(const struct finder *f, struct callee *by, uint32_t unit, uint32_t inst)
{
	const struct flow_inst *i = &f->flow->unit[unit].inst[inst - 1];
	const struct flow_operand *o = &f->flow->unit[unit].operand[i->first];
	uint32_t at = f->index[unit].call[inst - 1];
	const struct alias_call *c = at ? alias_call(f->alias, at - 1) : NULL;
	if (stays_inside(c))
		return; /* see inherit */
	by->undefined = true;
	if (!c || c->callees || !c->external || c->unknown) {
		by->all = true;
		return;
	}
	for (uint32_t k = 1; k < i->operands; k++) {
		char effect = alias_effect(c, k - 1);
		if (effect != 'w' && effect != 'b')
			continue;
		by->all |= may_call_back(f, by, unit, &o[k]);
		write_there(f, by, unit, &o[k]);
	}
}

static void instruction(const struct finder *f, uint32_t unit, uint32_t inst)
{
	const struct flow_inst *i = &f->flow->unit[unit].inst[inst - 1];
	const struct flow_operand *o = &f->flow->unit[unit].operand[i->first];
	struct callee *by = writer(f, unit, inst);
	if (i->op == FLOW_STORE)
		write_there(f, by, unit, &o[1]);
	else if (i->op == FLOW_COPY || i->op == FLOW_FILL)
		write_there(f, by, unit, &o[0]);
	else if (i->op == FLOW_CALL)
		call(f, by, unit, inst);
	else if (i->op == FLOW_ASM)
		by->all = true;
	for (uint32_t k = 0; k < i->operands && i->op == FLOW_OTHER; k++)
		write_there(f, by, unit, &o[k]);
}

/* A result in memory is where the caller says. */
static void results(const struct finder *f, uint32_t unit)
{
	const struct flow_unit *u = &f->flow->unit[unit];
	for (size_t k = 0; k < u->homes; k++) {
		const struct flow_var *v = &u->var[u->home[k].var - 1];
		struct flow_operand at = { .kind = '^', .id = u->home[k].argument };
		if (v->kind != 'p' && v->func)
			write_there(
			    f, &f->c->of[alias_function(f->alias, unit, v->func)], unit, &at);
	}
}

static bool inherit(const struct finder *f, struct callee *to, const struct callee *from)
{
	bool changed = (from->all && !to->all) || (from->escaped && !to->escaped)
	    || (from->undefined && !to->undefined);
	to->all |= from->all;
	to->escaped |= from->escaped;
	to->undefined |= from->undefined;
	for (size_t w = 0; w <= f->c->objects / 64; w++) {
		changed |= (from->object[w] & ~to->object[w]) != 0;
		to->object[w] |= from->object[w];
	}
	return changed;
}

static bool inherit_all(const struct finder *f)
{
	bool changed = false;
	for (size_t i = 0; i < alias_calls(f->alias); i++) {
		const struct alias_call *c = alias_call(f->alias, i);
		for (size_t k = 0; k < c->callees; k++)
			changed |= inherit(f, &f->c->of[c->func], &f->c->of[c->callee[k]]);
	}
	return changed;
}

bool prove_comes_back(const struct prove_callees *all, const struct alias_call *c)
{
	bool back = !stays_inside(c);
	for (size_t k = 0; !back && k < c->callees; k++)
		back = all->of[c->callee[k]].returns;
	return back;
}

/* Where control goes from a block, which is all that is known of it: to `reached`. True: it
 * returns. */
static bool through(const struct finder *f, uint32_t unit, const struct flow_func *func,
    uint32_t block, bool *reached)
{
	const struct flow_unit *u = &f->flow->unit[unit];
	struct span insts = f->index[unit].block[block - 1];
	for (uint32_t i = insts.first; i < insts.first + insts.n; i++) {
		const struct flow_inst *in = &u->inst[i - 1];
		uint32_t at = f->index[unit].call[i - 1];
		if (in->op == FLOW_RET)
			return true;
		if (in->op == FLOW_CALL && at
		    && !prove_comes_back(f->c, alias_call(f->alias, at - 1)))
			return false;
		for (uint32_t k = 0; k < in->operands && in->op != FLOW_PHI; k++)
			if (u->operand[in->first + k].kind == '!')
				reached[u->operand[in->first + k].id - func->first_block] = true;
	}
	return false;
}

/* Is there a way to its end, through calls that are known to come back? */
static bool returns(const struct finder *f, uint32_t function)
{
	uint32_t unit, id, last = 0;
	const struct flow_func *func = alias_function_of(f->alias, function, &unit, &id);
	bool *reached = zeroed(func->blocks, sizeof *reached),
	     *done = zeroed(func->blocks, sizeof *done), back = false;
	if (func->blocks)
		reached[0] = true;
	else
		back = true;
	for (bool on = func->blocks > 0; on && !back;) {
		on = false;
		for (last = 0; last < func->blocks && !back; last++)
			if (reached[last] && !done[last]) {
				on = done[last] = true;
				back = through(f, unit, func, func->first_block + last, reached);
			}
	}
	free(reached);
	free(done);
	return back;
}

static bool return_all(const struct finder *f)
{
	bool changed = false;
	for (uint32_t k = 0; k < f->c->functions; k++)
		if (!f->c->of[k].returns && returns(f, k))
			changed = f->c->of[k].returns = true;
	return changed;
}

struct prove_callees *prove_callees_new(
    const struct flow *fl, struct alias *a, const struct unit_index *index)
{
	struct prove_callees *c = zeroed(1, sizeof *c);
	struct finder f = { fl, a, index, c };
	c->functions = alias_functions(a);
	c->objects = alias_objects(a);
	c->of = zeroed(c->functions, sizeof *c->of);
	for (uint32_t k = 0; k < c->functions; k++)
		c->of[k].object = zeroed(c->objects / 64 + 1, sizeof *c->of[k].object);
	for (uint32_t unit = 0; unit < fl->units; unit++) {
		for (uint32_t i = 0; i < fl->unit[unit].insts; i++)
			instruction(&f, unit, i + 1);
		results(&f, unit);
	}
	while (inherit_all(&f))
		;
	while (return_all(&f))
		;
	return c;
}

void prove_callees_free(struct prove_callees *c)
{
	for (uint32_t k = 0; c && k < c->functions; k++)
		free(c->of[k].object);
	free(c ? c->of : NULL);
	free(c);
}

bool prove_may_write(const struct prove_callees *all, const struct alias_call *c, uint32_t object,
    bool escaped, bool undefined)
{
	bool may = !stays_inside(c) || object >= all->objects;
	for (size_t k = 0; !may && k < c->callees; k++) {
		const struct callee *f = &all->of[c->callee[k]];
		may = f->all || (f->escaped && escaped) || (f->undefined && undefined)
		    || (f->object[object / 64] >> object % 64 & 1);
	}
	return may;
}
