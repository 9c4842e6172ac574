/* houdini: which of many candidates are an invariant (Flanagan and Leino). The solver is asked for
 * a step from where all hold to where one does not; what such a step breaks is weakened or dropped,
 * until there is none. With bounds this is abstract interpretation over intervals, zones and
 * octagons: the solver is the transfer function, exact on machine words, and the numbers that the
 * program has are the thresholds of the widening. */
#include "lib/ts/ts.h"

#include "lib/base/grow.h"
#include "lib/base/gcd.h"

#include <stdlib.h>

#define RUNS 4     /* from a state that the solver found */
#define STEPS 12   /* of each */
#define CHANGED 16 /* states that are like one that it found, */
#define VAIN 4     /* and so many in a row without effect at most */
#define EXACT 1    /* times that a bound takes the value that broke it */
#define WEAKEST 5  /* times that a bound is weakened */

static int ascending(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* Of floating-point numbers (suggest.c has their ranks): infinities, and negative ones of the
 * program. */
static void add_ranks(struct ts_landmarks *l, const struct ts_simulator *s)
{
	static const int64_t infinite[] = { 0x7f800000, 0x7ff0000000000000 };
	for (size_t i = 0; i < 2; i++) {
		*PUSH(l->at, l->n) = infinite[i];
		*PUSH(l->at, l->n) = -infinite[i] - 1;
	}
	for (unsigned i = 0; i < s->constants; i++) {
		uint64_t c = s->constant[i], narrow = c & UINT32_MAX;
		*PUSH(l->at, l->n) = c >> 63 ? (int64_t)(c ^ INT64_MAX) : (int64_t)c;
		*PUSH(l->at, l->n) =
		    narrow >> 31 ? (int32_t)(uint32_t)(narrow ^ INT32_MAX) : (int64_t)narrow;
	}
}

struct ts_landmarks ts_landmarks(const struct ts_simulator *s)
{
	static const int64_t always[] = { 0, INT8_MAX, UINT8_MAX, INT16_MAX, UINT16_MAX, INT32_MAX,
		UINT32_MAX, INT64_MAX };
	struct ts_landmarks l = { NULL, 0 };
	for (size_t i = 0; i < sizeof always / sizeof *always; i++) {
		*PUSH(l.at, l.n) = always[i];
		*PUSH(l.at, l.n) = -always[i];
		*PUSH(l.at, l.n) = -always[i] - 1;
		if (always[i] < INT64_MAX)
			*PUSH(l.at, l.n) = always[i] + 1;
	}
	for (unsigned i = 0; i < s->constants; i++)
		for (int by = -1; by <= 1; by++) {
			int64_t c = (int64_t)(s->constant[i] + (uint64_t)by);
			int64_t narrow = (int32_t)(uint32_t)c;
			*PUSH(l.at, l.n) = c;
			*PUSH(l.at, l.n) = narrow;
			*PUSH(l.at, l.n) = (int64_t)-(uint64_t)narrow;
		}
	if (s->floats)
		add_ranks(&l, s);
	qsort(l.at, l.n, sizeof *l.at, ascending);
	return l;
}

static expr constant(const struct ts *t, unsigned width, uint64_t v)
{
	return expr_const(t->pool, width, bits_value(bits_cut(v, width)));
}

static expr claim(const struct ts *t, const struct ts_fact *f)
{
	unsigned width = expr_width(t->pool, f->term);
	expr bound = expr_const(t->pool, width, bits_value(bits_cut((u128)(i128)f->bound, width)));
	expr rest = f->kind == TS_REST && f->step
	    ? expr_make(t->pool, OP_UREM, width, f->term, constant(t, width, f->step), 0)
	    : f->term;
	if (f->kind == TS_PLAIN)
		return f->term;
	if (!f->seen)
		return expr_bool(t->pool, false);
	if (f->kind == TS_REST)
		return expr_make(t->pool, OP_EQ, 1, rest, constant(t, width, f->rest), 0);
	return expr_make(t->pool, OP_SLE, 1, f->kind == TS_MOST ? f->term : bound,
	    f->kind == TS_MOST ? bound : f->term, 0);
}

expr ts_fact(const struct ts *t, const struct ts_fact *f)
{
	return expr_make(t->pool, OP_OR, 1, f->other, claim(t, f), 0);
}

/* The next landmark that lets the bound pass; false: there is none. */
static bool round_bound(struct ts_fact *f, const struct ts_landmarks *l)
{
	size_t k = 0;
	if (f->kind == TS_MOST) {
		while (k < l->n && l->at[k] < f->bound)
			k++;
		if (k < l->n)
			f->bound = l->at[k];
		return k < l->n;
	}
	for (k = l->n; k && l->at[k - 1] > f->bound;)
		k--;
	if (k)
		f->bound = l->at[k - 1];
	return k > 0;
}

/* Beyond all numbers of the program but those that end the range of a type: then the value that
 * broke the bound is one of many. */
static bool is_far(const struct ts_fact *f)
{
	int64_t size = f->bound < 0 ? -(f->bound + 1) : f->bound;
	return size >= INT32_MAX - 1;
}

static bool weaken_bound(struct ts_fact *f, i128 value, const struct ts_landmarks *l)
{
	bool seen = f->seen;
	if (value < INT64_MIN || value > INT64_MAX || ++f->weakened > WEAKEST)
		return false;
	f->bound = (int64_t)value;
	f->seen = true;
	if (!seen)
		return true;
	value = f->bound;
	if (!round_bound(f, l))
		return f->weakened <= EXACT;
	if (f->weakened <= EXACT && !is_far(f))
		f->bound = (int64_t)value;
	return true;
}

static bool weaken_rest(struct ts_fact *f, uint64_t value)
{
	uint64_t apart = value > f->rest ? value - f->rest : f->rest - value;
	if (!f->seen) {
		f->rest = value;
		return f->seen = true;
	}
	f->step = gcd(f->step, apart);
	f->rest = f->step ? value % f->step : value;
	return f->step > 1 && f->step <= TS_MOST_STEP;
}

bool ts_weaken(struct ts_fact *f, i128 value, const struct ts_landmarks *l)
{
	if (f->kind == TS_REST)
		return weaken_rest(f, (uint64_t)value);
	return f->kind != TS_PLAIN && weaken_bound(f, value, l);
}

/* ---- the list of candidates, and what a step does to it */

struct houdini {
	const struct ts *t;
	const struct ts_cone *cone;
	struct ts_unroll u;
	struct ts_simulator *sim;
	const struct ts_landmarks *landmark;
	struct ts_fact *fact;
	size_t n;
	lit *now, *then;                 /* by fact: before and after the step */
	expr *claim;                     /* likewise */
	bool *changed, *dropped, broken; /* broken: one was just now */
	expr *known;                     /* facts that hold */
	size_t knowns;
};

static void know(struct houdini *h, size_t step, expr latch)
{
	const lit *l = blast_expr(h->u.step[step], latch);
	for (unsigned k = 0; k < expr_width(h->t->pool, latch); k++)
		cnf_know(h->u.cnf, l[k]);
}

static void know_step(struct houdini *h)
{
	const struct ts_cone *c = h->cone;
	ts_unroll_step(&h->u);
	for (size_t step = 0; step < 2; step++) {
		know(h, step, h->t->pc);
		for (uint32_t i = 0; i < c->slots; i++)
			know(h, step, h->t->slot[c->slot[i]].latch);
	}
}

static void set_literals(struct houdini *h, size_t i)
{
	h->claim[i] = ts_fact(h->t, &h->fact[i]);
	h->now[i] = ts_unroll_lit(&h->u, 0, h->claim[i]);
	h->then[i] = ts_unroll_lit(&h->u, 1, h->claim[i]);
	h->changed[i] = false;
}

static enum cnf_answer find_step(struct houdini *h, double until)
{
	lit any = LIT_FALSE;
	for (size_t i = 0; i < h->n; i++) {
		if (h->dropped[i])
			continue;
		if (h->changed[i])
			set_literals(h, i);
		cnf_assume(h->u.cnf, h->now[i]);
		any = aig_or(h->u.g, any, lit_not(h->then[i]));
	}
	cnf_assume(h->u.cnf, any);
	return cnf_solve(h->u.cnf, -1, until);
}

/* A state that a step has led to: what it breaks is weakened or dropped. */
static bool visit(void *ctx, const struct ts_simulator *sim, size_t step, uint64_t pc)
{
	struct houdini *h = ctx;
	struct expr_pool *p = h->t->pool;
	(void)sim;
	(void)step;
	(void)pc;
	for (size_t i = 0; i < h->n; i++) {
		struct ts_fact *f = &h->fact[i];
		u128 v;
		if (h->dropped[i] || expr_eval_next(p, h->claim[i]).lo)
			continue;
		v = bits_of(expr_eval_next(p, f->term));
		h->dropped[i] = !ts_weaken(f,
		    f->kind == TS_REST ? (i128)v : bits_signed(v, expr_width(p, f->term)),
		    h->landmark);
		h->changed[i] = h->broken = true;
		h->claim[i] = ts_fact(h->t, f);
	}
	return true;
}

/* The state before a step was changed: does it still hold what is claimed? Then what the step
 * breaks is weakened. */
static bool try_step(void *ctx, const struct ts_simulator *sim, size_t step, uint64_t pc)
{
	struct houdini *h = ctx;
	struct expr_pool *p = h->t->pool;
	if (step)
		return visit(ctx, sim, step, pc);
	for (size_t i = 0; i < h->knowns; i++)
		if (!expr_eval_next(p, h->known[i]).lo)
			return false;
	for (size_t i = 0; i < h->n; i++)
		if (!h->dropped[i] && !expr_eval_next(p, h->claim[i]).lo)
			return false;
	return true;
}

static struct value value_at(const struct houdini *h, size_t step, expr latch)
{
	const lit *l = blast_expr(h->u.step[step], latch);
	u128 v = 0;
	for (unsigned k = 0; k < expr_width(h->t->pool, latch); k++)
		v |= (u128)cnf_value(h->u.cnf, l[k]) << k;
	return bits_value(v);
}

/* The state that the solver has before its step, or behind it. */
static uint64_t get_state(const struct houdini *h, size_t step, struct value *state)
{
	for (uint32_t i = 0; i < h->cone->slots; i++)
		state[i] = value_at(h, step, h->t->slot[h->cone->slot[i]].latch);
	return value_at(h, step, h->t->pc).lo;
}

static void set_state(struct houdini *h, const struct value *state)
{
	for (uint32_t i = 0; i < h->cone->slots; i++)
		h->sim->state[h->cone->slot[i]] = state[i];
}

/* The state that the solver's step leads to, and those of runs from there. Then steps from other
 * states like the one before it, with one number changed: most bounds of numbers that may have any
 * value are broken there without another question. */
static void take_step(struct houdini *h)
{
	const struct ts_cone *c = h->cone;
	struct value *state = zeroed(c->slots + 1, sizeof *state);
	uint64_t pc = get_state(h, 1, state);
	for (int run = 0; run < RUNS; run++) {
		set_state(h, state);
		ts_simulate_from(h->sim, pc, STEPS, visit, h);
	}
	pc = get_state(h, 0, state);
	for (int run = 0, vain = 0; run < CHANGED && vain < VAIN && c->slots; run++) {
		uint32_t slot = c->slot[ts_draw_any(h->sim) % c->slots];
		set_state(h, state);
		h->sim->state[slot] = ts_draw_wide(h->sim, h->t->slot[slot].width);
		h->broken = false;
		ts_simulate_from(h->sim, pc, 2, try_step, h);
		vain = h->broken ? 0 : vain + 1;
	}
	free(state);
}

static void free_houdini(struct houdini *h)
{
	ts_unroll_free(&h->u);
	free(h->now);
	free(h->then);
	free(h->claim);
	free(h->changed);
	free(h->dropped);
	free(h->known);
}

void ts_houdini(const struct ts_search *search, struct ts_fact *fact, size_t known, size_t *n)
{
	size_t most = *n - known, kept = known;
	const struct ts *t = search->t;
	struct houdini h = { .t = t,
		.cone = search->cone,
		.u = ts_unroll(t, search->cone, false),
		.sim = search->sim,
		.landmark = search->landmark,
		.fact = known ? fact + known : fact,
		.n = most,
		.now = zeroed(most, sizeof *h.now),
		.then = zeroed(most, sizeof *h.then),
		.claim = zeroed(most, sizeof *h.claim),
		.changed = zeroed(most, sizeof *h.changed),
		.dropped = zeroed(most, sizeof *h.dropped),
		.known = zeroed(known, sizeof *h.known),
		.knowns = known };
	enum cnf_answer a;
	know_step(&h);
	for (size_t i = 0; i < known; i++) {
		h.known[i] = ts_fact(t, &fact[i]);
		for (size_t step = 0; step < 2; step++)
			cnf_assert(h.u.cnf, ts_unroll_lit(&h.u, step, h.known[i]));
	}
	for (size_t i = 0; i < most; i++)
		set_literals(&h, i);
	while ((a = find_step(&h, search->until)) == CNF_SAT && !search->enough(search->ctx))
		take_step(&h);
	for (size_t i = known; i < *n && a == CNF_UNSAT; i++)
		if (!h.dropped[i - known])
			fact[kept++] = fact[i];
	*n = kept;
	free_houdini(&h);
}
