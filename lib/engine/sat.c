/* sat: bit-blasts expressions and solves them with an in-process, incremental CaDiCaL; each query
 * is a set of assumptions. Clauses irrelevant to a query slow it down, so a solver with too many of
 * them is replaced. Gives up after CONFLICTS conflicts, so that other engines get a chance, unless
 * `patient`. */
#include "lib/blast/blast.h"
#include "lib/base/clock.h"
#include "lib/engine/bounds.h"
#include "lib/engine/classes.h"
#include "lib/engine/process.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

#define CONFLICTS 3000
#define SPARE_CLAUSES 1000 /* clauses allowed beyond 4 times those of the query */
#define SPARE_GATES 100000 /* likewise for gates: the graph's arrays are indexed by gate */

#define MOST_GATES 1000000 /* of a graph: some 5 million clauses, 512 MiB in the solver */
#define VIEWS 16

/* Expressions blasted with reduced widths of some inputs: divisions of few bits cost much less. All
 * views share the graph's leaves. */
struct narrow_view {
	struct bounds narrow;
	struct blast *b;
};

struct sat {
	struct engine base;
	struct expr_pool *p;
	struct aig *g;
	struct narrow_view whole; /* without bounds; creates the leaves */
	struct narrow_view view[VIEWS];
	size_t views, oldest;
	const struct narrow_view *now; /* view of the current query */
	struct cnf *c;
	struct bounds bounds;
	double deadline; /* of the question */
	lit *l;
	size_t cap;
};

static void drop_view(struct narrow_view *v)
{
	blast_free(v->b);
	bounds_clear(&v->narrow);
	v->b = NULL;
}

static void forget(struct sat *s)
{
	cnf_free(s->c);
	while (s->views)
		drop_view(&s->view[--s->views]);
	blast_free(s->whole.b);
	aig_free(s->g);
	s->c = NULL, s->whole.b = NULL, s->g = NULL;
	s->oldest = 0;
}

static struct engine *open_engine(struct expr_pool *p, char **error)
{
	struct sat *s = zeroed(1, sizeof *s);
	(void)error;
	s->base.class = &engine_sat;
	s->p = p;
	return &s->base;
}

static bool same(const struct bounds *a, const struct bounds *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->list[i].var != b->list[i].var || a->list[i].bits != b->list[i].bits)
			return false;
	return true;
}

/* The view for the bounds that the query implies. */
static const struct narrow_view *view_of(struct sat *s)
{
	if (!s->bounds.n)
		return &s->whole;
	for (size_t i = 0; i < s->views; i++)
		if (same(&s->view[i].narrow, &s->bounds))
			return &s->view[i];
	struct narrow_view *v = &s->view[s->views < VIEWS ? s->views++ : s->oldest++ % VIEWS];
	drop_view(v);
	*v = (struct narrow_view){ s->bounds, blast_new(s->p, s->g) };
	s->bounds = (struct bounds){ 0 };
	return v;
}

/* Binds a condition's inputs in the current view: the shared leaves, and constant 0 above the
 * bounds. */
static void bind_inputs(struct sat *s, expr cond)
{
	const struct bounds *narrow = &s->now->narrow;
	size_t n;
	const uint32_t *var = expr_vars(s->p, cond, &n);
	for (size_t i = 0; i < n; i++) {
		if (blast_var(s->now->b, var[i]))
			continue;
		lit l[BLAST_MOST];
		unsigned w = expr_var_width(s->p, var[i]);
		memcpy(l, blast_expr(s->whole.b, expr_input(s->p, var[i])), w * sizeof *l);
		for (size_t k = 0; k < narrow->n; k++)
			for (unsigned bit = narrow->list[k].bits;
			    narrow->list[k].var == var[i] && bit < w; bit++)
				l[bit] = LIT_FALSE;
		blast_bind(s->now->b, var[i], l);
	}
}

/* Blasts the conditions; false when one cannot be blasted. */
static bool blast_all(struct sat *s, const expr *cond, size_t n)
{
	if (!s->g) {
		s->g = aig_new();
		s->whole.b = blast_new(s->p, s->g);
		s->c = cnf_new(s->g);
	}
	if (n > s->cap)
		s->l = resized(s->l, s->cap = 2 * n, sizeof *s->l);
	bounds_find(&s->bounds, s->p, cond, n);
	s->now = view_of(s);
	blast_limit(s->whole.b, 0, 0); /* only makes leaves, but for its own questions */
	blast_limit(s->now->b, s->deadline, MOST_GATES);
	for (size_t i = 0; i < n; i++) {
		if (s->now != &s->whole)
			bind_inputs(s, cond[i]);
		const lit *l = blast_expr(s->now->b, cond[i]);
		if (!l)
			return false;
		s->l[i] = *l;
	}
	return true;
}

/* A graph that is full of earlier questions is made anew. */
static bool blast_new_or_again(struct sat *s, const expr *cond, size_t n)
{
	size_t before = s->g ? aig_size(s->g) : 0;
	if (blast_all(s, cond, n))
		return true;
	if (before < SPARE_GATES || !blast_gave_up(s->now->b) || clock_now() >= s->deadline)
		return false;
	forget(s);
	return blast_all(s, cond, n);
}

/* Makes room for the question: a new solver, or a new graph as well. */
static bool renew(struct sat *s, const expr *cond, size_t n)
{
	size_t added, cone = cnf_cone(s->c, s->l, n, &added);
	if (cnf_clauses(s->c) + added <= SPARE_CLAUSES + 4 * cone)
		return true;
	if (aig_size(s->g) > SPARE_GATES + 4 * cone) {
		forget(s);
		return blast_all(s, cond, n);
	}
	cnf_free(s->c);
	s->c = cnf_new(s->g);
	return true;
}

static enum engine_answer check(struct engine *e, const expr *cond, size_t n, double seconds)
{
	struct sat *s = (struct sat *)e;
	s->deadline = clock_now() + seconds;
	e->reason = "sat: operations that it does not support";
	if (!blast_new_or_again(s, cond, n) || !renew(s, cond, n)) {
		if (blast_gave_up(s->now->b)) {
			e->reason = "sat: time limit, or too large a circuit";
			forget(s);
		}
		return ENGINE_UNKNOWN;
	}
	for (size_t i = 0; i < n; i++)
		cnf_assume(s->c, s->l[i]);
	enum cnf_answer a = cnf_solve(s->c, e->patient ? -1 : CONFLICTS, s->deadline);
	e->reason = e->patient ? "time limit" : "limit of conflicts";
	return a == CNF_SAT ? ENGINE_SAT : a == CNF_UNSAT ? ENGINE_UNSAT : ENGINE_UNKNOWN;
}

static bool value(struct engine *e, uint32_t var, struct value *v)
{
	const struct sat *s = (const struct sat *)e;
	const lit *l = blast_var(s->now->b, var);
	if (!l)
		return false;
	*v = (struct value){ 0, 0 };
	for (uint32_t i = 0; i < expr_var_width(s->p, var); i++)
		*(i < 64 ? &v->lo : &v->hi) |= (uint64_t)cnf_value(s->c, l[i]) << (i & 63);
	return true;
}

/* No child processes. */
static double cpu(const struct engine *e)
{
	(void)e;
	return 0;
}

static void close_engine(struct engine *e)
{
	struct sat *s = (struct sat *)e;
	forget(s);
	bounds_clear(&s->bounds);
	free(s->l);
	free(s);
}

const struct engine_class engine_sat = { .name = "sat",
	.needs = "nothing: it is built in",
	.limited = true,
	.open = open_engine,
	.check = check,
	.value = value,
	.cpu = cpu,
	.close = close_engine };
