/* cnf: Tseitin encoding in CaDiCaL, each gate once and on demand. XOR, MUX and majority have their
 * own clauses: they propagate where their ANDs would not. */
#include "lib/blast/inner.h"
#include "lib/base/grow.h"
#include "lib/base/clock.h"
#include "lib/blast/rup.h"
#include "lib/base/stop.h"

#include <ccadical.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define CHECK_STEPS UINT64_C(400000000) /* a few seconds */

struct cnf {
	const struct aig *g;
	CCaDiCaL *solver;
	uint32_t *var;
	size_t var_cap; /* by gate: its CaDiCaL variable; 0: not encoded */
	uint32_t vars;
	size_t clauses;
	struct visits visits;
	uint32_t *mark;
	size_t mark_cap;
	uint32_t now; /* by gate: the last cnf_cone that
	                 visited it */
	double deadline;
	struct rup *rup; /* checks what the solver learns; or NULL */
};

const char *cnf_solver(void)
{
	return ccadical_signature();
}

struct cnf *cnf_new(const struct aig *g)
{
	struct cnf *c = zeroed(1, sizeof *c);
	if (!(c->solver = ccadical_init()))
		no_memory(0);
	c->g = g;
	ccadical_set_option(c->solver, "quiet", 1);
	ccadical_set_option(c->solver, "phase", 0); /* decide 0 first: prefers small numbers */
	return c;
}

void cnf_free(struct cnf *c)
{
	if (!c)
		return;
	ccadical_release(c->solver);
	rup_free(c->rup);
	free(c->var), free(c->visits.gate), free(c->mark);
	free(c);
}

static void clause(struct cnf *c, int x, int y, int z, int last)
{
	const int l[] = { x, y, z, last };
	int set[4];
	size_t n = 0;
	for (int i = 0; i < 4; i++)
		if (l[i])
			ccadical_add(c->solver, set[n++] = l[i]);
	ccadical_add(c->solver, 0);
	c->clauses++;
	if (c->rup)
		rup_given(c->rup, set, n);
}

/* A clause that the solver learned. */
static void learn(void *state, int *l)
{
	struct cnf *c = state;
	size_t n = 0;
	while (l[n])
		n++;
	rup_learned(c->rup, l, n);
}

void cnf_certify(struct cnf *c)
{
	/* techniques whose steps CaDiCaL does not report as learned clauses */
	static const char *const off[] = { "inprocessing", "elim", "probe", "subsume", "vivify",
		"ternary", "transred", "decompose", "block", "cover", "condition", "compact",
		"lucky" };
	for (size_t i = 0; i < sizeof off / sizeof *off; i++)
		ccadical_set_option(c->solver, off[i], 0);
	c->rup = rup_new(CHECK_STEPS);
	ccadical_set_learn(c->solver, c, INT_MAX, learn);
}

bool cnf_certified(const struct cnf *c)
{
	return c->rup && rup_refuted(c->rup);
}

static int var_of(const struct cnf *c, lit l)
{
	int v = (int)c->var[l >> 1];
	return l & 1 ? -v : v;
}

static void clauses_of(struct cnf *c, const struct gate *k, int n)
{
	int x = var_of(c, k->a), y = var_of(c, k->b), z = k->kind >= GATE_MUX ? var_of(c, k->c) : 0;
	switch (k->kind) {
	case GATE_AND:
		clause(c, -n, x, 0, 0), clause(c, -n, y, 0, 0), clause(c, n, -x, -y, 0);
		break;
	case GATE_XOR:
		clause(c, -n, x, y, 0), clause(c, -n, -x, -y, 0), clause(c, n, -x, y, 0),
		    clause(c, n, x, -y, 0);
		break;
	case GATE_MUX:
		clause(c, -n, -x, y, 0), clause(c, n, -x, -y, 0), clause(c, -n, x, z, 0),
		    clause(c, n, x, -z, 0);
		/* redundant; they propagate when x is unassigned */
		clause(c, -n, y, z, 0), clause(c, n, -y, -z, 0);
		break;
	case GATE_MAJORITY:
		clause(c, -n, x, y, 0), clause(c, -n, x, z, 0), clause(c, -n, y, z, 0);
		clause(c, n, -x, -y, 0), clause(c, n, -x, -z, 0), clause(c, n, -y, -z, 0);
		break;
	}
}

static void know(struct cnf *c, uint32_t n)
{
	const struct gate *k = aig_gate(c->g, n);
	c->var[n] = ++c->vars;
	if (k->kind == GATE_CONST)
		clause(c, -(int)c->vars, 0, 0, 0);
	else if (k->kind != GATE_INPUT)
		clauses_of(c, k, (int)c->vars);
}

void cnf_know(struct cnf *c, lit l)
{
	c->var = grow(c->var, &c->var_cap, aig_size(c->g), sizeof *c->var);
	if (!c->var[l >> 1])
		visits_push(&c->visits, l >> 1);
	while (c->visits.n) {
		uint32_t n = c->visits.gate[c->visits.n - 1];
		if (!c->var[n]) {
			if (visits_operands(&c->visits, c->g, n, c->var))
				continue;
			know(c, n);
		}
		c->visits.n--;
	}
}

void cnf_assert(struct cnf *c, lit l)
{
	cnf_know(c, l);
	clause(c, var_of(c, l), 0, 0, 0);
}

void cnf_assume(struct cnf *c, lit l)
{
	cnf_know(c, l);
	ccadical_assume(c->solver, var_of(c, l));
}

static int late(void *state)
{
	const struct cnf *c = state;
	return stop_asked() || (c->deadline > 0 && clock_now() >= c->deadline);
}

enum cnf_answer cnf_solve(struct cnf *c, int conflicts, double deadline)
{
	c->deadline = deadline;
	ccadical_set_terminate(c->solver, c, late);
	ccadical_limit(c->solver, "conflicts", conflicts < 0 ? -1 : conflicts);
	int r = ccadical_solve(c->solver);
	return r == 10 ? CNF_SAT : r == 20 ? CNF_UNSAT : CNF_UNKNOWN;
}

static bool known(const struct cnf *c, lit l)
{
	return l >> 1 < c->var_cap && c->var[l >> 1];
}

bool cnf_value(const struct cnf *c, lit l)
{
	return known(c, l) ? ccadical_val(c->solver, var_of(c, l)) > 0 : l == LIT_TRUE;
}

bool cnf_failed(const struct cnf *c, lit l)
{
	return known(c, l) && ccadical_failed(c->solver, var_of(c, l));
}

size_t cnf_clauses(const struct cnf *c)
{
	return c->clauses;
}

static void meet(struct cnf *c, lit l)
{
	uint32_t n = l >> 1;
	if (c->mark[n] == c->now)
		return;
	c->mark[n] = c->now;
	visits_push(&c->visits, n);
}

size_t cnf_cone(struct cnf *c, const lit *l, size_t n, size_t *added)
{
	static const uint8_t cost[] = { [GATE_CONST] = 1,
		[GATE_INPUT] = 0,
		[GATE_AND] = 3,
		[GATE_XOR] = 4,
		[GATE_MUX] = 6,
		[GATE_MAJORITY] = 6 };
	size_t cone = 0;
	*added = 0;
	c->mark = grow(c->mark, &c->mark_cap, aig_size(c->g), sizeof *c->mark);
	if (++c->now == 0) {
		memset(c->mark, 0, c->mark_cap * sizeof *c->mark);
		c->now = 1;
	}
	for (size_t i = 0; i < n; i++)
		meet(c, l[i]);
	while (c->visits.n) {
		uint32_t gate = c->visits.gate[--c->visits.n];
		const struct gate *k = aig_gate(c->g, gate);
		cone += cost[k->kind];
		if (gate >= c->var_cap || !c->var[gate])
			*added += cost[k->kind];
		if (k->kind > GATE_INPUT)
			meet(c, k->a), meet(c, k->b), meet(c, k->c);
	}
	return cone;
}
