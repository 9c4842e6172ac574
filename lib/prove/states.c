/* states: finds variables that have few values at a loop head, first in all runs, then also in the
 * runs in which a definition is still the last one there. It begins with no values; the solver
 * finds steps that lead to other values, which are added until there is no such step: then the
 * claim is inductive. A variable that has more than a few values is given up; one that is only set
 * to constants, such as the state of a protocol machine, may have many. */
#include "lib/prove/inner.h"

#include <stdlib.h>
#include <string.h>

#define FEW 6           /* values */
#define MANY 64         /* values of a variable that is set to constants */
#define FEWEST 3        /* that tell states apart */
#define MOST_NUMBERS 48 /* slots that are examined */
#define MOST_CLAIMS 8192
#define KEYS 4  /* slots of two values that are combined with the splitting number */
#define DRAWN 8 /* times 64 runs to begin with */

/* Claims that a slot has one of n values at a cut while a ghost is armed and another slot, or two,
 * have given values. Without a slot, n = 0 claims that this state is never reached. */
struct claim {
	uint32_t cut, ghost, slot, other, key; /* slots; NONE: no condition */
	uint64_t is, has;                      /* of `other`, of `key` */
	uint32_t
	    split; /* 1 + the first of the claims for each value of the splitting number; 0: none */
	uint64_t value[MANY];
	unsigned n;
	bool open; /* any value is possible: nothing is claimed */
	expr now;  /* 0: to be made again */
};

struct states {
	struct prover *r;
	struct encoding *m;
	struct ts_unroll u;
	uint32_t number[MOST_NUMBERS], numbers; /* slots */
	uint32_t *ghost, ghosts;                /* the first is NONE */
	struct claim *claim;
	size_t claims;            /* by cut, ghost, number + 1; then the claims with `other` */
	uint32_t split;           /* 1 + the number that states are split by now; 0: none */
	uint32_t key[KEYS], keys; /* numbers whose values are combined with it */
	bool *control;            /* by slot: it is only set to constants */
	uint32_t *place;          /* by slot: its first latch in the states of lanes */
	uint32_t latches;         /* in all */
	struct lanes *lanes;
	bool grown;    /* something new was added */
	bool *armed;   /* room: by ghost */
	unsigned most; /* values that states are split by */
	double until;
};

static bool is_ghost(const struct ts_slot *s)
{
	return s->kind == SLOT_GHOST && s->width == 1;
}

/* The values that a step may leave in a slot, whatever the conditions are. */
struct sources {
	uint32_t *slot; /* other slots that it is a copy of */
	size_t slots;
	bool constants; /* it may be set to something else than constants and copies */
};

/* slot_of: by variable, 1 + its slot or 0. seen: scratch space, by expression. */
static struct sources find_sources(
    const struct encoding *m, expr next, const uint32_t *slot_of, uint32_t *seen, uint32_t round)
{
	struct sources s = { .constants = true };
	expr *open = NULL;
	size_t n = 0;
	*PUSH(open, n) = next;
	while (n && s.constants) {
		expr e = open[--n];
		struct value v;
		if (seen[e] == round || expr_is_const(m->pool, e, &v))
			continue;
		seen[e] = round;
		if (expr_op(m->pool, e) == OP_ITE) {
			*PUSH(open, n) = expr_operand(m->pool, e, 1);
			*PUSH(open, n) = expr_operand(m->pool, e, 2);
		} else if (expr_op(m->pool, e) == OP_INPUT && slot_of[expr_input_var(m->pool, e)]) {
			*PUSH(s.slot, s.slots) = slot_of[expr_input_var(m->pool, e)] - 1;
		} else {
			s.constants = false;
		}
	}
	free(open);
	return s;
}

/* Of the slots of the cone: which are only set to constants, and to copies of such slots? */
static bool *find_control(const struct prover *r)
{
	const struct encoding *m = r->m;
	uint32_t *slot_of = zeroed(expr_var_count(m->pool) + 1, sizeof *slot_of);
	uint32_t *seen = zeroed(expr_count(m->pool) + 1, sizeof *seen);
	struct sources *of = zeroed(m->ts.slots, sizeof *of);
	bool *control = zeroed(m->ts.slots, sizeof *control), changed = true;
	for (uint32_t i = 0; i < r->cone.slots; i++)
		slot_of[expr_input_var(m->pool, m->ts.slot[r->cone.slot[i]].latch)] =
		    1 + r->cone.slot[i];
	for (uint32_t i = 0; i < r->cone.slots; i++) {
		uint32_t slot = r->cone.slot[i];
		of[slot] = find_sources(m, m->ts.slot[slot].next, slot_of, seen, i + 1);
		control[slot] = of[slot].constants;
	}
	while (changed) {
		changed = false;
		for (uint32_t slot = 0; slot < m->ts.slots; slot++)
			for (size_t k = 0; k < of[slot].slots && control[slot]; k++)
				if (!control[of[slot].slot[k]]) {
					control[slot] = false;
					changed = true;
				}
	}
	for (uint32_t slot = 0; slot < m->ts.slots; slot++)
		free(of[slot].slot);
	free(of);
	free(seen);
	free(slot_of);
	return control;
}

/* n ghosts, from ghost `first` of the cone on. */
static void find_slots(struct states *s, uint32_t first, uint32_t n)
{
	uint32_t ghost = 0;
	uint32_t at = s->m->ts.pc_width;
	s->control = find_control(s->r);
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

/* Claims without a ghost, and what was found for them. */
struct plain {
	struct claim *claim;
	size_t claims, whole; /* whole: those without `other`, which come first */
	uint32_t numbers;
	bool settled;
};

/* 1 + the number with the most values, if it can split the states; 0: none. */
static uint32_t find_split(const struct plain *p, size_t cuts)
{
	uint32_t best = 0;
	size_t values = FEWEST - 1, all = 0;
	for (uint32_t k = 1; k <= p->numbers; k++) {
		size_t most = 0, sum = 0;
		for (size_t cut = 0; cut < cuts; cut++) {
			const struct claim *c = &p->claim[cut * (p->numbers + 1) + k];
			sum += c->open ? 0 : c->n;
			most = !c->open && c->n > most ? c->n : most;
		}
		if (most > values) {
			best = k;
			values = most;
			all = sum;
		}
	}
	return all * p->numbers + p->claims <= MOST_CLAIMS ? best : 0;
}

/* A claim with a ghost need not repeat what holds without one. */
static struct claim first_claim(
    const struct states *s, const struct plain *p, uint32_t cut, uint32_t g, uint32_t k)
{
	const struct claim *known = p->settled && k <= p->numbers
	    ? &p->claim[(size_t)(cut - 2) * (p->numbers + 1) + k]
	    : NULL;
	struct claim c = { .cut = cut,
		.ghost = s->ghost[g],
		.slot = k ? s->number[k - 1] : NONE,
		.other = NONE,
		.key = NONE };
	if (known && !g)
		return *known;
	c.open = known && !known->open && known->n <= 1;
	return c;
}

/* split: 1 + the number that states are split by; 0: none. */
static void make_claims(struct states *s, const struct plain *p, uint32_t split)
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
	for (size_t i = p->whole; i < p->claims && !split; i++)
		*PUSH(s->claim, s->claims) = p->claim[i];
}

/* Adds claims for each value of each key combined with one value of the splitting number. `by` is
 * the claims for that value alone, which the new ones may only narrow. */
static void split_by_keys(struct states *s, size_t by)
{
	for (uint32_t i = 0; i < 2 * s->keys; i++)
		for (uint32_t j = 0; j < s->numbers; j++) {
			const struct claim *key = &s->claim[by + s->key[i / 2]];
			struct claim c = s->claim[by + j];
			bool two = !key->open && key->n == 2;
			c.open = !two || (!c.open && c.n < 2) || j == s->key[i / 2];
			c.key = key->slot;
			c.has = two ? key->value[i % 2] : 0;
			c.n = 0;
			c.now = 0;
			*PUSH(s->claim, s->claims) = c;
		}
}

/* How many claims are there for each value? */
static size_t claims_each(const struct states *s)
{
	return (size_t)s->numbers * (1 + 2 * s->keys);
}

/* Adds claims for each value of a number, beginning with what is already known. */
static void split_claims(struct states *s, const struct plain *p, uint32_t k)
{
	size_t known = p->whole;
	s->split = k;
	for (size_t i = k; i < p->whole; i += s->numbers + 1) {
		if (s->claim[i].open)
			continue;
		s->claim[i].split = (uint32_t)s->claims + 1;
		for (unsigned v = 0; v < s->claim[i].n; v++) {
			size_t first = s->claims;
			for (uint32_t j = 0; j < s->numbers; j++) {
				struct claim c = { .cut = s->claim[i].cut,
					.ghost = NONE,
					.slot = s->number[j],
					.other = s->claim[i].slot,
					.is = s->claim[i].value[v],
					.key = NONE };
				*PUSH(s->claim, s->claims) =
				    known < p->claims ? p->claim[known] : c;
				known++;
			}
			split_by_keys(s, first);
		}
	}
}

static expr differs(struct encoding *m, uint32_t slot, uint64_t from)
{
	const struct ts_slot *s = &m->ts.slot[slot];
	return expr_not(m->pool, prove_equal(m, s->latch, prove_const(m, s->width, from)));
}

static expr make(const struct states *s, const struct claim *c)
{
	struct encoding *m = s->m;
	expr e =
	    expr_not(m->pool, prove_equal(m, m->ts.pc, prove_const(m, m->ts.pc_width, c->cut)));
	if (c->ghost != NONE)
		e = prove_or(m, e, expr_not(m->pool, m->ts.slot[c->ghost].latch));
	if (c->other != NONE)
		e = prove_or(m, e, differs(m, c->other, c->is));
	if (c->key != NONE)
		e = prove_or(m, e, differs(m, c->key, c->has));
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

/* A ghost only observes: it is left out if no claim is about it. */
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

/* The most values that a claim may have at present. */
static unsigned most_values(const struct states *s, const struct claim *c)
{
	return c->slot == NONE ? 0 : s->control[c->slot] && s->most == FEW ? MANY : s->most;
}

/* False when the claim already has the value. */
static bool add_value(struct states *s, struct claim *c, uint64_t v)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->value[i] == v)
			return false;
	c->now = 0;
	c->open = c->n >= most_values(s, c);
	if (!c->open)
		c->value[c->n++] = v;
	return true;
}

/* A state of the system: pc, the numbers, and which ghosts are armed. */
struct visited_state {
	uint64_t pc, v[MOST_NUMBERS];
	const bool *armed;
};

/* Adds the state's values to a group of claims, one for each number. */
static bool add_values(struct states *s, struct claim *to, const struct visited_state *is)
{
	bool grown = false;
	for (uint32_t j = 0; j < s->numbers; j++)
		if (!to[j].open)
			grown |= add_value(s, &to[j], is->v[j]);
	return grown;
}

/* The claims for the state's value of the splitting number. */
static bool add_split(struct states *s, const struct visited_state *is)
{
	const struct claim *c = &s->claim[(is->pc - 2) * (s->numbers + 1) + s->split];
	struct claim *to;
	unsigned v = 0;
	bool grown;
	while (v < c->n && c->value[v] != is->v[s->split - 1])
		v++;
	if (!c->split || v == c->n)
		return false;
	to = &s->claim[c->split - 1 + v * claims_each(s)];
	grown = add_values(s, to, is);
	for (uint32_t i = 0; i < 2 * s->keys; i++) {
		to += s->numbers;
		if (to->has == is->v[s->key[i / 2]])
			grown |= add_values(s, to, is);
	}
	return grown;
}

/* False when the state adds nothing new. */
static bool add_state(struct states *s, const struct visited_state *is)
{
	size_t each = (size_t)s->ghosts * (s->numbers + 1), at = (is->pc - 2) * each;
	bool grown = false;
	for (size_t i = 0; i < each && is->pc >= 2 && at + i < s->claims; i++) {
		struct claim *c = &s->claim[at + i];
		size_t k = i % (s->numbers + 1);
		if (!c->open && is->armed[i / (s->numbers + 1)])
			grown |= add_value(s, c, k ? is->v[k - 1] : 0);
	}
	if (s->split && is->pc >= 2)
		grown |= add_split(s, is);
	return grown;
}

static uint64_t lane_bits(const uint64_t *latch, unsigned width, unsigned lane)
{
	uint64_t v = 0;
	for (unsigned k = 0; k < width; k++)
		v |= (latch[k] >> lane & 1) << k;
	return v;
}

/* Adds the states that simulated runs reach; these need no query. */
static void add_visited(void *ctx, const uint64_t *latch)
{
	struct states *s = ctx;
	struct encoding *m = s->m;
	for (unsigned lane = 0; lane < 64; lane++) {
		struct visited_state is = { .pc = lane_bits(latch, m->ts.pc_width, lane),
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

/* Adds the state that the solver's step leads to, and states of simulated runs from there. False
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

/* A literal for "all of these claims hold in this step", built as a balanced tree. */
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

/* Asks for a step from a state where all claims hold to one where some claim does not. */
static enum cnf_answer leave(struct states *s)
{
	cnf_assume(s->u.cnf, all_hold(s, 0, 0, s->claims));
	cnf_assume(s->u.cnf, lit_not(all_hold(s, 1, 0, s->claims)));
	return cnf_solve(s->u.cnf, -1, s->until);
}

/* Adds values until the claims are inductive. False when the time limit was reached. After half of
 * the time, states are no longer split, and later a claim that fails is given up at once. */
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

static void tell_settled(struct prover *r, const struct claim *claim, size_t n)
{
	expr *fact = zeroed(n, sizeof *fact);
	size_t facts = 0;
	for (size_t i = 0; i < n; i++)
		if (!claim[i].open)
			fact[facts++] = claim[i].now;
	prove_conclude(r, "states", fact, facts);
	free(fact);
}

static void free_states(struct states *s)
{
	prove_lanes_free(s->lanes);
	ts_unroll_free(&s->u);
	free(s->ghost);
	free(s->place);
	free(s->control);
	free(s->armed);
}

static struct states begin(struct prover *r, double until)
{
	return (struct states){ .r = r,
		.m = r->m,
		.u = ts_unroll(&r->m->ts, &r->cone, false),
		.most = FEW,
		.grown = true,
		.until = until };
}

/* Finds slots of two values, bits first, such as whether a local was written: the behaviour of a
 * protocol machine may depend on one. */
static void find_keys(struct states *s, const struct plain *p)
{
	size_t each = p->claims - p->whole;
	for (unsigned wide = 0; wide < 2; wide++)
		for (uint32_t j = 0; j < s->numbers && s->keys < KEYS; j++) {
			bool two = false;
			for (size_t i = j + 1; i < p->whole; i += s->numbers + 1)
				two |= !p->claim[i].open && p->claim[i].n == 2;
			if (two && (s->m->ts.slot[s->number[j]].width > 1) == wide
			    && s->claims + each * (3 + 2 * s->keys) <= MOST_CLAIMS)
				s->key[s->keys++] = j;
		}
}

/* Finds claims without ghosts; when these are known, for each value of a number; then for each
 * value of a number and of a key. The results are kept. */
static void look_plain(struct prover *r, struct plain *p, uint32_t split, double until)
{
	struct states s = begin(r, until);
	bool settled;
	find_slots(&s, 0, 0);
	make_claims(&s, p, split);
	if (split && s.claims && p->claims > p->whole)
		find_keys(&s, p);
	if (split && s.claims)
		split_claims(&s, p, split);
	s.lanes = prove_lanes(r, add_visited, &s);
	settled = s.claims && settle(&s);
	if (!p->settled || settled) {
		free(p->claim);
		*p = (struct plain){ s.claim, s.claims,
			(size_t)(r->m->ts.cuts - 1) * (s.numbers + 1), s.numbers, settled };
	} else {
		free(s.claim);
	}
	free_states(&s);
}

/* Finds claims with these ghosts, using what is known without ghosts. Closes goals that contradict
 * the claims; false when the time limit was reached before. */
static bool look(
    struct prover *r, const struct plain *p, uint32_t first, uint32_t ghosts, double until)
{
	struct states s = begin(r, until);
	bool settled;
	find_slots(&s, first, ghosts);
	make_claims(&s, p, 0);
	s.lanes = prove_lanes(r, add_visited, &s);
	if ((settled = s.claims && settle(&s)))
		tell_settled(r, s.claim, s.claims);
	free(s.claim);
	free_states(&s);
	return settled;
}

static double part_of(const struct prover *r, double share)
{
	return clock_now() + (r->deadline - clock_now()) * share;
}

/* Finds claims with all ghosts, in groups if there are too many for one. */
static void look_with(struct prover *r, const struct plain *p, uint32_t ghosts)
{
	uint32_t group = p->whole ? (uint32_t)(MOST_CLAIMS / p->whole) : 0;
	bool told = false;
	group = group > 2 ? group - 1 : 1;
	if (ghosts <= group && ghosts)
		told = look(r, p, 0, ghosts, part_of(r, 0.6));
	if (!told && r->opens)
		tell_settled(r, p->claim, p->claims);
	for (uint32_t first = 0; first < ghosts && ghosts > group && r->opens && !prove_enough(r);
	    first += group)
		look(r, p, first, group, part_of(r, (double)group / (ghosts - first + group)));
}

/* Half of the time is for claims without ghosts, then split by the number with the most values;
 * then come claims with ghosts, and last the keys. */
void prove_stage_states(struct prover *r)
{
	struct plain p = { 0 };
	uint32_t ghosts = 0, split = 0;
	look_plain(r, &p, 0, part_of(r, 0.5));
	if (p.settled && (split = find_split(&p, r->m->ts.cuts - 1)))
		look_plain(r, &p, split, part_of(r, 0.4));
	for (uint32_t i = 0; i < r->cone.slots; i++)
		ghosts += is_ghost(&r->m->ts.slot[r->cone.slot[i]]);
	if (p.settled)
		look_with(r, &p, ghosts);
	if (p.claims > p.whole && r->opens && !prove_enough(r)) {
		size_t before = p.claims;
		look_plain(r, &p, split, r->deadline);
		if (p.claims > before)
			tell_settled(r, p.claim, p.claims);
	}
	free(p.claim);
}
