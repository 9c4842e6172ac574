/* stages: loop-free code by one query a goal, short runs, k-induction; what they share. */
#include "lib/prove/inner.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DEEPEST 2                    /* of the induction */
#define LONGEST 64                   /* steps of the short runs */
#define QUIET 5                      /* lengths without anything new that end them */
#define HARD 2000                    /* conflicts of one question that end them: pdr does it with less */

double prove_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void close_output(struct run *r, uint32_t output)
{
	size_t n = 0;
	for (size_t i = 0; i < r->opens; i++)
		if (r->open[i] != output)
			r->open[n++] = r->open[i];
	r->opens = n;
}

static void tell(struct run *r, uint32_t output, enum prove_answer a, const struct prove_proof *why,
                 const struct prove_value *v, size_t n, const char *fmt, va_list ap)
{
	struct prove_verdict verdict = { r->m->output[output].goal, a, NULL, why, v, n };
	char *text;
	if (vasprintf(&text, fmt, ap) < 0)
		abort();
	verdict.evidence = text;
	r->sink->verdict(r->sink->ctx, &verdict);
	r->infeasible += a == PROVE_INFEASIBLE;
	r->reached += v != NULL;
	close_output(r, output);
	free(text);
}

void prove_decide(struct run *r, uint32_t output, enum prove_answer a, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	tell(r, output, a, NULL, NULL, 0, fmt, ap);
	va_end(ap);
}

void prove_proved(struct run *r, uint32_t output, const struct prove_proof *why, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	tell(r, output, PROVE_INFEASIBLE, why, NULL, 0, fmt, ap);
	va_end(ap);
}

void prove_tell_invariant(struct run *r, const expr *clause, size_t n)
{
	char **text = prove_room(n, sizeof *text);
	for (size_t i = 0; i < n; i++)
		text[i] = prove_clause_text(r->m, clause[i]);
	r->sink->invariant(r->sink->ctx, text, n);
	for (size_t i = 0; i < n; i++)
		free(text[i]);
	free(text);
}

static void tell_reached(struct run *r, uint32_t output, const struct prove_value *v, size_t n, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	tell(r, output, PROVE_UNKNOWN, NULL, v, n, fmt, ap);
	va_end(ap);
}

void prove_reached_by(struct run *r, uint32_t output, const struct prove_value *v, size_t steps, const char *stage)
{
	tell_reached(r, output, v, r->m->inputs, "%s: a run to try, %zu step%s", stage, steps, steps == 1 ? "" : "s");
}

/* Each input as it is in the first step that reads it. */
void prove_reached(struct run *r, uint32_t output, struct unroll *u, size_t steps, const char *stage)
{
	struct model *m = r->m;
	struct prove_value *v = prove_room(m->inputs, sizeof *v);
	for (uint32_t i = 0; i < m->inputs; i++) {
		const struct prove_input *in = &m->input[i];
		const lit *l = NULL;
		for (size_t s = 0; s < steps && !l; s++)
			l = blast_var(u->step[s], expr_input_var(m->pool, in->value));
		v[i] = (struct prove_value){ in->name, in->kind, in->width, 0 };
		for (unsigned k = 0; l && k < in->width; k++)
			v[i].value |= (uint64_t)cnf_value(u->cnf, l[k]) << k;
	}
	prove_reached_by(r, output, v, steps, stage);
	free(v);
}

/* Expressions that came out false: no path, or none that simplification leaves. */
void prove_stage_trivial(struct run *r)
{
	static const struct prove_proof why = { .stage = "simplify", .k = 1, .by = "duct" };
	for (size_t i = 0, before = r->opens; i < r->opens; i += r->opens == before, before = r->opens)
		if (prove_never(r->m, r->m->output[r->open[i]].bad))
			prove_proved(r, r->open[i], &why, "simplify: no path");
}

/* Is it reached in this step, from the entry? */
static enum cnf_answer ask(struct run *r, struct unroll *u, size_t step, uint32_t output)
{
	cnf_assume(u->cnf, prove_unroll_lit(u, step, r->m->output[output].bad));
	return cnf_solve(u->cnf, -1, r->deadline);
}

void prove_stage_query(struct run *r)
{
	struct unroll u = prove_unroll(r->m, &r->cone, true);
	const struct prove_proof why = { .stage = "query", .k = 1, .by = cnf_solver() };
	for (size_t i = 0, before = r->opens; i < r->opens; i += r->opens == before, before = r->opens) {
		uint32_t output = r->open[i];
		switch (ask(r, &u, 0, output)) {
		case CNF_SAT:
			prove_reached(r, output, &u, 1, "query");
			break;
		case CNF_UNSAT:
			r->m->output[output].steps = 1;
			if (r->m->cuts == 1)
				prove_proved(r, output, &why, "query: no path, the function is loop-free");
			break;
		default:
			break;
		}
	}
	prove_unroll_free(&u);
}

/* Is one of the open outputs reached in this step? All that the answer reaches are told. */
static enum cnf_answer reach_any(struct run *r, struct unroll *u, size_t step)
{
	uint32_t *found = prove_room(r->opens, sizeof *found);
	lit any = LIT_FALSE;
	size_t n = 0;
	enum cnf_answer a;
	for (size_t i = 0; i < r->opens; i++) {
		lit bad = prove_unroll_lit(u, step, r->m->output[r->open[i]].bad);
		cnf_know(u->cnf, bad);
		any = aig_or(u->g, any, bad);
	}
	cnf_assume(u->cnf, any);
	a = cnf_solve(u->cnf, HARD, r->deadline);
	for (size_t i = 0; i < r->opens && a == CNF_SAT; i++)
		if (cnf_value(u->cnf, prove_unroll_lit(u, step, r->m->output[r->open[i]].bad)))
			found[n++] = r->open[i];
	for (size_t i = 0; i < n; i++)
		prove_reached(r, found[i], u, step + 1, "bmc");
	free(found);
	return a;
}

/* Runs of growing length, as long as longer ones reach more. */
void prove_stage_bmc(struct run *r)
{
	struct unroll u = prove_unroll(r->m, &r->cone, true);
	enum cnf_answer a = CNF_UNSAT;
	unsigned quiet = 0;
	for (size_t s = 0; s < LONGEST && r->opens && quiet < QUIET && a == CNF_UNSAT && prove_now() < r->deadline; s++) {
		size_t before = r->opens;
		do
			a = reach_any(r, &u, s);
		while (a == CNF_SAT);
		quiet = r->opens < before ? 0 : quiet + 1;
		for (size_t i = 0; i < r->opens && a == CNF_UNSAT; i++)
			r->m->output[r->open[i]].steps = (uint32_t)s + 1;
	}
	prove_unroll_free(&u);
}

/* Not reached in the first k steps, and not behind k steps that do not reach it, wherever they begin. */
void prove_stage_induction(struct run *r)
{
	struct unroll base = prove_unroll(r->m, &r->cone, true), step = prove_unroll(r->m, &r->cone, false);
	for (size_t k = 1; k <= DEEPEST && r->opens; k++)
		for (size_t i = 0, before = r->opens; i < r->opens && prove_now() < r->deadline;
		     i += r->opens == before, before = r->opens) {
			uint32_t output = r->open[i];
			enum cnf_answer a = ask(r, &base, k - 1, output);
			if (a == CNF_SAT)
				prove_reached(r, output, &base, k, "induction");
			if (a != CNF_UNSAT)
				continue;
			if (r->m->output[output].steps < k)
				r->m->output[output].steps = (uint32_t)k;
			cnf_assert(base.cnf, lit_not(prove_unroll_lit(&base, k - 1, r->m->output[output].bad)));
			for (size_t s = 0; s < k; s++)
				cnf_assume(step.cnf, lit_not(prove_unroll_lit(&step, s, r->m->output[output].bad)));
			cnf_assume(step.cnf, prove_unroll_lit(&step, k, r->m->output[output].bad));
			if (cnf_solve(step.cnf, -1, r->deadline) == CNF_UNSAT)
				prove_proved(r, output, &(struct prove_proof){ .stage = "induction", .k = (unsigned)k,
				             .by = cnf_solver() }, "induction, k = %zu", k);
		}
	prove_unroll_free(&base);
	prove_unroll_free(&step);
}
