/* undefined: loads of scalar locals that may not have been written in this activation. Each such
 * load may read another value, in runs in which the local was not written. */
#include "lib/prove/inner.h"

#include <stdlib.h>
#include <string.h>

struct locals {
	const struct flow_unit *u;
	struct unit_index *x;
	const struct flow_func *func;
	struct span vars;
	size_t words;
	uint64_t *at; /* by block of the function: the locals that may be undefined at its begin */
};

static bool is_watched(const struct flow_unit *u, const struct unit_index *x, uint32_t var)
{
	const struct flow_var *v = &u->var[var - 1];
	return v->kind == 'l' && !x->taken[var - 1] && strchr("iucbpf", u->type[v->type - 1].kind);
}

/* The index of the local whose address an operand is; NONE. */
static uint32_t local_at(const struct flow_unit *u, const struct unit_index *x, struct span vars,
    const struct flow_operand *o)
{
	return o->kind == '&' && !o->value && o->id >= vars.first && o->id < vars.first + vars.n
	        && is_watched(u, x, o->id)
	    ? o->id - vars.first
	    : NONE;
}

uint32_t prove_read_local(
    const struct flow_unit *u, const struct unit_index *x, struct span vars, uint32_t inst)
{
	const struct flow_inst *i = &u->inst[inst - 1];
	return i->op == FLOW_LOAD ? local_at(u, x, vars, &u->operand[i->first]) : NONE;
}

static uint32_t defined_local(
    const struct flow_unit *u, const struct unit_index *x, struct span vars, uint32_t inst)
{
	const struct flow_inst *i = &u->inst[inst - 1];
	const struct flow_operand *o = &u->operand[i->first];
	uint64_t bytes;
	uint32_t k;
	if (i->op != FLOW_STORE && i->op != FLOW_COPY && i->op != FLOW_FILL)
		return NONE;
	bytes = i->op == FLOW_STORE              ? (i->width + 7) / 8
	    : o[2].kind == '#' && o[2].value > 0 ? (uint64_t)o[2].value
	                                         : 0;
	k = local_at(u, x, vars, &o[i->op == FLOW_STORE]);
	return k != NONE && bytes >= u->type[u->var[vars.first + k - 1].type - 1].size ? k : NONE;
}

/* Updates `now`, the locals that may be undefined, from the begin of a block to its end. tell:
 * marks loads of such locals. */
static void through(const struct locals *l, uint32_t block, uint64_t *now, bool tell)
{
	struct span insts = l->x->block[block - 1];
	memcpy(now, &l->at[(block - l->func->first_block) * l->words], l->words * sizeof *now);
	for (uint32_t i = insts.first; i < insts.first + insts.n; i++) {
		uint32_t k = prove_read_local(l->u, l->x, l->vars, i);
		if (tell && k != NONE)
			l->x->undefined[i - 1] = now[k / 64] >> k % 64 & 1;
		k = defined_local(l->u, l->x, l->vars, i);
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
	l->at = zeroed(l->func->blocks * l->words, sizeof *l->at);
	now = zeroed(l->words, sizeof *now);
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

/* ---- in the walk */

/* The slot that says whether the local that an instruction reads or writes has been written; 0: it
 * always has. */
static uint32_t written_slot(const struct walk *w, uint32_t inst, bool reads)
{
	const struct frame *f = &w->m->frame[w->frame];
	const struct unit_index *x = &w->m->index[f->unit];
	struct span vars = x->vars[f->func - 1];
	uint32_t var = reads ? prove_read_local(prove_unit(w->m, w->frame), x, vars, inst)
	                     : defined_local(prove_unit(w->m, w->frame), x, vars, inst);
	return var == NONE ? 0 : f->defined[var];
}

void prove_note_written(struct walk *w, uint32_t inst)
{
	uint32_t slot = written_slot(w, inst, false);
	if (slot)
		w->now.v[slot - 1] = prove_bool(w->m, true);
}

expr prove_read_written(struct walk *w, uint32_t inst, expr value)
{
	uint32_t slot = written_slot(w, inst, true);
	bool maybe = w->m->index[w->m->frame[w->frame].unit].undefined[inst - 1];
	return maybe && slot ? prove_ite(w->m, w->now.v[slot - 1], value,
	                           prove_fresh(w->m, expr_width(w->m->pool, value)))
	                     : value;
}
