/* states: which few values each variable has at a loop head, in all runs first, then also in those
 * where a definition is still the last one there. From nothing on, the solver finds steps that lead
 * out of what is claimed, and what they lead to is added, until there is none: what is left is
 * inductive. A variable of more than a few values is given up. */
#include "lib/prove/inner.h"

#include <stdlib.h>
#include <string.h>

#define FEW 6           /* values */
#define MOST_NUMBERS 48 /* slots that are looked at */
#define MOST_CLAIMS 8192
#define DRAWN 8 /* times 64 runs to begin with */

/* That a slot has one of n values at a cut with a ghost armed; without a slot: that it is there at
 * all. */
struct claim {
	uint32_t cut, ghost, slot; /* slots; NONE: whatever it is, none */
	uint64_t value[FEW];
	unsigned n;
	bool open; /* any value: nothing is claimed */
	expr now;  /* 0: to be made again */
};

struct states {
	struct run *r;
	struct model *m;
	struct ts_unroll u;
	uint32_t number[MOST_NUMBERS], numbers; /* slots */
	uint32_t *ghost, ghosts;                /* the first is NONE */
	struct claim *claim;
	size_t claims;    /* by cut, ghost, number + 1 */
	uint32_t *place;  /* by slot: its first latch, as prove_visit has them */
	uint32_t latches; /* in all */
	struct lanes *lanes;
	bool grown;    /* something new was added */
	bool *armed;   /* room: by ghost */
	unsigned most; /* values that are told apart */
	double until;
};

static bool is_ghost(const struct ts_slot *s)
{
	return s->kind == SLOT_GHOST && s->width == 1;
}

/* Ghosts: as many, from that one of the cone on. */
static void find_slots(struct states *s, uint32_t first, uint32_t n)
{
	uint32_t ghost = 0;
	uint32_t at = s->m->ts.pc_width;
	s->place = zeroed(s->m->ts.slots, sizeof *s->place);
	*PUSH(s->ghost, s->ghosts) = NONE;
	for (uint32_t i = 0; i < s->r->cone.slots; i++) {
		const struct ts_slot *slot = &s->m->ts.slot[s->r->cone.slot[i]];
		s->place[s->r->cone.slot[i]] = at;
		at += slot->width;
		if (is_ghost(slot) && ghost++ - first < n)
			*PUSH(s->ghost, s->ghosts) = s->r->cone.slot[i];
		else if (slot->kind != SLOT_GHOST && slot->kind != SLOT_USE
		    && s->numbers < MOST_NUMBERS)
			s->number[s->numbers++] = s->r->cone.slot[i];
	}
	s->latches = at;
	s->armed = zeroed(s->ghosts, sizeof *s->armed);
	s->armed[0] = true;
}

/* Claims without a ghost, and what was settled of them. */
struct plain {
	struct claim *claim;
	size_t claims;
	uint32_t numbers;
	bool settled;
};

/* With a ghost, what is the same whatever it is need not be claimed again. */
static struct claim first_claim(
    const struct states *s, const struct plain *p, uint32_t cut, uint32_t g, uint32_t k)
{
	const struct claim *known = p->settled && k <= p->numbers
	    ? &p->claim[(size_t)(cut - 2) * (p->numbers + 1) + k]
	    : NULL;
	struct claim c = { .cut = cut, .ghost = s->ghost[g], .slot = k ? s->number[k - 1] : NONE };
	if (known && !g)
		return *known;
	c.open = known && !known->open && known->n <= 1;
	return c;
}

static void make_claims(struct states *s, const struct plain *p)
{
	size_t at = s->m->ts.cuts > 1 ? s->m->ts.cuts - 1 : 0;
	if (at * s->ghosts > MOST_CLAIMS)
		return;
	while (s->numbers && at * s->ghosts * (s->numbers + 1) > MOST_CLAIMS)
		s->numbers--;
	for (uint32_t cut = 2; cut <= s->m->ts.cuts; cut++)
		for (uint32_t g = 0; g < s->ghosts; g++)
			for (uint32_t k = 0; k <= s->numbers; k++)
				*PUSH(s->claim, s->claims) = first_claim(s, p, cut, g, k);
}

static expr make(const struct states *s, const struct claim *c)
{
	struct model *m = s->m;
	expr e =
	    expr_not(m->pool, prove_equal(m, m->ts.pc, prove_const(m, m->ts.pc_width, c->cut)));
	if (c->ghost != NONE)
		e = prove_or(m, e, expr_not(m->pool, m->ts.slot[c->ghost].latch));
	for (unsigned i = 0; i < c->n; i++)
		e = prove_or(m, e,
		    prove_equal(m, m->ts.slot[c->slot].latch,
		        prove_const(m, m->ts.slot[c->slot].width, c->value[i])));
	return e;
}

static void know(const struct states *s, expr latch)
{
	const lit *l = blast_expr(s->u.step[1], latch);
	for (unsigned k = 0; k < expr_width(s->m->pool, latch); k++)
		cnf_know(s->u.cnf, l[k]);
}

/* Ghosts only watch: without a claim about them they are left out. */
static bool is_told(const struct states *s, uint32_t slot)
{
	return s->ghosts > 1
	    || (s->m->ts.slot[slot].kind != SLOT_GHOST && s->m->ts.slot[slot].kind != SLOT_USE);
}

/* Tells the solver which values add_step will read. */
static void know_step(struct states *s)
{
	if (s->u.steps < 2)
		ts_unroll_step(&s->u);
	know(s, s->m->ts.pc);
	for (uint32_t i = 0; i < s->r->cone.slots; i++)
		if (is_told(s, s->r->cone.slot[i]))
			know(s, s->m->ts.slot[s->r->cone.slot[i]].latch);
}

/* False when it is known. */
static bool add_value(struct states *s, struct claim *c, uint64_t v)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->value[i] == v)
			return false;
	c->now = 0;
	c->open = c->slot == NONE || c->n >= s->most;
	if (!c->open)
		c->value[c->n++] = v;
	return true;
}

/* A state of the system: pc, the numbers, and which ghosts are armed. */
struct seen {
	uint64_t pc, v[MOST_NUMBERS];
	const bool *armed;
};

/* False when nothing of it is new. */
static bool add_state(struct states *s, const struct seen *is)
{
	size_t each = (size_t)s->ghosts * (s->numbers + 1), at = (is->pc - 2) * each;
	bool grown = false;
	for (size_t i = 0; i < each && is->pc >= 2 && at + i < s->claims; i++) {
		struct claim *c = &s->claim[at + i];
		size_t k = i % (s->numbers + 1);
		if (!c->open && is->armed[i / (s->numbers + 1)])
			grown |= add_value(s, c, k ? is->v[k - 1] : 0);
	}
	return grown;
}

static uint64_t lane_bits(const uint64_t *latch, unsigned width, unsigned lane)
{
	uint64_t v = 0;
	for (unsigned k = 0; k < width; k++)
		v |= (latch[k] >> lane & 1) << k;
	return v;
}

/* Adds states that drawn runs come to: they need no question. */
static void add_visited(void *ctx, const uint64_t *latch)
{
	struct states *s = ctx;
	struct model *m = s->m;
	for (unsigned lane = 0; lane < 64; lane++) {
		struct seen is = { .pc = lane_bits(latch, m->ts.pc_width, lane),
			.armed = s->armed };
		for (uint32_t k = 0; k < s->numbers && is.pc >= 2; k++)
			is.v[k] = lane_bits(
			    latch + s->place[s->number[k]], m->ts.slot[s->number[k]].width, lane);
		for (uint32_t g = 1; g < s->ghosts && is.pc >= 2; g++)
			s->armed[g] = latch[s->place[s->ghost[g]]] >> lane & 1;
		s->grown |= add_state(s, &is);
	}
}

static void put_bits(const struct states *s, expr latch, uint64_t *to)
{
	const lit *l = blast_expr(s->u.step[1], latch);
	for (unsigned k = 0; k < expr_width(s->m->pool, latch); k++)
		to[k] = cnf_value(s->u.cnf, l[k]) ? UINT64_MAX : 0;
}

/* Adds the state that the solver's step leads to, and those that runs from there come to. False
 * when none is new. */
static bool add_step(struct states *s)
{
	uint64_t *state = zeroed(s->latches, sizeof *state);
	const struct ts_cone *c = &s->r->cone;
	put_bits(s, s->m->ts.pc, state);
	for (uint32_t i = 0; i < c->slots; i++)
		if (is_told(s, c->slot[i]))
			put_bits(s, s->m->ts.slot[c->slot[i]].latch, state + s->place[c->slot[i]]);
	s->grown = false;
	add_visited(s, state);
	if (s->grown)
		prove_lanes_run(s->lanes, state);
	free(state);
	return s->grown;
}

/* All of these claims in a step. Halves, so that where few change most of it is known. */
static lit all_hold(struct states *s, size_t step, size_t from, size_t to)
{
	struct claim *c = &s->claim[from];
	if (to - from > 1)
		return aig_and(s->u.g, all_hold(s, step, from, (from + to) / 2),
		    all_hold(s, step, (from + to) / 2, to));
	if (c->open)
		return LIT_TRUE;
	c->now = c->now ? c->now : make(s, c);
	return ts_unroll_lit(&s->u, step, c->now);
}

/* A step from where all claims hold to where one does not. */
static enum cnf_answer leave(struct states *s)
{
	cnf_assume(s->u.cnf, all_hold(s, 0, 0, s->claims));
	cnf_assume(s->u.cnf, lit_not(all_hold(s, 1, 0, s->claims)));
	return cnf_solve(s->u.cnf, -1, s->until);
}

/* False when the time limit was reached. When half of it is, only single values are told apart, and
 * later what does not hold is given up at once. */
static bool settle(struct states *s)
{
	double began = clock_now(), quarter = (s->until - began) / 4;
	enum cnf_answer a;
	for (int i = 0; i < DRAWN && s->grown; i++) {
		s->grown = false;
		prove_lanes_run(s->lanes, NULL);
	}
	know_step(s);
	while ((a = leave(s)) == CNF_SAT && add_step(s) && !prove_enough(s->r)
	    && clock_now() < s->until)
		s->most =
		    clock_now() < began + 2 * quarter ? FEW : clock_now() < began + 3 * quarter;
	return a == CNF_UNSAT;
}

static void tell_settled(struct states *s)
{
	expr *fact = zeroed(s->claims, sizeof *fact);
	size_t n = 0;
	for (size_t i = 0; i < s->claims; i++)
		if (!s->claim[i].open)
			fact[n++] = s->claim[i].now;
	prove_conclude(s->r, "states", fact, n);
	free(fact);
}

/* With these ghosts; what is known without any is taken over, or told. */
static void look(struct run *r, struct plain *p, uint32_t first, uint32_t ghosts, double until)
{
	struct states s = { .r = r,
		.m = r->m,
		.u = ts_unroll(&r->m->ts, &r->cone, false),
		.most = FEW,
		.grown = true,
		.until = until };
	bool settled;
	find_slots(&s, first, ghosts);
	make_claims(&s, p);
	s.lanes = prove_lanes(r, add_visited, &s);
	if ((settled = s.claims && settle(&s)))
		tell_settled(&s);
	if (!ghosts)
		*p = (struct plain){ s.claim, s.claims, s.numbers, settled };
	else
		free(s.claim);
	prove_lanes_free(s.lanes);
	ts_unroll_free(&s.u);
	free(s.ghost);
	free(s.place);
	free(s.armed);
}

/* Without ghosts for half of the time; then with all, in groups where they are too many at once. */
void prove_stage_states(struct run *r)
{
	struct plain p = { 0 };
	uint32_t ghosts = 0, group;
	look(r, &p, 0, 0, clock_now() + (r->deadline - clock_now()) / 2);
	for (uint32_t i = 0; i < r->cone.slots; i++)
		ghosts += is_ghost(&r->m->ts.slot[r->cone.slot[i]]);
	group = p.claims ? (uint32_t)(MOST_CLAIMS / p.claims) : 0;
	group = group > 2 ? group - 1 : 1;
	for (uint32_t first = 0; first < ghosts && p.settled && r->opens && !prove_enough(r);
	    first += group) {
		uint32_t left = (ghosts - first + group - 1) / group;
		look(r, &p, first, group, clock_now() + (r->deadline - clock_now()) / left);
	}
	free(p.claim);
}
