/* set: finds locals and temporaries that are certainly written before they are read; they need no
 * initial value. */
#include "lib/obligation/inner.h"
#include "lib/base/grow.h"

#include <stdlib.h>

/* A variable (kind &) or the memory of an alloca (kind %). */
struct local {
	char kind;
	uint32_t id;
	uint64_t size;
};
enum touch { NOTHING, WRITTEN, ELSE };

/* WRITTEN: the instruction writes all of it and uses it in no other way. */
static enum touch access_of(
    const struct flow_unit *u, const struct flow_inst *i, const struct local *l)
{
	bool any = false, others = false;
	for (uint32_t k = 0; k < i->operands; k++) {
		const struct flow_operand *x = &u->operand[i->first + k];
		bool it = x->kind == l->kind && x->id == l->id;
		bool target = k == (i->op == FLOW_STORE) && !(x->kind == '&' && x->value);
		any |= it;
		others |= it && !target;
	}
	if (!any || others)
		return any ? ELSE : NOTHING;
	if (i->op == FLOW_STORE)
		return (i->width + 7) / 8 == l->size ? WRITTEN : ELSE;
	if (i->op != FLOW_FILL && i->op != FLOW_COPY)
		return ELSE;
	const struct flow_operand *size = &u->operand[i->first + 2];
	return size->kind == '#' && (uint64_t)size->value >= l->size ? WRITTEN : ELSE;
}

/* Is the local set at the end of a block, given whether it is at its start? Clears *good if it may
 * be used before it is set. */
static bool walk(
    const struct flow_unit *u, uint32_t block, const struct local *l, bool set, bool *good)
{
	for (uint32_t k = 1; k <= u->insts; k++) {
		enum touch a =
		    u->inst[k - 1].block == block ? access_of(u, &u->inst[k - 1], l) : NOTHING;
		*good &= a != ELSE || set;
		set |= a == WRITTEN;
	}
	return set;
}

bool obligation_is_set(
    const struct flow_unit *u, const struct flow_func *func, char kind, uint32_t id, uint64_t size)
{
	const struct local l = { kind, id, size };
	bool *unset = zeroed(func->blocks, sizeof *unset), good = size > 0, changed = true;
	if (good)
		unset[0] = true; /* blocks that may be entered before it is written */
	while (good && changed) {
		changed = false;
		for (size_t k = 0; k < u->edges && good; k++) {
			uint32_t from = u->edge[k].from - func->first_block,
			         to = u->edge[k].to - func->first_block;
			if (from >= func->blocks || to >= func->blocks || !unset[from] || unset[to])
				continue;
			if (!walk(u, u->edge[k].from, &l, false, &(bool){ true }))
				changed = unset[to] = true;
		}
	}
	for (uint32_t b = 0; b < func->blocks && good; b++)
		walk(u, func->first_block + b, &l, !unset[b], &good);
	free(unset);
	return good;
}
