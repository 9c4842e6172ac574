/* growth: finds goals that can be reached only after a counter has overflown, which takes many
 * steps. No step moves a counter far, so each counter is small for a known number of steps; goals
 * that contradict the facts of states with small counters have no path that short. This proves
 * nothing infeasible. */
#include "lib/prove/facts.h"

#include <stdlib.h>

#define START \
	65536            /* that a counter is at most, when control first comes to a loop head \
	                  */
#define MOST_PACE 8      /* the most that one step moves a counter */
#define CONFLICTS 100000 /* of a question */

struct growth {
	struct facts f;
	struct encoding *m;
	uint64_t steps; /* the number of steps for which the counters are small */
	size_t counters;
};

static bool never(struct growth *g, struct ts_unroll *u, expr e)
{
	cnf_assume(u->cnf, ts_unroll_lit(u, 0, e));
	return cnf_solve(u->cnf, CONFLICTS, g->f.r->deadline) == CNF_UNSAT;
}

static void assert_facts(const struct growth *g, struct ts_unroll *u)
{
	for (size_t i = 0; i < g->f.n; i++)
		cnf_assert(u->cnf, ts_unroll_lit(u, 0, ts_fact(&g->m->ts, &g->f.fact[i])));
}

static expr at(struct encoding *m, expr pc, uint64_t cut)
{
	return prove_equal(m, pc, prove_const(m, m->ts.pc_width, cut));
}

/* Extended by two bits, so that a difference does not overflow. */
static expr wide(struct encoding *m, expr e)
{
	return expr_make(m->pool, OP_SEXT, expr_width(m->pool, e) + 2, e, 0, 0);
}

/* Is the extended number less than -most, or more than most? */
static expr beyond(struct encoding *m, expr e, uint64_t most)
{
	unsigned width = expr_width(m->pool, e);
	expr bound = expr_const(m->pool, width, bits_value(bits_cut(most, width)));
	expr minus = expr_const(m->pool, width, bits_value(bits_cut(-(u128)most, width)));
	return prove_or(m, expr_make(m->pool, OP_SLT, 1, bound, e, 0),
	    expr_make(m->pool, OP_SLT, 1, e, minus, 0));
}

/* Is there a step to a loop head, from the entry or from another loop head, that satisfies
 * `what`? */
static expr step_that(struct encoding *m, bool from_entry, expr what)
{
	expr from = at(m, m->ts.pc, 0);
	from = from_entry ? from : expr_not(m->pool, from);
	return prove_and(m, prove_and(m, from, expr_not(m->pool, at(m, m->ts.pc_next, 1))), what);
}

/* The largest number from which a step of this pace does not overflow. */
static uint64_t most_of(const struct ts_slot *s, uint64_t pace)
{
	return (UINT64_C(1) << (s->width - 1)) - 1 - pace;
}

/* The most that a step moves the slot while it does not overflow; 0: more than is useful, or it is
 * not small at first. */
static uint64_t pace_of(struct growth *g, struct ts_unroll *u, const struct ts_slot *s)
{
	struct encoding *m = g->m;
	expr now = wide(m, s->latch), next = wide(m, s->next), moved;
	moved = expr_make(m->pool, OP_SUB, s->width + 2u, next, now, 0);
	if (!never(g, u, step_that(m, true, beyond(m, next, START))))
		return 0;
	for (uint64_t pace = 1; pace <= MOST_PACE; pace *= 2) {
		expr small = expr_not(m->pool, beyond(m, now, most_of(s, pace)));
		if (never(g, u, step_that(m, false, prove_and(m, small, beyond(m, moved, pace)))))
			return pace;
	}
	return 0;
}

/* Assumes that all counters are small, and computes for how many steps that holds. */
static void find_counters(struct growth *g)
{
	struct encoding *m = g->m;
	struct ts_unroll u = ts_unroll(&m->ts, &g->f.r->cone, false);
	expr outside = prove_or(m, at(m, m->ts.pc, 0), at(m, m->ts.pc, 1));
	size_t known = g->f.n;
	assert_facts(g, &u);
	g->steps = UINT32_MAX - 1;
	for (uint32_t i = 0; i < g->f.numbers && !prove_enough(g->f.r); i++) {
		const struct ts_slot *s = &m->ts.slot[g->f.number[i]];
		uint64_t pace = s->width < 32 || g->f.real[i] ? 0 : pace_of(g, &u, s), most;
		if (!pace)
			continue;
		most = most_of(s, pace);
		if ((most - START) / pace < g->steps)
			g->steps = (most - START) / pace;
		prove_suggest_plain(
		    &g->f, outside, expr_not(m->pool, beyond(m, wide(m, s->latch), most)));
	}
	g->counters = g->f.n - known;
	ts_unroll_free(&u);
}

/* Finds the goals that no state with small counters reaches, neither in a step from the entry nor
 * in a later one. */
static void note_goals(struct growth *g)
{
	struct prover *r = g->f.r;
	struct ts_unroll u = ts_unroll(&g->m->ts, &r->cone, false);
	assert_facts(g, &u);
	for (size_t i = 0; i < r->opens && !prove_enough(r); i++) {
		struct output *o = &g->m->output[r->open[i]];
		if (o->steps <= g->steps && never(g, &u, o->bad)) {
			o->steps = (uint32_t)g->steps + 1;
			o->distant = true;
		}
	}
	ts_unroll_free(&u);
}

static double until(const struct prover *r)
{
	return clock_now() + (r->deadline - clock_now()) / 2;
}

void prove_stage_growth(struct prover *r)
{
	struct growth g = { .m = r->m };
	if (r->proofs_only)
		return;
	prove_facts_begin(&g.f, r);
	prove_facts_round(&g.f, prove_suggest_numbers, until(r));
	find_counters(&g);
	if (g.counters && !prove_enough(r)) {
		prove_facts_round(&g.f, prove_suggest_numbers, until(r));
		prove_facts_round(&g.f, prove_suggest_definitions, until(r));
		note_goals(&g);
	}
	prove_facts_free(&g.f);
}
