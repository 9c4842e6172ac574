/* choices: the outcomes of conditions that a run takes in the encoding, in order, so that a run of
 * the program can be compared with them. A condition that the goals do not depend on is left out:
 * the encoding does not say how it turns out. */
#include "lib/prove/inner.h"

#include <stdlib.h>
#include <string.h>

#define MOST 1000       /* of a run that are told */
#define WORK 50000000   /* evaluations in all runs of an encoding */
#define BITS (16 << 20) /* bytes of the evaluations of simulated runs */

void prove_choose(struct walk *w, const struct flow_branch *b, uint32_t outcome, expr cond)
{
	struct encoding *m = w->m;
	const struct frame *f = &m->frame[w->frame];
	*PUSH(m->choice, m->choices) = (struct choice){ prove_and(m, w->now.guard, cond), f->unit,
		(uint32_t)(b - m->flow->unit[f->unit].branch), outcome };
}

static bool is_leaf_known(const struct prover *r, expr e, const bool *var)
{
	struct value v;
	if (expr_is_const(r->m->pool, e, &v))
		return true;
	uint32_t input = expr_input_var(r->m->pool, e);
	return input == UINT32_MAX || var[input];
}

/* By variable: do the encoding's runs give it a value? */
static bool *known_variables(const struct prover *r)
{
	const struct encoding *m = r->m;
	bool *var = zeroed(expr_var_count(m->pool) + 1, sizeof *var);
	var[expr_input_var(m->pool, m->ts.pc)] = true;
	for (uint32_t i = 0; i < r->cone.slots; i++)
		var[expr_input_var(m->pool, m->ts.slot[r->cone.slot[i]].latch)] = true;
	for (uint32_t i = 0; i < r->cone.vars; i++)
		var[r->cone.var[i]] = true;
	return var;
}

/* By expression: is its value known? Operands have smaller numbers than the expressions that use
 * them. */
static bool *known_expressions(const struct prover *r)
{
	const struct expr_pool *p = r->m->pool;
	size_t n = expr_count(p);
	bool *known = zeroed(n + 1, sizeof *known), *var = known_variables(r);
	for (expr e = 1; e <= n; e++) {
		expr operand = expr_operand(p, e, 0);
		known[e] = operand ? known[operand] : is_leaf_known(r, e, var);
		for (int k = 1; k < 3 && operand && known[e]; k++)
			if ((operand = expr_operand(p, e, k)))
				known[e] = known[operand];
	}
	free(var);
	return known;
}

/* A condition whose outcome is not known in one activation is not compared in any. */
static void drop_unsure(struct prover *r, const bool *known)
{
	const struct encoding *m = r->m;
	struct map unsure = { 0 };
	for (size_t i = 0; i < m->choices; i++)
		if (!known[m->choice[i].guard])
			*prove_at(&unsure, m->choice[i].unit, m->choice[i].condition) = 1;
	for (size_t i = 0; i < m->choices; i++)
		if (known[m->choice[i].guard]
		    && !*prove_at(&unsure, m->choice[i].unit, m->choice[i].condition))
			*PUSH(r->choice, r->choices) = (uint32_t)i;
	map_close(&unsure);
}

const uint32_t *prove_choices(struct prover *r, size_t *n)
{
	if (!r->chosen && !r->proofs_only && r->m->choices) {
		bool *known = known_expressions(r);
		drop_unsure(r, known);
		free(known);
	}
	r->chosen = true;
	*n = r->choices;
	return r->choice;
}

void prove_forget_choices(struct prover *r)
{
	free(r->choice);
	r->choice = NULL;
	r->choices = 0;
	r->chosen = false;
}

void prove_witness_choice(struct witness *w, const struct choice *c)
{
	if (w->choices < MOST)
		*PUSH(w->choice, w->choices) = (struct prove_choice){ c->unit, c->outcome };
}

void prove_evaluate_choices(struct prover *r, struct witness *w)
{
	size_t n;
	const uint32_t *at = prove_choices(r, &n);
	if (r->choosing > WORK)
		return;
	r->choosing += n;
	for (size_t i = 0; i < n; i++) {
		const struct choice *c = &r->m->choice[at[i]];
		if (expr_eval_next(r->m->pool, c->guard).lo)
			prove_witness_choice(w, c);
	}
}

bool prove_fits(size_t choices, size_t steps)
{
	return choices * steps * sizeof(uint64_t) <= BITS;
}
