/* unroll: what the outputs depend on, and the system step after step as clauses. */
#include "lib/prove/inner.h"

#include <stdlib.h>
#include <string.h>

struct marks {
	struct model *m;
	uint8_t *seen, *slot;
	expr *todo;
	size_t n;
	uint32_t *slot_of;
	struct cone c;
};

static void visit(struct marks *k, expr e)
{
	if (e && !k->seen[e]) {
		k->seen[e] = 1;
		*PUSH(k->todo, k->n) = e;
	}
}

static void visit_var(struct marks *k, uint32_t var)
{
	uint32_t slot = k->slot_of[var];
	if (slot == NONE) {
		*PUSH(k->c.var, k->c.vars) = var;
	} else if (!k->slot[slot]) {
		k->slot[slot] = 1;
		*PUSH(k->c.slot, k->c.slots) = slot;
		visit(k, k->m->slot[slot].next);
	}
}

struct cone prove_cone(struct model *m, const uint32_t *output, size_t n)
{
	struct marks k = { .m = m };
	uint32_t vars = expr_var_count(m->pool), pc = expr_input_var(m->pool, m->pc);
	k.seen = prove_room(expr_count(m->pool) + 1, 1);
	k.slot = prove_room(m->slots, 1);
	k.slot_of = prove_room(vars, sizeof *k.slot_of);
	memset(k.slot_of, -1, vars * sizeof *k.slot_of);
	for (uint32_t i = 0; i < m->slots; i++)
		k.slot_of[expr_input_var(m->pool, m->slot[i].latch)] = i;
	visit(&k, m->pc_next);
	for (size_t i = 0; i < n; i++)
		visit(&k, m->output[output[i]].bad);
	while (k.n) {
		expr e = k.todo[--k.n];
		uint32_t var =
		    expr_op(m->pool, e) == OP_INPUT ? expr_input_var(m->pool, e) : UINT32_MAX;
		if (var != UINT32_MAX && var != pc)
			visit_var(&k, var);
		for (int i = 0; i < op_arity(expr_op(m->pool, e)); i++)
			visit(&k, expr_operand(m->pool, e, i));
	}
	free(k.seen);
	free(k.slot);
	free(k.slot_of);
	free(k.todo);
	return k.c;
}

void prove_cone_free(struct cone *c)
{
	free(c->slot);
	free(c->var);
	*c = (struct cone){ 0 };
}

struct unroll prove_unroll(struct model *m, const struct cone *c, bool from_entry)
{
	struct unroll u = { m, c, aig_new(), NULL, NULL, 0 };
	lit pc[32];
	u.cnf = cnf_new(u.g);
	*PUSH(u.step, u.steps) = blast_new(m->pool, u.g);
	if (from_entry)
		blast_const(m->pc_width, bits_value(0), pc);
	else
		blast_inputs(u.g, m->pc_width, pc);
	blast_bind(u.step[0], expr_input_var(m->pool, m->pc), pc);
	return u;
}

void prove_unroll_step(struct unroll *u)
{
	struct model *m = u->m;
	struct blast *from = u->step[u->steps - 1], *to = blast_new(m->pool, u->g);
	for (uint32_t i = 0; i < u->cone->slots; i++) {
		const struct slot *s = &m->slot[u->cone->slot[i]];
		blast_bind(to, expr_input_var(m->pool, s->latch), blast_expr(from, s->next));
	}
	blast_bind(to, expr_input_var(m->pool, m->pc), blast_expr(from, m->pc_next));
	*PUSH(u->step, u->steps) = to;
}

lit prove_unroll_lit(struct unroll *u, size_t step, expr e)
{
	while (u->steps <= step)
		prove_unroll_step(u);
	return *blast_expr(u->step[step], e);
}

void prove_unroll_free(struct unroll *u)
{
	for (size_t i = 0; i < u->steps; i++)
		blast_free(u->step[i]);
	free(u->step);
	cnf_free(u->cnf);
	aig_free(u->g);
}
