/* check: re-verifies stored proofs with other solvers. The encoding is built again, and queries are
 * made on words instead of bits; only the invariant's text and k are taken from the proof. First
 * the latches may have any value at the entry. If the proof fails so, it is tried with latches that
 * are 0 at the entry, as the stages assume it: an invariant may mention latches of activations that
 * have not begun. */
#include "lib/engine/certify.h"
#include "lib/base/grow.h"
#include "lib/engine/engine.h"
#include "lib/prove/inner.h"

#include <stdlib.h>
#include <string.h>

#define QUERY 60.0 /* seconds */
#define CERTIFY 20.0

struct invariant_check;
struct unrolled_step {
	struct invariant_check *c;
	size_t number;
	struct rewrite words;
};

/* A check of claims that share invariant and k. */
struct invariant_check {
	struct prover *r;
	struct encoding *m;
	struct unrolled_step **step;
	size_t steps; /* from 1 */
	expr *clause;
	size_t clauses;
	bool *mine; /* by variable: a latch, or pc */
	expr *next; /* likewise: its next */
	uint32_t vars;
	bool zeros;         /* are all latches 0 at the entry? */
	bool open;          /* a query that the result depends on was not answered */
	bool differ;        /* one solver said unsat, and another one found a solution */
	const char *solver; /* that answered last */
};

static expr at(struct invariant_check *c, expr e, size_t step);

/* Maps a latch to its value after the previous step; other variables are fresh in each step. */
static expr leaf(struct rewrite *words, expr e, void *ctx)
{
	struct unrolled_step *s = ctx;
	struct encoding *m = s->c->m;
	uint32_t var = expr_input_var(m->pool, e);
	char *name;
	(void)words;
	if (var == UINT32_MAX)
		return e;
	if (var < s->c->vars && s->c->mine[var])
		return at(s->c, s->c->next[var], s->number - 1);
	name = formatted("%s@%zu", expr_var_name(m->pool, var), s->number);
	e = expr_input(m->pool,
	    expr_var(m->pool, name, expr_var_kind(m->pool, var), expr_var_width(m->pool, var)));
	free(name);
	return e;
}

static expr at(struct invariant_check *c, expr e, size_t step)
{
	while (c->steps < step) {
		struct unrolled_step *s = zeroed(1, sizeof *s);
		*s = (struct unrolled_step){ c, c->steps + 1,
			{ .p = c->m->pool, .leaf = leaf, .ctx = s } };
		rewrite_start(&s->words);
		*PUSH(c->step, c->steps) = s;
	}
	return step ? rewrite(&c->step[step - 1]->words, e) : e;
}

static enum engine_answer ask_solver(
    struct invariant_check *c, const char *name, const expr *cond, size_t n)
{
	const struct engine_class *class = engine_find(name);
	double left = c->r->deadline - clock_now();
	enum engine_answer a = ENGINE_UNKNOWN;
	char *error = NULL;
	bool fits = class && engine_fits(class, c->m->pool, cond, n);
	struct engine *e = fits ? class->open(c->m->pool, &error) : NULL;
	free(error);
	if (!e || left <= 0) {
		if (e)
			class->close(e);
		return a;
	}
	e->patient = true;
	a = class->check(e, cond, n, left < QUERY ? left : QUERY);
	class->close(e);
	if (a != ENGINE_UNKNOWN)
		c->solver = name;
	return a;
}

/* Accepts "unsat" if a solver says so and a proof of it is checked step by step here, or if two
 * solvers say so. */
static enum engine_answer ask(struct invariant_check *c, const expr *cond, size_t n)
{
	static const char *const solvers[] = { "boolector", "z3" };
	enum engine_answer a;
	unsigned voices = 0;
	for (size_t i = 0; i < n; i++)
		if (prove_never(c->m, cond[i]))
			return ENGINE_UNSAT;
	for (size_t i = 0; i < sizeof solvers / sizeof *solvers && voices < 2; i++) {
		double left;
		if ((a = ask_solver(c, solvers[i], cond, n)) == ENGINE_SAT) {
			c->differ = voices > 0;
			return a;
		}
		voices += a == ENGINE_UNSAT;
		left = c->r->deadline - clock_now();
		if (voices == 1 && a == ENGINE_UNSAT && left > 0
		    && (a = certify(
		            c->m->pool, cond, n, -1, left < CERTIFY ? left : CERTIFY, 2000000))
		        != ENGINE_UNKNOWN) {
			c->differ = a == ENGINE_SAT;
			return a;
		}
	}
	return voices >= 2 ? ENGINE_UNSAT : ENGINE_UNKNOWN;
}

/* ---- what is asked */

struct conjunction {
	expr *cond;
	size_t n;
};

static void add(struct conjunction *q, expr e)
{
	*PUSH(q->cond, q->n) = e;
}

static expr at_entry(struct invariant_check *c)
{
	struct encoding *m = c->m;
	expr e = prove_equal(m, m->ts.pc, prove_const(m, m->ts.pc_width, 0));
	for (uint32_t i = 0; c->zeros && i < m->ts.slots; i++)
		e = prove_and(m, e,
		    prove_equal(m, m->ts.slot[i].latch, prove_const(m, m->ts.slot[i].width, 0)));
	return e;
}

/* Assumes the invariant in this step, and that the step does not begin at the entry, about which
 * the invariant says nothing. */
static void add_invariant(struct invariant_check *c, struct conjunction *q, size_t step)
{
	for (size_t i = 0; i < c->clauses; i++)
		add(q,
		    step ? at(c, c->clause[i], step) : prove_or(c->m, at_entry(c), c->clause[i]));
}

/* Returns NULL, or what does not hold or was not decided. */
static const char *refute(struct invariant_check *c, struct conjunction *q, const char *sat)
{
	enum engine_answer a = ask(c, q->cond, q->n);
	free(q->cond);
	if (a == ENGINE_UNSAT)
		return NULL;
	if (a == ENGINE_SAT)
		return c->differ ? "solvers disagree: one finds no solution, another one does"
		                 : sat;
	c->open = true;
	return clock_now() >= c->r->deadline
	    ? "time limit reached"
	    : "fewer than two solvers answer, and no proof was found that could be checked";
}

static const char *inductive(struct invariant_check *c)
{
	struct conjunction q = { 0 };
	expr broken = prove_bool(c->m, false);
	add_invariant(c, &q, 0);
	for (size_t i = 0; i < c->clauses; i++)
		broken = prove_or(c->m, broken, expr_not(c->m->pool, at(c, c->clause[i], 1)));
	add(&q, broken);
	return refute(c, &q, "its invariant is not inductive");
}

static expr any_bad(struct invariant_check *c, const uint32_t *output, size_t n, size_t step)
{
	expr e = prove_bool(c->m, false);
	for (size_t i = 0; i < n; i++)
		e = prove_or(c->m, e, at(c, c->m->output[output[i]].bad, step));
	return e;
}

/* Does every run from the entry end within k steps? */
static bool ends(struct invariant_check *c, unsigned k)
{
	struct conjunction q = { 0 };
	add(&q, at_entry(c));
	add(&q,
	    expr_not(c->m->pool,
	        prove_equal(c->m, at(c, c->m->ts.pc, k), prove_const(c->m, c->m->ts.pc_width, 1))));
	return !refute(c, &q, "a run is longer");
}

/* Checks the claims together: if each is k-inductive, their conjunction is, too. */
static const char *excluded(struct invariant_check *c, const uint32_t *output, size_t n, unsigned k)
{
	const char *why = NULL;
	struct conjunction q = { 0 };
	for (size_t s = 0; s < k && !why; s++) {
		struct conjunction base = { 0 };
		add(&base, at_entry(c));
		add(&base, any_bad(c, output, n, s));
		why = refute(c, &base, "it is reached");
	}
	for (size_t s = 0; s <= k && !why; s++) {
		add_invariant(c, &q, s);
		add(&q,
		    s < k ? expr_not(c->m->pool, any_bad(c, output, n, s))
		          : any_bad(c, output, n, k));
	}
	if (!why && (why = refute(c, &q, "what it claims does not follow")) && ends(c, k))
		why = NULL;
	return why;
}

/* ---- claims */

static void open_checker(struct invariant_check *c, struct prover *r)
{
	struct encoding *m = r->m;
	*c = (struct invariant_check){ .r = r, .m = m, .vars = expr_var_count(m->pool) };
	c->mine = zeroed(c->vars, sizeof *c->mine);
	c->next = zeroed(c->vars, sizeof *c->next);
	for (uint32_t i = 0; i <= m->ts.slots; i++) {
		uint32_t var =
		    expr_input_var(m->pool, i < m->ts.slots ? m->ts.slot[i].latch : m->ts.pc);
		c->mine[var] = true;
		c->next[var] = i < m->ts.slots ? m->ts.slot[i].next : m->ts.pc_next;
	}
}

static void close_checker(struct invariant_check *c)
{
	for (size_t i = 0; i < c->steps; i++) {
		rewrite_clear(&c->step[i]->words);
		free(c->step[i]);
	}
	free(c->step);
	free(c->clause);
	free(c->mine);
	free(c->next);
}

bool prove_is_invariant(struct prover *r, const expr *clause, size_t n)
{
	struct invariant_check c;
	bool fine;
	open_checker(&c, r);
	for (size_t i = 0; i < n; i++)
		*PUSH(c.clause, c.clauses) = clause[i];
	fine = !inductive(&c);
	close_checker(&c);
	return fine;
}

static const char *read_invariant(struct invariant_check *c, const struct prove_claim *claim)
{
	for (size_t i = 0; i < claim->clauses; i++) {
		expr e = ts_clause_read(&c->m->ts, claim->clause[i]);
		if (!e)
			return "its invariant is not of this model";
		*PUSH(c->clause, c->clauses) = e;
	}
	return NULL;
}

static void settle(struct invariant_check *c, const uint32_t *output, size_t n, const char *why)
{
	for (size_t i = 0; i < n; i++)
		if (why)
			prove_decide(c->r, output[i], PROVE_UNKNOWN,
			    c->open ? "not confirmed: %s" : "does not check: %s", why);
		else
			prove_decide(c->r, output[i], PROVE_INFEASIBLE, "checked: %s",
			    c->solver ? c->solver : "simplify");
}

/* Returns NULL, or which part of the claims does not hold. */
static const char *holds(struct invariant_check *c, const uint32_t *output, size_t n, unsigned k)
{
	const char *why = NULL;
	for (int zeros = 0; zeros < 2; zeros++) {
		c->zeros = zeros;
		c->open = false;
		why = c->clauses ? inductive(c) : NULL;
		if (!why && !(why = excluded(c, output, n, k)))
			return NULL;
	}
	return why;
}

static void check_group(
    struct prover *r, const struct prove_claim *claim, const uint32_t *output, size_t n)
{
	struct invariant_check c;
	const char *why;
	open_checker(&c, r);
	if ((why = read_invariant(&c, claim)) || !(why = holds(&c, output, n, claim->k)) || n == 1)
		settle(&c, output, n, why);
	else
		for (size_t i = 0; i < n; i++)
			settle(&c, output + i, 1, holds(&c, output + i, 1, claim->k));
	close_checker(&c);
}

/* The output of a goal if it is open, else NONE. */
static uint32_t output_of(const struct prover *r, uint32_t goal)
{
	for (size_t i = 0; i < r->opens; i++)
		if (r->m->output[r->open[i]].goal == goal)
			return r->open[i];
	return NONE;
}

void prove_claims(struct prover *r, const struct prove_claim *claim, size_t n)
{
	uint32_t *output = zeroed(n, sizeof *output);
	bool *done = zeroed(n, sizeof *done);
	for (size_t i = 0; i < n; i++) {
		size_t group = 0;
		for (size_t k = i; k < n; k++) {
			uint32_t o = output_of(r, claim[k].goal);
			if (done[k] || claim[k].k != claim[i].k
			    || claim[k].clause != claim[i].clause)
				continue;
			done[k] = true;
			if (o != NONE)
				output[group++] = o;
		}
		if (group)
			check_group(r, &claim[i], output, group);
	}
	free(output);
	free(done);
}
