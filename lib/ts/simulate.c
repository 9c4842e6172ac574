/* simulate: runs of the system on drawn inputs, which suggest facts. */
#include "lib/ts/ts.h"

#include "lib/base/clock.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

static uint64_t draw(struct ts_simulator *s)
{
	s->seed ^= s->seed << 13;
	s->seed ^= s->seed >> 7;
	s->seed ^= s->seed << 17;
	return s->seed;
}

static void add_constant(struct ts_simulator *s, uint64_t c)
{
	for (unsigned i = 0; i < s->constants; i++)
		if (s->constant[i] == c)
			return;
	if (s->constants < TS_MOST_CONSTANTS)
		s->constant[s->constants++] = c;
}

struct ts_simulator ts_simulator(const struct ts *t, const struct ts_cone *cone, double deadline)
{
	struct ts_simulator s = { .t = t,
		.cone = cone,
		.deadline = deadline,
		.seed = 88172645463325252u,
		.state = zeroed(t->slots, sizeof *s.state) };
	struct value v;
	for (expr e = 1; e < expr_count(t->pool) && !(s.constants == TS_MOST_CONSTANTS && s.floats);
	    e++) {
		enum op op = expr_op(t->pool, e);
		bool compares =
		    op == OP_ULT || op == OP_SLT || op == OP_EQ || op == OP_FLT || op == OP_FLE;
		s.floats |= op_is_float(op);
		for (int k = 0; k < 2 && compares; k++)
			if (expr_is_const(t->pool, expr_operand(t->pool, e, k), &v)
			    && expr_width(t->pool, expr_operand(t->pool, e, k)) >= 16)
				add_constant(&s, v.lo);
	}
	return s;
}

void ts_simulator_free(struct ts_simulator *s)
{
	free(s->state);
	free(s->a.v);
	free(s->a.set);
}

/* A number of few quarters, or any. */
static uint64_t draw_float(struct ts_simulator *s, unsigned width)
{
	uint64_t v = draw(s), bits = v;
	float f = (float)((int)(v >> 8 & 63) - 24) / 4;
	double d = v >> 16 & 1 ? (double)f : (double)(int32_t)(v >> 32);
	if (v % 8 && width == 32)
		f = v >> 16 & 1 ? f : (float)(int32_t)(v >> 32), memcpy(&bits, &f, sizeof f),
		bits &= UINT32_MAX;
	else if (v % 8)
		memcpy(&bits, &d, sizeof d);
	return bits;
}

/* The least number, the greatest, or -1. */
static uint64_t draw_extreme(uint64_t v, unsigned width)
{
	uint64_t least = width && width <= 64 ? UINT64_C(1) << (width - 1) : 0;
	return v % 4 == 3 ? UINT64_MAX : least - v % 2;
}

struct value ts_draw(struct ts_simulator *s, unsigned width)
{
	uint64_t how = draw(s) % 8, v = draw(s);
	if (s->floats && (width == 32 || width == 64) && draw(s) % 3 == 0)
		v = draw_float(s, width);
	else if (how < 4)
		v = v % 12 - 3;
	else if (how < 6 && s->constants)
		v = s->constant[v % s->constants] + draw(s) % 3 - 1;
	else if (how < 7)
		v %= 200;
	return bits_value(bits_cut(v, width));
}

struct value ts_draw_wide(struct ts_simulator *s, unsigned width)
{
	return draw(s) & 1 ? bits_value(bits_cut(draw_extreme(draw(s), width), width))
	                   : ts_draw(s, width);
}

uint64_t ts_draw_any(struct ts_simulator *s)
{
	return draw(s);
}

struct value ts_draw_small(struct ts_simulator *s, unsigned width)
{
	uint64_t how = draw(s) % 8, v = draw(s);
	v = how > 5 && s->constants ? s->constant[v % s->constants] : v % (how < 4 ? 16 : 256);
	return bits_value(bits_cut(v, width));
}

void ts_simulate_from(struct ts_simulator *s, uint64_t pc, size_t steps,
    bool (*step)(void *ctx, const struct ts_simulator *s, size_t step, uint64_t pc), void *ctx)
{
	const struct ts *t = s->t;
	const struct ts_cone *c = s->cone;
	for (size_t at = 0; at < steps && pc != 1 && clock_now() < s->deadline; at++) {
		assignment_set(&s->a, expr_input_var(t->pool, t->pc), bits_value(pc));
		for (uint32_t i = 0; i < c->slots; i++)
			assignment_set(&s->a, expr_input_var(t->pool, t->slot[c->slot[i]].latch),
			    s->state[c->slot[i]]);
		for (uint32_t i = 0; i < c->vars; i++)
			assignment_set(&s->a, c->var[i],
			    (s->wide ? ts_draw_wide : ts_draw)(
			        s, expr_var_width(t->pool, c->var[i])));
		expr_eval_start(t->pool, &s->a);
		if (!step(ctx, s, at, pc))
			return;
		pc = expr_eval_next(t->pool, t->pc_next).lo;
		for (uint32_t i = 0; i < c->slots; i++)
			s->state[c->slot[i]] = expr_eval_next(t->pool, t->slot[c->slot[i]].next);
	}
}

void ts_simulate(struct ts_simulator *s, size_t steps,
    bool (*step)(void *ctx, const struct ts_simulator *s, size_t step, uint64_t pc), void *ctx)
{
	const struct ts_cone *c = s->cone;
	for (uint32_t i = 0; i < c->slots; i++)
		s->state[c->slot[i]] = (struct value){ 0, 0 };
	ts_simulate_from(s, 0, steps, step, ctx);
}
