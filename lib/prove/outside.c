/* outside: functions that may run outside of the encoding: called by code that the encoding does
 * not enter, before or after the root, or at any time. */
#include "lib/prove/inner.h"

#include "lib/clib/clib.h"

#include <stdlib.h>
#include <string.h>

/* The callees of each function, as lists of numbers from 1; 0 ends a list. */
struct calls {
	size_t *first, *next; /* by function; by call */
};

static struct calls list_calls(const struct encoding *m)
{
	size_t n = alias_calls(m->alias);
	struct calls l = { zeroed(alias_functions(m->alias), sizeof *l.first),
		zeroed(n, sizeof *l.next) };
	for (size_t i = n; i > 0; i--) {
		size_t *first = &l.first[alias_call(m->alias, i - 1)->func];
		l.next[i - 1] = *first;
		*first = i;
	}
	return l;
}

/* Adds all that functions of the set may call. */
static void close_set(const struct encoding *m, bool *set)
{
	struct calls calls = list_calls(m);
	uint32_t *todo = zeroed(alias_functions(m->alias), sizeof *todo);
	size_t n = 0;
	for (uint32_t f = 0; f < alias_functions(m->alias); f++)
		if (set[f])
			todo[n++] = f;
	while (n > 0)
		for (size_t i = calls.first[todo[--n]]; i; i = calls.next[i - 1]) {
			const struct alias_call *c = alias_call(m->alias, i - 1);
			for (size_t k = 0; k < c->callees; k++)
				if (!set[c->callee[k]]) {
					set[c->callee[k]] = true;
					todo[n++] = c->callee[k];
				}
		}
	free(todo);
	free(calls.first);
	free(calls.next);
}

/* Adds the functions that the call may enter. */
static void mark_call(struct encoding *m, bool *set, const struct alias_call *c)
{
	size_t n;
	const uint32_t *back = alias_called_back(m->alias, &n);
	for (size_t k = 0; k < c->callees; k++)
		set[c->callee[k]] = true;
	for (size_t k = 0; c->external && k < n; k++)
		set[back[k]] = true;
}

static bool is_followed(const struct encoding *m, uint32_t frame, uint32_t inst)
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

static void share(struct encoding *m, uint32_t unit, uint32_t func, const struct flow_operand *o)
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

/* Everything that an instruction of such a function may write: targets of stores, of calls and of
 * unusual instructions. */
static void share_written(
    struct encoding *m, uint32_t unit, uint32_t func, const struct flow_inst *i)
{
	const struct flow_operand *o = &m->flow->unit[unit].operand[i->first];
	bool all = i->op == FLOW_CALL || i->op == FLOW_OTHER || i->op == FLOW_ASM;
	for (uint32_t k = 0; k < i->operands; k++)
		if (all || (i->op == FLOW_STORE && k == 1)
		    || ((i->op == FLOW_COPY || i->op == FLOW_FILL) && k == 0))
			share(m, unit, func, &o[k]);
}

static void share_escaped(struct encoding *m, const struct alias_call *c)
{
	for (uint32_t i = 0; m->beside[c->func] && c->unknown && i < alias_objects(m->alias); i++)
		m->shared[i] |= alias_object(m->alias, i)->escaped;
}

static void find_beside(struct encoding *m)
{
	size_t n, starts = 0;
	const uint32_t *back = alias_called_back(m->alias, &n);
	m->beside = zeroed(alias_functions(m->alias), sizeof *m->beside);
	m->shared = zeroed(alias_objects(m->alias), sizeof *m->shared);
	for (size_t i = 0; i < alias_calls(m->alias); i++)
		starts += does(alias_call(m->alias, i), "th");
	for (size_t k = 0; starts && k < n; k++)
		m->beside[back[k]] = true;
	close_set(m, m->beside);
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
static void find_early(struct encoding *m)
{
	uint32_t unit, id;
	for (uint32_t f = 0; f < alias_functions(m->alias); f++) {
		const struct flow_func *func = alias_function_of(m->alias, f, &unit, &id);
		if (func->constructor || func->destructor)
			m->outside[f] = true;
		m->early |= func->constructor;
	}
	if (m->early && !m->arbitrary)
		prove_note(m, false, "constructors run first: globals may hold anything then");
}

void prove_outside(struct encoding *m)
{
	for (size_t i = 0; i < alias_calls(m->alias);
	    i++) /* a change of a stream may change such memory */
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
	close_set(m, m->outside);
	close_set(m, m->below);
}
