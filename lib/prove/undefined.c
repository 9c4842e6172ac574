/* undefined: loads of scalar locals that nothing may have written in this activation. Each may read
 * another value. */
#include "lib/prove/inner.h"

#include <stdlib.h>
#include <string.h>

struct locals {
	const struct flow_unit *u;
	struct unit_index *x;
	const struct flow_func *func;
	struct span vars;
	size_t words;
	uint64_t *at; /* by block of the function: which may be undefined when it begins */
};

static bool is_watched(const struct locals *l, uint32_t var)
{
	const struct flow_var *v = &l->u->var[var - 1];
	return v->kind == 'l' && !l->x->taken[var - 1]
	    && strchr("iucbpf", l->u->type[v->type - 1].kind);
}

/* The local that an operand is the address of, as an index; NONE. */
static uint32_t local_at(const struct locals *l, const struct flow_operand *o)
{
	return o->kind == '&' && !o->value && o->id >= l->vars.first
	        && o->id < l->vars.first + l->vars.n && is_watched(l, o->id)
	    ? o->id - l->vars.first
	    : NONE;
}

/* The local that an instruction writes all of. */
static uint32_t written(const struct locals *l, const struct flow_inst *i)
{
	const struct flow_operand *o = &l->u->operand[i->first];
	uint64_t bytes = i->op == FLOW_STORE     ? (i->width + 7) / 8
	    : o[2].kind == '#' && o[2].value > 0 ? (uint64_t)o[2].value
	                                         : 0;
	uint32_t k = local_at(l, &o[i->op == FLOW_STORE]);
	return k != NONE && bytes >= l->u->type[l->u->var[l->vars.first + k - 1].type - 1].size
	    ? k
	    : NONE;
}

/* Locals that may be undefined behind a block, in `now`; tell: its loads are marked. */
static void through(const struct locals *l, uint32_t block, uint64_t *now, bool tell)
{
	struct span insts = l->x->block[block - 1];
	memcpy(now, &l->at[(block - l->func->first_block) * l->words], l->words * sizeof *now);
	for (uint32_t i = insts.first; i < insts.first + insts.n; i++) {
		const struct flow_inst *in = &l->u->inst[i - 1];
		uint32_t k = in->op == FLOW_LOAD ? local_at(l, &l->u->operand[in->first]) : NONE;
		if (tell && k != NONE)
			l->x->undefined[i - 1] = now[k / 64] >> k % 64 & 1;
		k = in->op == FLOW_STORE || in->op == FLOW_COPY || in->op == FLOW_FILL
		    ? written(l, in)
		    : NONE;
		if (k != NONE)
			now[k / 64] &= ~(UINT64_C(1) << k % 64);
	}
}

static bool pass_on(const struct locals *l, uint32_t block, const uint64_t *now)
{
	struct span insts = l->x->block[block - 1];
	const struct flow_inst *end = insts.n ? &l->u->inst[insts.first + insts.n - 2] : NULL;
	bool changed = false;
	for (uint32_t k = 0; end && end->op != FLOW_PHI && k < end->operands; k++) {
		const struct flow_operand *o = &l->u->operand[end->first + k];
		for (size_t i = 0; o->kind == '!' && i < l->words; i++) {
			uint64_t *to = &l->at[(o->id - l->func->first_block) * l->words + i];
			changed |= (now[i] & ~*to) != 0;
			*to |= now[i];
		}
	}
	return changed;
}

static void find(struct locals *l)
{
	uint64_t *now;
	bool changed = l->func->blocks > 0 && l->vars.n > 0;
	if (!changed)
		return;
	l->words = (l->vars.n + 63) / 64;
	l->at = prove_room(l->func->blocks * l->words, sizeof *l->at);
	now = prove_room(l->words, sizeof *now);
	memset(l->at, -1, l->words * sizeof *l->at);
	while (changed) {
		changed = false;
		for (uint32_t b = 0; b < l->func->blocks; b++) {
			through(l, l->func->first_block + b, now, false);
			changed |= pass_on(l, l->func->first_block + b, now);
		}
	}
	for (uint32_t b = 0; b < l->func->blocks; b++)
		through(l, l->func->first_block + b, now, true);
	free(now);
	free(l->at);
}

void prove_find_undefined(const struct flow_unit *u, struct unit_index *x)
{
	for (uint32_t f = 0; f < u->funcs; f++)
		find(&(struct locals){ .u = u, .x = x, .func = &u->func[f], .vars = x->vars[f] });
}
