/* index: instructions by block and function, accesses and calls by instruction. */
#include "lib/prove/inner.h"

#include <stdlib.h>
#include <string.h>

static void extend(struct span *s, uint32_t id)
{
	if (!s->n)
		s->first = id;
	s->n = id - s->first + 1;
}

/* Marks values that a phi takes, or that are used after a call or in another block. */
static void mark_crossing(const struct flow_unit *u, struct unit_index *x)
{
	uint32_t *piece = zeroed(u->insts + 1, sizeof *piece), at = 0;
	for (uint32_t i = 0; i < u->insts; i++) {
		at += !i || u->inst[i].block != u->inst[i - 1].block
		    || u->inst[i - 1].op == FLOW_CALL;
		piece[i] = at;
	}
	for (uint32_t i = 0; i < u->insts; i++) {
		const struct flow_inst *user = &u->inst[i];
		for (uint32_t k = 0; k < user->operands; k++) {
			const struct flow_operand *o = &u->operand[user->first + k];
			if (o->kind == '%'
			    && (piece[o->id - 1] != piece[i] || user->op == FLOW_PHI))
				x->crosses[o->id - 1] = true;
		}
		if (user->op == FLOW_PHI || user->op == FLOW_CALL)
			x->crosses[i] = true;
	}
	free(piece);
}

/* Marks addresses of elements that are used for anything but accesses: the element may then be
 * reached by other names. */
static void mark_taken(const struct flow_unit *u, struct unit_index *x)
{
	bool *leaks = zeroed(u->insts + 1, sizeof *leaks);
	for (uint32_t i = (uint32_t)u->insts; i-- > 0;) {
		const struct flow_inst *user = &u->inst[i];
		for (uint32_t k = 0; k < user->operands; k++) {
			const struct flow_operand *o = &u->operand[user->first + k];
			bool access = (user->op == FLOW_LOAD && k == 0)
			    || (user->op == FLOW_STORE && k == 1)
			    || ((user->op == FLOW_COPY || user->op == FLOW_FILL) && k < 2)
			    || (user->op == FLOW_ADDR && k == 0 && !leaks[i]);
			if (o->kind == '%' && !access)
				leaks[o->id - 1] = true;
			else if (o->kind == '&' && !access)
				x->taken[o->id - 1] = true;
		}
	}
	free(leaks);
}

static void index_unit(const struct flow_unit *u, struct unit_index *x)
{
	x->block = zeroed(u->blocks + 1, sizeof *x->block);
	x->func = zeroed(u->funcs + 1, sizeof *x->func);
	x->vars = zeroed(u->funcs + 1, sizeof *x->vars);
	x->crosses = zeroed(u->insts + 1, sizeof *x->crosses);
	x->undefined = zeroed(u->insts + 1, sizeof *x->undefined);
	x->taken = zeroed(u->vars + 1, sizeof *x->taken);
	x->pointer = zeroed(u->insts + 1, sizeof *x->pointer);
	x->access = zeroed(u->insts + 1, sizeof *x->access);
	x->call = zeroed(u->insts + 1, sizeof *x->call);
	memset(x->pointer, -1, u->insts + 1);
	for (uint32_t i = 0; i < u->insts; i++) {
		extend(&x->block[u->inst[i].block - 1], i + 1);
		extend(&x->func[u->block_func[u->inst[i].block - 1] - 1], i + 1);
	}
	for (uint32_t v = 0; v < u->vars; v++)
		if (u->var[v].func)
			extend(&x->vars[u->var[v].func - 1], v + 1);
	for (uint32_t i = (uint32_t)u->accesses; i-- > 0;)
		x->access[u->access[i].inst - 1] = i + 1;
	mark_crossing(u, x);
	mark_taken(u, x);
	prove_find_undefined(u, x);
}

struct unit_index *prove_index(const struct flow *fl, struct alias *a)
{
	struct unit_index *x = zeroed(fl->units, sizeof *x);
	for (size_t i = 0; i < fl->units; i++)
		index_unit(&fl->unit[i], &x[i]);
	for (size_t i = 0; i < alias_calls(a); i++)
		x[alias_call(a, i)->unit].call[alias_call(a, i)->inst - 1] = (uint32_t)i + 1;
	return x;
}

void prove_index_free(const struct flow *fl, struct unit_index *x)
{
	for (size_t i = 0; x && i < fl->units; i++) {
		void *arrays[] = { x[i].block, x[i].func, x[i].vars, x[i].crosses, x[i].undefined,
			x[i].taken, x[i].pointer, x[i].access, x[i].call };
		for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
			free(arrays[k]);
	}
	free(x);
}
