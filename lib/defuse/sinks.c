/* sinks: what the value of each instruction is used for within its expression: a condition (p-use)
 * or a computation such as a store, argument or result (c-use). */
#include "lib/defuse/inner.h"

#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

static void add_outcome(struct sinks *s, uint32_t outcome)
{
	for (uint32_t i = 0; i < s->outcomes; i++)
		if (s->outcome[i] == outcome)
			return;
	*PUSH(s->outcome, s->outcomes) = outcome;
}

/* A condition within an assumption's argument is no objective and counts as a c-use. */
static void add_branch(struct sinks *s, const struct flow_unit *u, uint32_t branch)
{
	const struct flow_branch *b = &u->branch[branch - 1];
	size_t sides = b->kind == 's' ? b->cases + 1 : 2;
	if (b->kind == 'a') {
		s->computes = true;
		return;
	}
	for (size_t k = 0; k < sides; k++)
		add_outcome(s, b->first + (uint32_t)k);
}

static void add_sinks(struct sinks *s, const struct sinks *from)
{
	s->computes |= from->computes;
	for (uint32_t i = 0; i < from->outcomes; i++)
		add_outcome(s, from->outcome[i]);
}

/* The branch that an instruction decides; 0: none. */
static uint32_t decides(const struct flow_unit *u, const struct flow_inst *i)
{
	const struct flow_operand *last = &u->operand[i->first + i->operands - 1];
	return i->operands && last->kind == '?' ? last->id : 0;
}

/* Operand k of instruction i is the value that s describes: adds that use. */
static void follow(
    struct sinks *s, const struct flow_unit *u, const struct sinks *all, uint32_t i, uint32_t k)
{
	const struct flow_inst *user = &u->inst[i];
	uint32_t branch = decides(u, user);
	switch (user->op) {
	case FLOW_STORE:
	case FLOW_CALL:
	case FLOW_COPY:
	case FLOW_FILL:
	case FLOW_RET:
	case FLOW_ASM:
	case FLOW_GOTO:
	case FLOW_ALLOCA: s->computes = true; break;
	case FLOW_BR:
	case FLOW_SWITCH:
		if (branch)
			add_branch(s, u, branch);
		else
			s->computes = true;
		break;
	case FLOW_SELECT:
		if (k == 0 && branch)
			add_branch(s, u, branch);
		else
			add_sinks(s, &all[i]);
		break;
	default: add_sinks(s, &all[i]); break;
	}
}

/* Works backward, so that users come first. A user that comes before its operand (a loop's phi)
 * makes it a c-use. */
struct sinks *defuse_sinks(const struct flow_unit *u)
{
	struct sinks *all = zeroed(u->insts + 1, sizeof *all);
	bool *used = zeroed(u->insts + 1, sizeof *used);
	for (uint32_t i = (uint32_t)u->insts; i-- > 0;) {
		const struct flow_inst *user = &u->inst[i];
		if (!used[i] && user->op != FLOW_ALLOCA)
			all[i].computes = !all[i].outcomes;
		for (uint32_t k = 0; k < user->operands; k++) {
			const struct flow_operand *o = &u->operand[user->first + k];
			if (o->kind != '%' || o->id > u->insts)
				continue;
			used[o->id - 1] = true;
			if (o->id - 1 < i)
				follow(&all[o->id - 1], u, all, i, k);
			else
				all[o->id - 1].computes = true;
		}
	}
	free(used);
	return all;
}

void defuse_sinks_free(const struct flow_unit *u, struct sinks *s)
{
	for (size_t i = 0; i < u->insts; i++)
		free(s[i].outcome);
	free(s);
}
