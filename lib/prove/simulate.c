/* simulate: runs of the system on drawn inputs, which suggest facts. */
#include "lib/prove/inner.h"

#include <stdlib.h>

static uint64_t draw(struct simulator *s)
{
	s->seed ^= s->seed << 13;
	s->seed ^= s->seed >> 7;
	s->seed ^= s->seed << 17;
	return s->seed;
}

static void add_constant(struct simulator *s, uint64_t c)
{
	for (unsigned i = 0; i < s->constants; i++)
		if (s->constant[i] == c)
			return;
	if (s->constants < MOST_CONSTANTS)
		s->constant[s->constants++] = c;
}

struct simulator prove_simulator(struct run *r)
{
	struct model *m = r->m;
	struct simulator s = {
		.r = r, .seed = 88172645463325252u, .state = prove_room(m->slots, sizeof *s.state)
	};
	struct value v;
	for (expr e = 1; e < expr_count(m->pool) && s.constants < MOST_CONSTANTS; e++) {
		enum op op = expr_op(m->pool, e);
		for (int k = 0; k < 2 && (op == OP_ULT || op == OP_SLT || op == OP_EQ); k++)
			if (expr_is_const(m->pool, expr_operand(m->pool, e, k), &v)
			    && expr_width(m->pool, expr_operand(m->pool, e, k)) >= 16)
				add_constant(&s, v.lo);
	}
	return s;
}

void prove_simulator_free(struct simulator *s)
{
	free(s->state);
	free(s->a.v);
	free(s->a.set);
}

struct value prove_draw(struct simulator *s, unsigned width)
{
	uint64_t how = draw(s) % 8, v = draw(s);
	if (how < 4)
		v = v % 12 - 3;
	else if (how < 6 && s->constants)
		v = s->constant[v % s->constants] + draw(s) % 3 - 1;
	else if (how < 7)
		v %= 200;
	return bits_value(bits_cut(v, width));
}

uint64_t prove_draw_any(struct simulator *s)
{
	return draw(s);
}

struct value prove_draw_small(struct simulator *s, unsigned width)
{
	uint64_t how = draw(s) % 8, v = draw(s);
	v = how > 5 && s->constants ? s->constant[v % s->constants] : v % (how < 4 ? 16 : 256);
	return bits_value(bits_cut(v, width));
}

void prove_simulate_from(struct simulator *s, uint64_t pc, size_t steps,
    bool (*step)(void *ctx, const struct simulator *s, size_t step, uint64_t pc), void *ctx)
{
	struct model *m = s->r->m;
	const struct cone *c = &s->r->cone;
	for (size_t t = 0; t < steps && pc != 1 && prove_now() < s->r->deadline; t++) {
		assignment_set(&s->a, expr_input_var(m->pool, m->pc), bits_value(pc));
		for (uint32_t i = 0; i < c->slots; i++)
			assignment_set(&s->a, expr_input_var(m->pool, m->slot[c->slot[i]].latch),
			    s->state[c->slot[i]]);
		for (uint32_t i = 0; i < c->vars; i++)
			assignment_set(
			    &s->a, c->var[i], prove_draw(s, expr_var_width(m->pool, c->var[i])));
		expr_eval_start(m->pool, &s->a);
		if (!step(ctx, s, t, pc))
			return;
		pc = expr_eval_next(m->pool, m->pc_next).lo;
		for (uint32_t i = 0; i < c->slots; i++)
			s->state[c->slot[i]] = expr_eval_next(m->pool, m->slot[c->slot[i]].next);
	}
}

void prove_simulate(struct simulator *s, size_t steps,
    bool (*step)(void *ctx, const struct simulator *s, size_t step, uint64_t pc), void *ctx)
{
	const struct cone *c = &s->r->cone;
	for (uint32_t i = 0; i < c->slots; i++)
		s->state[c->slot[i]] = (struct value){ 0, 0 };
	prove_simulate_from(s, 0, steps, step, ctx);
}
