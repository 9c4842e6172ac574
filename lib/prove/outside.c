/* outside: functions that may run where the model does not follow: called by what it does not
 * enter, before the root or behind it, or at any time. */
#include "lib/prove/inner.h"

#include "lib/clib/clib.h"

#include <stdlib.h>
#include <string.h>

/* The function and all that it may call. */
static void mark(const struct model *m, bool *set, uint32_t number)
{
	if (set[number])
		return;
	set[number] = true;
	for (size_t i = 0; i < alias_calls(m->alias); i++) {
		const struct alias_call *c = alias_call(m->alias, i);
		for (size_t k = 0; c->func == number && k < c->callees; k++)
			mark(m, set, c->callee[k]);
	}
}

static void mark_call(struct model *m, bool *set, const struct alias_call *c)
{
	size_t n;
	const uint32_t *back = alias_called_back(m->alias, &n);
	for (size_t k = 0; k < c->callees; k++)
		mark(m, set, c->callee[k]);
	for (size_t k = 0; c->external && k < n; k++)
		mark(m, set, back[k]);
}

static bool is_followed(const struct model *m, uint32_t frame, uint32_t inst)
{
	for (uint32_t f = frame + 1; f < m->frames; f++)
		if (m->frame[f].up == frame && m->frame[f].call == inst)
			return true;
	return false;
}

/* ---- what runs beside */

static bool does(const struct alias_call *c, const char *letters)
{
	const struct clib *f = c->name && !c->callees ? clib_find(c->name) : NULL;
	return f && clib_does(f, letters);
}

static void share(struct model *m, uint32_t unit, uint32_t func, const struct flow_operand *o)
{
	struct alias_place *place;
	size_t n;
	if (!strchr("%^&$", o->kind))
		return;
	n = alias_points_to(m->alias, unit, func, o, &place);
	for (size_t i = 0; i < n; i++)
		m->shared[place[i].object] = true;
	free(place);
}

/* Whatever an instruction of such a function may write: what it stores to, what a call or anything
 * unusual gets. */
static void share_written(struct model *m, uint32_t unit, uint32_t func, const struct flow_inst *i)
{
	const struct flow_operand *o = &m->flow->unit[unit].operand[i->first];
	bool all = i->op == FLOW_CALL || i->op == FLOW_OTHER || i->op == FLOW_ASM;
	for (uint32_t k = 0; k < i->operands; k++)
		if (all || (i->op == FLOW_STORE && k == 1)
		    || ((i->op == FLOW_COPY || i->op == FLOW_FILL) && k == 0))
			share(m, unit, func, &o[k]);
}

static void share_escaped(struct model *m, const struct alias_call *c)
{
	for (uint32_t i = 0; m->beside[c->func] && c->unknown && i < alias_objects(m->alias); i++)
		m->shared[i] |= alias_object(m->alias, i)->escaped;
}

static void find_beside(struct model *m)
{
	size_t n, starts = 0;
	const uint32_t *back = alias_called_back(m->alias, &n);
	m->beside = zeroed(alias_functions(m->alias), sizeof *m->beside);
	m->shared = zeroed(alias_objects(m->alias), sizeof *m->shared);
	for (size_t i = 0; i < alias_calls(m->alias); i++)
		starts += does(alias_call(m->alias, i), "th");
	for (size_t k = 0; starts && k < n; k++)
		mark(m, m->beside, back[k]);
	for (size_t i = 0; starts && i < alias_calls(m->alias); i++)
		share_escaped(m, alias_call(m->alias, i));
	for (uint32_t unit = 0; starts && unit < m->flow->units; unit++) {
		const struct flow_unit *u = &m->flow->unit[unit];
		for (uint32_t i = 0; i < u->insts; i++) {
			uint32_t func =
			    alias_function(m->alias, unit, u->block_func[u->inst[i].block - 1]);
			if (m->beside[func])
				share_written(m, unit, func, &u->inst[i]);
		}
	}
	if (starts)
		prove_note(m, false,
		    "signal handlers and threads: what they write may hold anything at any time");
}

/* Constructors and destructors. */
static void find_early(struct model *m)
{
	uint32_t unit, id;
	for (uint32_t f = 0; f < alias_functions(m->alias); f++) {
		const struct flow_func *func = alias_function_of(m->alias, f, &unit, &id);
		if (func->constructor || func->destructor)
			mark(m, m->outside, f);
		m->early |= func->constructor;
	}
	if (m->early && !m->arbitrary)
		prove_note(m, false, "constructors run first: globals may hold anything then");
}

void prove_outside(struct model *m)
{
	for (size_t i = 0; i < alias_calls(m->alias);
	    i++) /* what a call does to a stream is a change of such memory */
		m->buffered |= does(alias_call(m->alias, i), "b");
	m->outside = zeroed(alias_functions(m->alias), sizeof *m->outside);
	m->below = zeroed(alias_functions(m->alias), sizeof *m->below);
	find_early(m);
	find_beside(m);
	for (uint32_t f = 0; f < m->frames; f++)
		for (size_t i = 0; i < alias_calls(m->alias); i++) {
			const struct alias_call *c = alias_call(m->alias, i);
			if (c->func == m->frame[f].number && !is_followed(m, f, c->inst))
				mark_call(m, prove_too_deep(m, f, c) ? m->below : m->outside, c);
		}
}
