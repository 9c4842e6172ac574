/* runs: simulates the system on random inputs, as bits, 64 runs at a time. Most runs are short;
 * some are long, because they reach goals that need many iterations. It continues as long as goals
 * are reached. */
#include "lib/prove/inner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LANES 64
#define SHORT 64 /* steps */
#define LONG 20000
#define NEAR 3 /* steps from a given state */
#define WORK \
	50000000 /* work in all, in about nanoseconds; a fraction of it when the stage only \
	            supports others; */
#define PART 4
#define REWARD 2000000 /* and additional work for each goal that is reached */
#define GATE 3
#define DRAWING 40 /* a value for each run */
#define COLUMNS 64
#define LOGGED 256 /* steps whose calls are recorded */

struct lanes {
	struct prover *r;
	struct ts_circuit c;
	struct ts_simulator draw;
	uint64_t column[COLUMNS][64]; /* random values, one word for each bit */
	unsigned columns;             /* that were drawn */
	bool *input;                  /* by variable of the cone: is it an input of the program? */
	uint32_t *output;             /* of the encoding, by output of the circuit */
	bool *told;                   /* likewise: has it been reached? */
	uint64_t *word, *next;        /* by gate, one bit for each run; by latch */
	uint64_t *first; /* by input of the encoding and run: the value in the first step */
	uint64_t *call;
	size_t calls;    /* of the first LOGGED steps, by call of nondet: is it made, then what it
	                    gives */
	uint64_t *taken; /* likewise by choice of the run; NULL: too many */
	const uint32_t *choice;
	size_t choices;
	uint64_t work; /* that is left */
	void (*see)(
	    void *ctx, const uint64_t *next); /* NULL: goals that are reached are reported */
	void *ctx;
	const uint64_t *from; /* by latch: the state in which runs begin; NULL: the entry */
};

static bool is_input(const struct encoding *m, uint32_t var)
{
	for (uint32_t i = 0; i < m->inputs; i++)
		if (expr_input_var(m->pool, m->input[i].value) == var)
			return true;
	return false;
}

static void log_choices(struct lanes *l)
{
	l->choice = prove_choices(l->r, &l->choices);
	if (!prove_fits(l->choices, LOGGED))
		l->choices = 0;
	for (size_t k = 0; k < l->choices; k++)
		blast_expr(l->c.b, l->r->m->choice[l->choice[k]].guard);
	l->taken = zeroed(l->choices * LOGGED, sizeof *l->taken);
}

static struct lanes make_lanes(struct prover *r, uint64_t work, bool tells)
{
	expr *bad = prove_open_conditions(r);
	struct lanes l = { .r = r,
		.c = ts_circuit(&r->m->ts, &r->cone, bad, r->opens),
		.draw = ts_simulator(&r->m->ts, &r->cone, r->deadline),
		.work = work };
	free(bad);
	l.output = zeroed(r->opens, sizeof *l.output);
	memcpy(l.output, r->open, r->opens * sizeof *l.output);
	for (size_t k = 0; k < r->m->nondets; k++) {
		l.calls += 1 + r->m->nondet[k].width;
		blast_expr(l.c.b, r->m->nondet[k].guard);
		if (r->m->nondet[k].value)
			blast_expr(l.c.b, r->m->nondet[k].value);
	}
	l.told = zeroed(r->opens, sizeof *l.told);
	l.call = zeroed(l.calls * LOGGED, sizeof *l.call);
	if (tells)
		log_choices(&l);
	l.input = zeroed(r->cone.vars, sizeof *l.input);
	for (uint32_t i = 0; i < r->cone.vars; i++)
		l.input[i] = is_input(r->m, r->cone.var[i]);
	l.word = zeroed(aig_size(l.c.g), sizeof *l.word);
	l.next = zeroed(l.c.latches, sizeof *l.next);
	l.first = zeroed((size_t)r->m->inputs * LANES, sizeof *l.first);
	return l;
}

static void free_lanes(struct lanes *l)
{
	ts_circuit_free(&l->c);
	ts_simulator_free(&l->draw);
	free(l->input);
	free(l->output);
	free(l->told);
	free(l->word);
	free(l->next);
	free(l->first);
	free(l->call);
	free(l->taken);
}

static uint64_t word_of(const struct lanes *l, lit a)
{
	return l->word[a >> 1] ^ (a & 1 ? UINT64_MAX : 0);
}

/* A value for each run, as one word for each bit. */
static void draw_column(struct lanes *l, unsigned width, bool small, uint64_t *word)
{
	memset(word, 0, width * sizeof *word);
	for (unsigned lane = 0; lane < LANES; lane++)
		for (uint64_t v = (small ? ts_draw_small : ts_draw)(&l->draw, width).lo; v;
		    v &= v - 1)
			word[__builtin_ctzll(v)] |= UINT64_C(1) << lane;
}

/* Values that the program does not determine and that are not reported are taken from a set of
 * columns; each step makes a few of these anew. */
static void draw_columns(struct lanes *l, unsigned n)
{
	uint64_t work = n * LANES * DRAWING;
	for (unsigned i = 0; i < n; i++)
		draw_column(l, 64, false, l->column[l->columns++ % COLUMNS]);
	l->work -= work < l->work ? work : l->work;
}

/* Gives the variable a value in each run. In some runs an input is small, because it may be the
 * length of a loop. */
static void draw(struct lanes *l, uint32_t var, bool is_input)
{
	unsigned width = expr_var_width(l->r->m->pool, var), turn;
	const lit *at = blast_var(l->c.b, var);
	uint64_t own[64], which;
	const uint64_t *column = own;
	if (!at)
		return;
	which = ts_draw_any(&l->draw);
	turn = is_input ? 0 : which % LANES;
	if (is_input)
		draw_column(l, width, true, own);
	else
		column = l->column[which / LANES % COLUMNS];
	for (unsigned k = 0; k < width; k++)
		l->word[at[k] >> 1] = column[k] << turn | column[k] >> (LANES - turn) % LANES;
}

/* Keeps the results of calls in this step. */
static void keep_calls(struct lanes *l, size_t step)
{
	struct encoding *m = l->r->m;
	uint64_t *to = l->call + step * l->calls;
	for (size_t k = 0; k < m->nondets; k++) {
		const struct nondet *n = &m->nondet[k];
		const lit *at = n->value ? blast_expr(l->c.b, n->value) : NULL;
		*to++ = word_of(l, *blast_expr(l->c.b, n->guard));
		for (unsigned b = 0; b < n->width; b++)
			*to++ = at ? word_of(l, at[b]) : 0;
	}
}

static void keep_choices(struct lanes *l, size_t step)
{
	for (size_t k = 0; k < l->choices; k++)
		l->taken[step * l->choices + k] =
		    word_of(l, *blast_expr(l->c.b, l->r->m->choice[l->choice[k]].guard));
}

static void take_choices(const struct lanes *l, unsigned lane, size_t steps, struct witness *w)
{
	for (size_t s = 0; s < steps && s < LOGGED; s++)
		for (size_t k = 0; k < l->choices; k++)
			if (l->taken[s * l->choices + k] >> lane & 1)
				prove_witness_choice(w, &l->r->m->choice[l->choice[k]]);
}

static void take_calls(const struct lanes *l, unsigned lane, size_t steps, struct witness *w)
{
	const struct encoding *m = l->r->m;
	for (size_t s = 0; s < steps && s < LOGGED; s++) {
		const uint64_t *at = l->call + s * l->calls;
		for (size_t k = 0; k < m->nondets; k++) {
			bool made = *at++ >> lane & 1;
			uint64_t v = 0;
			for (unsigned b = 0; b < m->nondet[k].width; b++)
				v |= (*at++ >> lane & 1) << b;
			if (made)
				prove_witness_call(w, &m->nondet[k], v);
		}
	}
}

static void keep_first(struct lanes *l)
{
	struct encoding *m = l->r->m;
	for (uint32_t i = 0; i < m->inputs; i++) {
		uint32_t var = expr_input_var(m->pool, m->input[i].value);
		const lit *at = blast_var(l->c.b, var);
		for (unsigned lane = 0; lane < LANES; lane++) {
			uint64_t *v = &l->first[(size_t)i * LANES + lane];
			*v = 0;
			for (unsigned k = 0; at && k < expr_var_width(m->pool, var); k++)
				*v |= (l->word[at[k] >> 1] >> lane & 1) << k;
		}
	}
}

static void tell_reached(struct lanes *l, uint32_t output, unsigned lane, size_t step)
{
	struct encoding *m = l->r->m;
	struct witness w;
	prove_witness_begin(&w, m);
	for (uint32_t i = 0; i < m->inputs; i++)
		w.v[i].value = prove_input_value(&m->input[i], l->first[(size_t)i * LANES + lane]);
	take_calls(l, lane, step + 1, &w);
	take_choices(l, lane, step + 1, &w);
	prove_reached_by(l->r, output, &w, step + 1, "runs");
	l->work += l->r->proofs_only ? REWARD / PART : REWARD;
	prove_witness_free(&w);
}

/* Have all runs ended? pc is the first of the latches. */
static bool all_ended(const struct lanes *l)
{
	uint64_t on = 0;
	for (unsigned k = 0; k < l->r->m->ts.pc_width; k++)
		on |= k ? l->word[l->c.latch[k].at >> 1] : ~l->word[l->c.latch[k].at >> 1];
	return !on;
}

static bool goes_on(const struct lanes *l)
{
	return l->work && l->r->opens && clock_now() < l->r->deadline;
}

/* Of these runs, the one with the smallest inputs. */
static unsigned smallest(const struct lanes *l, uint64_t hit)
{
	double least = INFINITY;
	unsigned best = 0;
	for (; hit; hit &= hit - 1) {
		unsigned lane = (unsigned)__builtin_ctzll(hit);
		double sum = 0;
		for (uint32_t i = 0; i < l->r->m->inputs; i++)
			sum += (double)l->first[(size_t)i * LANES + lane];
		if (sum < least)
			least = sum, best = lane;
	}
	return best;
}

static void tell_hits(struct lanes *l, size_t step)
{
	for (size_t i = 0; i < l->c.outputs; i++) {
		uint64_t hit = word_of(l, l->c.output[i]);
		if (hit && !l->told[i])
			tell_reached(l, l->output[i], smallest(l, hit), step);
		l->told[i] |= hit != 0;
	}
}

static void run(struct lanes *l, size_t steps)
{
	const struct ts_circuit *c = &l->c;
	uint64_t work = GATE * aig_size(c->g) + DRAWING * (uint64_t)l->r->cone.vars;
	for (size_t i = 0; i < c->latches; i++)
		l->word[c->latch[i].at >> 1] = l->from ? l->from[i] : 0;
	size_t step = 0;
	draw_columns(l, l->columns ? 4 : COLUMNS);
	for (; step < steps && goes_on(l) && (!step || !all_ended(l)); step++) {
		for (uint32_t i = 0; i < l->r->cone.vars; i++)
			draw(l, l->r->cone.var[i], l->input[i]);
		aig_evaluate(c->g, l->word);
		if (!step && !l->see)
			keep_first(l);
		if (!l->see && step < LOGGED) {
			keep_calls(l, step);
			keep_choices(l, step);
		}
		if (!l->see)
			tell_hits(l, step);
		for (size_t i = 0; i < c->latches; i++)
			l->next[i] = word_of(l, c->latch[i].next);
		if (l->see)
			l->see(l->ctx, l->next);
		for (size_t i = 0; i < c->latches; i++)
			l->word[c->latch[i].at >> 1] = l->next[i];
		l->work -= work < l->work ? work : l->work;
	}
	if (!l->see && step > l->r->longest)
		l->r->longest = step;
}

void prove_stage_runs(struct prover *r)
{
	struct lanes l = make_lanes(r, r->proofs_only ? WORK / PART : WORK, true);
	for (unsigned i = 1; goes_on(&l); i++)
		run(&l, i % 4 ? SHORT : LONG);
	free_lanes(&l);
}

struct lanes *prove_lanes(
    struct prover *r, void (*see)(void *ctx, const uint64_t *latch), void *ctx)
{
	struct lanes *l = zeroed(1, sizeof *l);
	*l = make_lanes(r, UINT64_MAX, false);
	l->see = see;
	l->ctx = ctx;
	return l;
}

void prove_lanes_run(struct lanes *l, const uint64_t *from)
{
	l->from = from;
	run(l, from ? NEAR : SHORT);
}

void prove_lanes_free(struct lanes *l)
{
	free_lanes(l);
	free(l);
}
