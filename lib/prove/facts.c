/* facts: finds invariants of the cuts. Simulated runs suggest candidates (suggest.c, elements.c),
 * and those that every step preserves remain (houdini.c). The runs are only a source of candidates:
 * each fact is proved. */
#include "lib/prove/facts.h"

#include <stdlib.h>
#include <string.h>

#define RUNS 48
#define STEPS 160        /* of a run */
#define MOST_SAMPLES 400 /* at a cut */
#define MOST_ELEMENTS 64 /* of one array */
#define FIRST 2          /* rounds that may take half of the time left */

static bool is_array(const struct object *o)
{
	bool same = o->cells > 1 && o->cells <= MOST_ELEMENTS && !o->cell[0].pointer;
	for (uint32_t k = 1; same && k < o->cells; k++)
		same =
		    o->cell[k].size == o->cell[0].size && o->cell[k].offset == k * o->cell[0].size;
	return same;
}

/* Finds the elements of arrays within the cone. element: by slot, is it one? */
static void find_cells(struct facts *f, bool *element)
{
	const struct ts_cone *c = &f->r->cone;
	bool *used = zeroed(f->m->ts.slots, sizeof *used);
	for (uint32_t i = 0; i < c->slots; i++)
		used[c->slot[i]] = true;
	for (uint32_t i = 0; i < f->m->objects; i++) {
		const struct object *o = &f->m->object[i];
		for (uint32_t k = 0; k < o->cells && is_array(o) && f->cells < MOST_CELLS; k++)
			if (used[o->cell[k].slot]) {
				element[o->cell[k].slot] = true;
				f->cell[f->cells].slot = o->cell[k].slot;
				f->cell[f->cells].object = i;
				f->cell[f->cells++].index = k;
			}
	}
	free(used);
}

static void find_slots(struct facts *f)
{
	const struct ts_cone *c = &f->r->cone;
	bool *element = zeroed(f->m->ts.slots, sizeof *element);
	f->ghost = zeroed(c->slots, sizeof *f->ghost);
	find_cells(f, element);
	for (uint32_t i = 0; i < c->slots; i++) {
		const struct ts_slot *s = &f->m->ts.slot[c->slot[i]];
		if (s->kind == SLOT_GHOST && s->width == 1)
			f->ghost[f->ghosts++] = c->slot[i];
		else if (s->kind != SLOT_USE && s->width >= 8 && f->numbers < MOST_NUMBERS
		    && !element[c->slot[i]])
			f->number[f->numbers++] = c->slot[i];
	}
	for (uint32_t i = 0; i < f->cells && f->numbers < MOST_NUMBERS; i++)
		if (f->m->ts.slot[f->cell[i].slot].width >= 8)
			f->number[f->numbers++] = f->cell[i].slot;
	free(element);
}

/* Marks the variables that e may be equal to, whatever its conditions are. */
static void mark_choices(const struct encoding *m, expr e, bool *var, int depth)
{
	if (expr_op(m->pool, e) == OP_ITE && depth < 8) {
		mark_choices(m, expr_operand(m->pool, e, 1), var, depth + 1);
		mark_choices(m, expr_operand(m->pool, e, 2), var, depth + 1);
	} else if (expr_op(m->pool, e) == OP_INPUT) {
		var[expr_input_var(m->pool, e)] = true;
	}
}

/* Which of the numbers are operands of floating-point operations? */
static void find_real(struct facts *f)
{
	const struct encoding *m = f->m;
	bool *var = zeroed(expr_var_count(m->pool) + 1, sizeof *var);
	for (expr e = 1; e < expr_count(m->pool); e++) {
		enum op op = expr_op(m->pool, e);
		for (int k = 0;
		    op_is_float(op) && op != OP_SITOF && op != OP_UITOF && k < op_arity(op); k++)
			mark_choices(m, expr_operand(m->pool, e, k), var, 0);
	}
	for (uint32_t i = 0; i < f->numbers; i++)
		f->real[i] = var[expr_input_var(m->pool, m->ts.slot[f->number[i]].latch)];
	free(var);
}

static bool keep(void *ctx, const struct ts_simulator *sim, size_t step, uint64_t pc)
{
	struct facts *f = ctx;
	struct samples *s = &f->cut[pc];
	uint64_t *v;
	(void)step;
	if (pc < 2 || s->n >= f->most)
		return true;
	v = zeroed(f->numbers + f->ghosts + f->cells, sizeof *v);
	for (uint32_t i = 0; i < f->numbers; i++)
		v[i] = sim->state[f->number[i]].lo;
	for (uint32_t i = 0; i < f->ghosts; i++)
		v[f->numbers + i] = sim->state[f->ghost[i]].lo;
	for (uint32_t i = 0; i < f->cells; i++)
		v[f->numbers + f->ghosts + i] = sim->state[f->cell[i].slot].lo;
	*PUSH(s->at, s->n) = (struct sample){ v };
	return true;
}

static void take_samples(struct facts *f)
{
	f->cut = zeroed(f->m->ts.cuts + 1, sizeof *f->cut);
	f->most = MOST_SAMPLES;
	for (int i = 0; i < RUNS; i++)
		ts_simulate(&f->sim, STEPS, keep, f);
}

void prove_facts_sample(struct facts *f, size_t steps, size_t more)
{
	f->most = MOST_SAMPLES + more;
	ts_simulate(&f->sim, steps, keep, f);
}

void prove_facts_free(struct facts *f)
{
	for (uint32_t c = 0; c <= f->m->ts.cuts; c++) {
		for (size_t i = 0; i < f->cut[c].n; i++)
			free(f->cut[c].at[i].v);
		free(f->cut[c].at);
	}
	free(f->cut);
	ts_simulator_free(&f->sim);
	free(f->ghost);
	free(f->fact);
	free(f->landmark.at);
}

/* Closes goals that contradict the facts found so far. */
static void conclude(struct facts *f)
{
	expr *e = zeroed(f->n, sizeof *e);
	for (size_t i = 0; i < f->n; i++)
		e[i] = ts_fact(&f->m->ts, &f->fact[i]);
	prove_conclude(f->r, "facts", e, f->n);
	free(e);
}

void prove_facts_begin(struct facts *f, struct prover *r)
{
	*f = (struct facts){
		.r = r, .m = r->m, .sim = ts_simulator(&r->m->ts, &r->cone, r->deadline)
	};
	find_slots(f);
	find_real(f);
	take_samples(f);
	f->landmark = ts_landmarks(&f->sim);
}

void prove_facts_round(struct facts *f, prove_suggestion *suggest, double until)
{
	struct prover *r = f->r;
	struct ts_search search = { &f->m->ts, &r->cone, &f->sim, &f->landmark, until, prove_enough,
		r };
	size_t known = f->n;
	for (uint32_t cut = 2; cut <= f->m->ts.cuts; cut++)
		suggest(f, cut);
	ts_houdini(&search, f->fact, known, &f->n);
}

static double part(const struct prover *r, size_t rounds)
{
	return clock_now() + (r->deadline - clock_now()) / (double)rounds;
}

/* Works in rounds: facts of one round are known to the next, easy questions come first, and facts
 * that most others depend on come first and get more time. */
void prove_stage_facts(struct prover *r)
{
	static prove_suggestion *const rounds[] = { prove_suggest_numbers,
		prove_suggest_definitions, prove_suggest_sums, prove_suggest_upward,
		prove_suggest_shrinking, prove_suggest_states, prove_suggest_downward,
		prove_suggest_octagons };
	const size_t n = sizeof rounds / sizeof *rounds;
	struct facts f;
	prove_facts_begin(&f, r);
	for (size_t i = 0; i < n && r->opens && !prove_enough(r); i++) {
		size_t known = f.n;
		prove_facts_round(&f, rounds[i], part(r, i < FIRST ? FIRST : n - i));
		if (f.n > known)
			conclude(&f);
	}
	prove_facts_free(&f);
}

size_t prove_find_facts(struct prover *r, expr **fact)
{
	static prove_suggestion *const rounds[] = { prove_suggest_arguments, prove_suggest_numbers,
		prove_suggest_shrinking, prove_suggest_sums, prove_suggest_octagons };
	const size_t count = sizeof rounds / sizeof *rounds;
	struct facts f;
	size_t n;
	prove_facts_begin(&f, r);
	for (size_t i = 0; i < count && !prove_enough(r); i++)
		prove_facts_round(&f, rounds[i], part(r, count - i));
	*fact = zeroed(f.n, sizeof **fact);
	for (size_t i = 0; i < f.n; i++)
		(*fact)[i] = ts_fact(&f.m->ts, &f.fact[i]);
	n = f.n;
	prove_facts_free(&f);
	return n;
}
