/* unroll: what conditions depend on, and the system step after step as clauses. */
#include "lib/ts/ts.h"

#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

struct marks {
	const struct ts *t;
	uint8_t *seen, *slot;
	expr *todo;
	size_t n;
	uint32_t *slot_of;
	struct ts_cone c;
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
	if (slot == UINT32_MAX) {
		*PUSH(k->c.var, k->c.vars) = var;
	} else if (!k->slot[slot]) {
		k->slot[slot] = 1;
		*PUSH(k->c.slot, k->c.slots) = slot;
		visit(k, k->t->slot[slot].next);
	}
}

struct ts_cone ts_cone(const struct ts *t, const expr *bad, size_t n)
{
	struct marks k = { .t = t };
	uint32_t vars = expr_var_count(t->pool), pc = expr_input_var(t->pool, t->pc);
	k.seen = zeroed(expr_count(t->pool) + 1, 1);
	k.slot = zeroed(t->slots, 1);
	k.slot_of = zeroed(vars, sizeof *k.slot_of);
	memset(k.slot_of, -1, vars * sizeof *k.slot_of);
	for (uint32_t i = 0; i < t->slots; i++)
		k.slot_of[expr_input_var(t->pool, t->slot[i].latch)] = i;
	visit(&k, t->pc_next);
	for (size_t i = 0; i < n; i++)
		visit(&k, bad[i]);
	while (k.n) {
		expr e = k.todo[--k.n];
		uint32_t var =
		    expr_op(t->pool, e) == OP_INPUT ? expr_input_var(t->pool, e) : UINT32_MAX;
		if (var != UINT32_MAX && var != pc)
			visit_var(&k, var);
		for (int i = 0; i < op_arity(expr_op(t->pool, e)); i++)
			visit(&k, expr_operand(t->pool, e, i));
	}
	free(k.seen);
	free(k.slot);
	free(k.slot_of);
	free(k.todo);
	return k.c;
}

void ts_cone_free(struct ts_cone *c)
{
	free(c->slot);
	free(c->var);
	*c = (struct ts_cone){ 0 };
}

struct ts_unroll ts_unroll(const struct ts *t, const struct ts_cone *c, bool from_entry)
{
	struct ts_unroll u = { t, c, aig_new(), NULL, NULL, 0 };
	lit pc[32];
	u.cnf = cnf_new(u.g);
	*PUSH(u.step, u.steps) = blast_new(t->pool, u.g);
	if (from_entry)
		blast_const(t->pc_width, bits_value(0), pc);
	else
		blast_inputs(u.g, t->pc_width, pc);
	blast_bind(u.step[0], expr_input_var(t->pool, t->pc), pc);
	return u;
}

void ts_unroll_step(struct ts_unroll *u)
{
	const struct ts *t = u->t;
	struct blast *from = u->step[u->steps - 1], *to = blast_new(t->pool, u->g);
	for (uint32_t i = 0; i < u->cone->slots; i++) {
		const struct ts_slot *s = &t->slot[u->cone->slot[i]];
		blast_bind(to, expr_input_var(t->pool, s->latch), blast_expr(from, s->next));
	}
	blast_bind(to, expr_input_var(t->pool, t->pc), blast_expr(from, t->pc_next));
	*PUSH(u->step, u->steps) = to;
}

lit ts_unroll_lit(struct ts_unroll *u, size_t step, expr e)
{
	while (u->steps <= step)
		ts_unroll_step(u);
	return *blast_expr(u->step[step], e);
}

void ts_unroll_free(struct ts_unroll *u)
{
	for (size_t i = 0; i < u->steps; i++)
		blast_free(u->step[i]);
	free(u->step);
	cnf_free(u->cnf);
	aig_free(u->g);
}
