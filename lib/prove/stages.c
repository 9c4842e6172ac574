/* stages: loop-free code by one query for each goal, short runs, k-induction, and what these have
 * in common. */
#include "lib/prove/inner.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 2  /* of the induction */
#define LONGEST 64 /* steps of the short runs */
#define QUIET 5    /* the stage ends after so many lengths that reach nothing new */
#define HARD 2000  /* and when one query has so many conflicts: pdr needs fewer */
#define MOST_HARD 20000

expr *prove_open_conditions(const struct prover *r)
{
	expr *bad = zeroed(r->opens, sizeof *bad);
	for (size_t i = 0; i < r->opens; i++)
		bad[i] = r->m->output[r->open[i]].bad;
	return bad;
}

void prove_cut_cone(struct prover *r)
{
	expr *bad = prove_open_conditions(r);
	ts_cone_free(&r->cone);
	prove_forget_choices(r);
	r->cone = ts_cone(&r->m->ts, bad, r->opens);
	free(bad);
}

static void close_output(struct prover *r, uint32_t output)
{
	size_t n = 0;
	for (size_t i = 0; i < r->opens; i++)
		if (r->open[i] != output)
			r->open[n++] = r->open[i];
	r->opens = n;
}

void prove_announce(struct prover *r)
{
	if (r->announce)
		r->announce(r);
	r->announce = NULL;
}

static void tell(struct prover *r, uint32_t output, enum prove_answer a,
    const struct prove_proof *why, const struct witness *w, const char *fmt, va_list ap)
{
	struct prove_verdict verdict = {
		.goal = r->m->output[output].goal, .answer = a, .proof = why
	};
	char *text = formatted_list(fmt, ap);
	if (w) {
		verdict.value = w->v;
		verdict.values = w->n;
		verdict.choice = w->choice;
		verdict.choices = w->choices;
	}
	if (a == PROVE_INFEASIBLE && r->limits) { /* within them alone */
		char *proof = text;
		text = formatted("limits: %s; proved within them by %s%s", r->limits, proof,
		    r->cut ? "; time limit reached without them" : "");
		free(proof);
		verdict.answer = a = PROVE_UNKNOWN;
		verdict.proof = NULL;
	}
	verdict.evidence = text;
	if (r->proposes ? w != NULL : a == PROVE_INFEASIBLE || !r->proofs_only) {
		prove_announce(r);
		r->sink->verdict(r->sink->ctx, &verdict);
	}
	if (r->proposes ? w != NULL : a == PROVE_INFEASIBLE)
		*PUSH(r->proved, r->proofs) = output;
	r->reached += a == PROVE_UNKNOWN && w && w->v;
	close_output(r, output);
	free(text);
}

void prove_decide(struct prover *r, uint32_t output, enum prove_answer a, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	tell(r, output, a, NULL, NULL, fmt, ap);
	va_end(ap);
}

void prove_proved(
    struct prover *r, uint32_t output, const struct prove_proof *why, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	tell(r, output, PROVE_INFEASIBLE, why, NULL, fmt, ap);
	va_end(ap);
}

void prove_tell_invariant(struct prover *r, const expr *clause, size_t n)
{
	char **text = zeroed(n, sizeof *text);
	prove_announce(r);
	for (size_t i = 0; i < n; i++)
		text[i] = ts_clause_text(&r->m->ts, clause[i]);
	r->sink->invariant(r->sink->ctx, text, n);
	for (size_t i = 0; i < n; i++)
		free(text[i]);
	free(text);
}

static void tell_reached(
    struct prover *r, uint32_t output, const struct witness *w, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	tell(r, output, PROVE_UNKNOWN, NULL, w, fmt, ap);
	va_end(ap);
}

void prove_reached_by(
    struct prover *r, uint32_t output, struct witness *w, size_t steps, const char *stage)
{
	prove_witness_trim(w);
	tell_reached(
	    r, output, w, "%s: a run to try, %zu step%s", stage, steps, steps == 1 ? "" : "s");
}

void prove_reached(
    struct prover *r, uint32_t output, struct ts_unroll *u, size_t steps, const char *stage)
{
	struct witness w = prove_witness(r, u, steps);
	prove_reached_by(r, output, &w, steps, stage);
	prove_witness_free(&w);
}

/* Closes goals whose condition simplified to false: no path leads to them. */
void prove_stage_trivial(struct prover *r)
{
	static const struct prove_proof why = { .stage = "simplify", .k = 1, .by = "duct" };
	for (size_t i = 0, before = r->opens; i < r->opens;
	    i += r->opens == before, before = r->opens)
		if (prove_never(r->m, r->m->output[r->open[i]].bad))
			prove_proved(r, r->open[i], &why, "simplify: no path");
}

/* Is the goal reached in this step, from the entry? */
static enum cnf_answer ask(struct prover *r, struct ts_unroll *u, size_t step, uint32_t output)
{
	cnf_assume(u->cnf, ts_unroll_lit(u, step, r->m->output[output].bad));
	return cnf_solve(u->cnf, -1, r->deadline);
}

void prove_stage_query(struct prover *r)
{
	struct ts_unroll u = ts_unroll(&r->m->ts, &r->cone, true);
	const struct prove_proof why = { .stage = "query", .k = 1, .by = cnf_solver() };
	for (size_t i = 0, before = r->opens; i < r->opens;
	    i += r->opens == before, before = r->opens) {
		uint32_t output = r->open[i];
		switch (ask(r, &u, 0, output)) {
		case CNF_SAT: prove_reached(r, output, &u, 1, "query"); break;
		case CNF_UNSAT:
			r->m->output[output].steps = 1;
			if (r->m->ts.cuts == 1)
				prove_proved(
				    r, output, &why, "query: no path, the function is loop-free");
			break;
		default: break;
		}
	}
	ts_unroll_free(&u);
}

/* Is one of the open outputs reached in this step? Reports all outputs that the answer reaches. */
static enum cnf_answer reach_any(
    struct prover *r, struct ts_unroll *u, size_t step, const char *stage, int conflicts)
{
	uint32_t *found = zeroed(r->opens, sizeof *found);
	lit any = LIT_FALSE;
	size_t n = 0;
	enum cnf_answer a;
	for (size_t i = 0; i < r->opens; i++) {
		lit bad = ts_unroll_lit(u, step, r->m->output[r->open[i]].bad);
		cnf_know(u->cnf, bad);
		any = aig_or(u->g, any, bad);
	}
	cnf_assume(u->cnf, any);
	a = cnf_solve(u->cnf, conflicts, r->deadline);
	for (size_t i = 0; i < r->opens && a == CNF_SAT; i++)
		if (cnf_value(u->cnf, ts_unroll_lit(u, step, r->m->output[r->open[i]].bad)))
			found[n++] = r->open[i];
	if (n) {
		struct witness w = prove_witness(r, u, step + 1);
		for (size_t i = 0; i < n; i++)
			prove_reached_by(r, found[i], &w, step + 1, stage);
		prove_witness_free(&w);
	}
	free(found);
	return a;
}

/* Tries runs of growing length, as long as longer ones reach more. */
void prove_stage_bmc(struct prover *r)
{
	struct ts_unroll u = ts_unroll(&r->m->ts, &r->cone, true);
	enum cnf_answer a = CNF_UNSAT;
	unsigned quiet = 0;
	for (size_t s = 0;
	    s < LONGEST && r->opens && quiet < QUIET && a == CNF_UNSAT && clock_now() < r->deadline;
	    s++) {
		size_t before = r->opens;
		do
			a = reach_any(r, &u, s, "bmc", r->proposes ? MOST_HARD : HARD);
		while (a == CNF_SAT);
		quiet = r->opens < before ? 0 : quiet + 1;
		for (size_t i = 0; i < r->opens && a == CNF_UNSAT; i++)
			r->m->output[r->open[i]].steps = (uint32_t)s + 1;
	}
	ts_unroll_free(&u);
}

/* Is there a run from the entry that has not ended before this step? */
static enum cnf_answer goes_on(struct prover *r, struct ts_unroll *u, size_t step)
{
	struct encoding *m = r->m;
	cnf_assume(u->cnf,
	    ts_unroll_lit(u, step,
	        expr_not(m->pool, prove_equal(m, m->ts.pc, prove_const(m, m->ts.pc_width, 1)))));
	return cnf_solve(u->cnf, -1, r->deadline);
}

/* Tries runs of growing length until no longer run exists: goals that were not reached then are
 * infeasible. */
static void bound(struct prover *r, unsigned most, int conflicts)
{
	struct ts_unroll u = ts_unroll(&r->m->ts, &r->cone, true);
	enum cnf_answer more = CNF_SAT;
	for (unsigned k = 1; k <= most && r->opens && more == CNF_SAT && !prove_enough(r); k++) {
		const struct prove_proof why = { .stage = "bounded", .k = k, .by = cnf_solver() };
		enum cnf_answer a;
		while ((a = reach_any(r, &u, k - 1, "bounded", conflicts)) == CNF_SAT)
			;
		more = a == CNF_UNSAT ? goes_on(r, &u, k) : CNF_UNKNOWN;
		for (size_t i = 0; i < r->opens && a == CNF_UNSAT; i++)
			if (r->m->output[r->open[i]].steps < k)
				r->m->output[r->open[i]].steps = k;
		while (r->opens && more == CNF_UNSAT)
			prove_proved(
			    r, r->open[0], &why, "bounded: every run ends, none gets there");
	}
	ts_unroll_free(&u);
}

/* If simulated runs were short, perhaps all runs are; gives up when one run is twice as long. */
void prove_stage_short(struct prover *r)
{
	if (r->longest && 2 * r->longest < LONGEST)
		bound(r, 2 * (unsigned)r->longest + 2, MOST_HARD);
}

void prove_stage_bounded(struct prover *r)
{
	bound(r, LONGEST, -1);
}

/* ---- many goals at once */

struct suspects {
	const struct encoding *m;
	uint32_t *output;
	bool *gone;
	size_t n;
};

/* Collects the open goals: only outcomes, or also pairs. */
static struct suspects suspect(const struct prover *r, bool outcomes)
{
	struct suspects s = { r->m, zeroed(r->opens, sizeof *s.output), zeroed(r->opens, 1), 0 };
	for (size_t i = 0; i < r->opens; i++)
		if (!outcomes || r->m->output[r->open[i]].goal & PROVE_OUTCOME)
			s.output[s.n++] = r->open[i];
	return s;
}

static void free_suspects(struct suspects *s)
{
	free(s->output);
	free(s->gone);
}

/* A literal for "one of them is reached in this step", built as a balanced tree. */
static lit any_of(
    struct ts_unroll *u, const struct suspects *s, size_t step, size_t from, size_t to)
{
	size_t mid = (from + to) / 2;
	if (to - from > 1)
		return aig_or(u->g, any_of(u, s, step, from, mid), any_of(u, s, step, mid, to));
	return from == to || s->gone[from]
	    ? LIT_FALSE
	    : ts_unroll_lit(u, step, s->m->output[s->output[from]].bad);
}

/* Drops the suspects that can be reached in this step under `when` while none of the others is
 * reached in the steps before; repeats this until there is no such suspect. False when the time or
 * the conflicts did not suffice. */
static bool drop_reached(
    struct ts_unroll *u, struct suspects *s, size_t before, size_t step, lit when, double until)
{
	for (;;) {
		enum cnf_answer a;
		for (size_t i = 0; i < s->n; i++)
			if (!s->gone[i])
				cnf_know(
				    u->cnf, ts_unroll_lit(u, step, s->m->output[s->output[i]].bad));
		for (size_t k = 0; k < before; k++)
			cnf_assume(u->cnf, lit_not(any_of(u, s, k, 0, s->n)));
		cnf_assume(u->cnf, when);
		cnf_assume(u->cnf, any_of(u, s, step, 0, s->n));
		if ((a = cnf_solve(u->cnf, -1, until)) != CNF_SAT)
			return a == CNF_UNSAT;
		for (size_t i = 0; i < s->n; i++)
			s->gone[i] |= cnf_value(
			    u->cnf, ts_unroll_lit(u, step, s->m->output[s->output[i]].bad));
	}
}

/* Are the suspects unreachable after k steps that reach none of them, and unreachable in the first
 * k steps? Suspects for which this fails are dropped until it holds for the rest. */
static bool induct(struct ts_unroll *base, struct ts_unroll *step, struct suspects *s, size_t k,
    lit entry, double until)
{
	for (size_t i = 0; i < k; i++)
		if (!drop_reached(base, s, 0, i, entry, until))
			return false;
	return drop_reached(step, s, k, k, LIT_TRUE, until);
}

static void tell_proved(struct prover *r, const struct suspects *s, const struct prove_proof *why,
    const expr *fact, size_t n)
{
	bool told = !why->invariant;
	for (size_t i = 0; i < s->n; i++) {
		if (s->gone[i])
			continue;
		if (!told)
			prove_tell_invariant(r, fact, n);
		told = true;
		if (why->invariant)
			prove_proved(r, s->output[i], why, "%s: %zu of loop heads, inductive",
			    why->stage, n);
		else
			prove_proved(r, s->output[i], why, "%s, k = %u", why->stage, why->k);
	}
}

struct induction {
	struct ts_unroll *base, *step;
	lit entry;
	const struct prove_proof *why;
	const expr *fact;
	size_t n;
};

/* All suspects together, for half of the time; if that takes too long, one by one. */
static void induct_these(struct prover *r, const struct induction *by, struct suspects s)
{
	const struct prove_proof *why = by->why;
	bool done = induct(by->base, by->step, &s, why->k, by->entry,
	    clock_now() + (r->deadline - clock_now()) / 2);
	if (done)
		tell_proved(r, &s, why, by->fact, by->n);
	for (size_t i = 0; i < s.n && !done && !prove_enough(r); i++) {
		bool gone = false;
		struct suspects one = { r->m, &s.output[i], &gone, 1 };
		if (induct(by->base, by->step, &one, why->k, by->entry, r->deadline))
			tell_proved(r, &one, why, by->fact, by->n);
	}
	free_suspects(&s);
}

/* Outcomes come first: they are few, and many pairs depend on one. */
static void induct_all(struct prover *r, const struct induction *by)
{
	induct_these(r, by, suspect(r, true));
	if (r->opens && !prove_enough(r))
		induct_these(r, by, suspect(r, false));
}

void prove_stage_induction(struct prover *r)
{
	struct ts_unroll base = ts_unroll(&r->m->ts, &r->cone, true),
	                 step = ts_unroll(&r->m->ts, &r->cone, false);
	for (unsigned k = 1; k <= DEEPEST && r->opens && !prove_enough(r); k++) {
		enum cnf_answer a;
		while ((a = reach_any(r, &base, k - 1, "induction", -1)) == CNF_SAT
		    && !prove_enough(r))
			;
		for (size_t i = 0; i < r->opens && a == CNF_UNSAT; i++)
			if (r->m->output[r->open[i]].steps < k)
				r->m->output[r->open[i]].steps = k;
		induct_all(r,
		    &(struct induction){ &base, &step, LIT_TRUE,
		        &(struct prove_proof){ .stage = "induction", .k = k, .by = cnf_solver() },
		        NULL, 0 });
	}
	ts_unroll_free(&base);
	ts_unroll_free(&step);
}

/* Tries each goal alone, in one step from any state within the facts: most goals that contradict
 * the facts do so in such a step. `u` has no other steps yet. */
static void contradict(struct prover *r, struct ts_unroll *u, const struct induction *by)
{
	struct suspects s = suspect(r, false);
	bool *asked = zeroed(s.n, 1);
	for (size_t i = 0; i < s.n; i++)
		cnf_know(u->cnf, ts_unroll_lit(u, 0, r->m->output[s.output[i]].bad));
	for (size_t i = 0; i < s.n && !prove_enough(r); i++) {
		enum cnf_answer a;
		if (s.gone[i])
			continue;
		asked[i] = true;
		cnf_assume(u->cnf, ts_unroll_lit(u, 0, r->m->output[s.output[i]].bad));
		a = cnf_solve(u->cnf, -1, r->deadline);
		s.gone[i] = a != CNF_UNSAT;
		for (size_t k = i + 1; k < s.n && a == CNF_SAT; k++)
			s.gone[k] |=
			    cnf_value(u->cnf, ts_unroll_lit(u, 0, r->m->output[s.output[k]].bad));
	}
	for (size_t i = 0; i < s.n; i++)
		s.gone[i] |= !asked[i];
	tell_proved(r, &s, by->why, by->fact, by->n);
	free_suspects(&s);
	free(asked);
}

void prove_conclude(struct prover *r, const char *stage, const expr *fact, size_t n)
{
	struct encoding *m = r->m;
	struct ts_unroll u = ts_unroll(&m->ts, &r->cone, false);
	lit entry =
	    ts_unroll_lit(&u, 0, prove_equal(m, m->ts.pc, prove_const(m, m->ts.pc_width, 0)));
	const struct prove_proof why = {
		.stage = stage, .k = 1, .invariant = true, .by = cnf_solver()
	};
	const struct induction by = { &u, &u, entry, &why, fact, n };
	for (size_t i = 0; i < n; i++)
		cnf_assert(u.cnf, ts_unroll_lit(&u, 0, fact[i]));
	contradict(r, &u, &by);
	for (size_t i = 0; i < n; i++)
		cnf_assert(u.cnf, ts_unroll_lit(&u, 1, fact[i]));
	if (r->opens && !prove_enough(r))
		induct_all(r, &by);
	ts_unroll_free(&u);
}
