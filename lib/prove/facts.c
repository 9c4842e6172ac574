/* facts: invariants of the cuts. Runs of the system on drawn inputs suggest them: constants,
 * bounds, remainders, order and sums of values, elements of arrays that a counter has passed, at
 * each cut, and of ghosts being armed there; those that all together are inductive remain (Houdini,
 * of Flanagan and Leino). Nothing rests on the runs: what they suggest is proved. */
#include "lib/prove/inner.h"

#include <stdlib.h>
#include <string.h>

#define RUNS 48
#define STEPS 160        /* of a run */
#define MOST_SAMPLES 400 /* at a cut */
#define MOST_NUMBERS 48  /* slots that are looked at */
#define MOST_GHOSTS 32   /* that are looked at together with each */
#define MOST_SUMS 10     /* of them for facts of three */
#define MOST_FACTS 6000
#define MOST_CELLS 256   /* elements of arrays that are looked at */
#define MOST_ELEMENTS 64 /* of one array */
#define MOST_COUNTERS 12 /* that may have passed them */

struct sample {
	uint64_t *v;
}; /* by number, then a word a ghost */
struct samples {
	struct sample *at;
	size_t n;
};
struct facts {
	struct run *r;
	struct model *m;
	uint32_t number[MOST_NUMBERS], numbers; /* slots */
	uint32_t *ghost, ghosts;
	struct {
		uint32_t slot, index;
	} cell[MOST_CELLS];
	uint32_t cells;
	struct samples *cut; /* by number of the cut */
	expr *fact;
	size_t n;
	struct simulator sim;
};

static int64_t as_signed(uint64_t v, unsigned width)
{
	return (int64_t)(v << (64 - width)) >> (64 - width);
}

/* ---- what runs look like */

static bool is_array(const struct object *o)
{
	bool same = o->cells > 1 && o->cells <= MOST_ELEMENTS && !o->cell[0].pointer;
	for (uint32_t k = 1; same && k < o->cells; k++)
		same =
		    o->cell[k].size == o->cell[0].size && o->cell[k].offset == k * o->cell[0].size;
	return same;
}

/* Elements of arrays within the cone; element: by slot, it is one. */
static void find_cells(struct facts *f, bool *element)
{
	const struct cone *c = &f->r->cone;
	bool *used = prove_room(f->m->slots, sizeof *used);
	for (uint32_t i = 0; i < c->slots; i++)
		used[c->slot[i]] = true;
	for (uint32_t i = 0; i < f->m->objects; i++) {
		const struct object *o = &f->m->object[i];
		for (uint32_t k = 0; k < o->cells && is_array(o) && f->cells < MOST_CELLS; k++)
			if (used[o->cell[k].slot]) {
				element[o->cell[k].slot] = true;
				f->cell[f->cells].slot = o->cell[k].slot;
				f->cell[f->cells++].index = k;
			}
	}
	free(used);
}

static void find_slots(struct facts *f)
{
	const struct cone *c = &f->r->cone;
	bool *element = prove_room(f->m->slots, sizeof *element);
	f->ghost = prove_room(c->slots, sizeof *f->ghost);
	find_cells(f, element);
	for (uint32_t i = 0; i < c->slots; i++) {
		const struct slot *s = &f->m->slot[c->slot[i]];
		if (s->kind == SLOT_GHOST && s->width == 1)
			f->ghost[f->ghosts++] = c->slot[i];
		else if (s->kind != SLOT_USE && s->width >= 8 && f->numbers < MOST_NUMBERS
		    && !element[c->slot[i]])
			f->number[f->numbers++] = c->slot[i];
	}
	for (uint32_t i = 0; i < f->cells && f->numbers < MOST_NUMBERS; i++)
		if (f->m->slot[f->cell[i].slot].width >= 8)
			f->number[f->numbers++] = f->cell[i].slot;
	free(element);
}

static bool keep(void *ctx, const struct simulator *sim, size_t step, uint64_t pc)
{
	struct facts *f = ctx;
	struct samples *s = &f->cut[pc];
	uint64_t *v;
	(void)step;
	if (pc < 2 || s->n >= MOST_SAMPLES)
		return true;
	v = prove_room(f->numbers + f->ghosts + f->cells, sizeof *v);
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
	f->cut = prove_room(f->m->cuts + 1, sizeof *f->cut);
	for (int i = 0; i < RUNS; i++)
		prove_simulate(&f->sim, STEPS, keep, f);
}

/* ---- what they suggest */

/* Where a fact is to hold: at a cut, and with a ghost armed (NONE: whatever it is). */
struct scope {
	uint32_t cut;
	uint32_t ghost;
	expr other;
}; /* other: it is not there */

static void suggest(struct facts *f, const struct scope *s, expr fact)
{
	expr e = prove_or(f->m, s->other, fact);
	struct value v;
	if (f->n < MOST_FACTS && !expr_is_const(f->m->pool, e, &v))
		*PUSH(f->fact, f->n) = e;
}

static expr compare(struct facts *f, enum op op, expr a, expr b)
{
	return expr_make(f->m->pool, op, 1, a, b, 0);
}

static bool holds_for(const struct facts *f, const struct scope *s, size_t k)
{
	return s->ghost == NONE || f->cut[s->cut].at[k].v[f->numbers + s->ghost];
}

struct seen {
	bool any;
	int64_t low, high;
	uint64_t ulow, uhigh, step;
};

static struct seen look(
    const struct facts *f, const struct scope *s, uint32_t number, unsigned width)
{
	struct seen is = { 0 };
	uint64_t first = 0;
	for (size_t k = 0; k < f->cut[s->cut].n; k++) {
		uint64_t v = f->cut[s->cut].at[k].v[number], apart;
		int64_t n = as_signed(v, width);
		if (!holds_for(f, s, k))
			continue;
		if (!is.any) {
			is = (struct seen){ true, n, n, v, v, 0 };
			first = v;
		}
		is.low = n < is.low ? n : is.low;
		is.high = n > is.high ? n : is.high;
		is.ulow = v < is.ulow ? v : is.ulow;
		is.uhigh = v > is.uhigh ? v : is.uhigh;
		for (apart = v > first ? v - first : first - v; apart;) {
			uint64_t rest = is.step % apart;
			is.step = apart;
			apart = rest;
		}
	}
	return is;
}

/* Bounds: what was seen, and the nearest constants of the program beyond. */
static void suggest_bounds(
    struct facts *f, const struct scope *s, expr e, unsigned width, const struct seen *is)
{
	struct model *m = f->m;
	int64_t low = width < 64 ? -(INT64_C(1) << (width - 1)) : INT64_MIN, high = -(low + 1),
	        near[] = { 0, 1, -1 };
	uint64_t uhigh = UINT64_MAX;
	for (unsigned i = 0; i < f->sim.constants + 3; i++) {
		int64_t c = i < 3 ? near[i] : as_signed(f->sim.constant[i - 3], width);
		for (int by = -1; by <= 1; by++) {
			int64_t k = (int64_t)((uint64_t)c + (uint64_t)by);
			low = k <= is->low && k > low ? k : low;
			high = k >= is->high && k < high ? k : high;
			uhigh =
			    (uint64_t)k >= is->uhigh && (uint64_t)k < uhigh ? (uint64_t)k : uhigh;
		}
	}
	suggest(f, s, compare(f, OP_SLE, prove_const(m, width, (uint64_t)is->low), e));
	suggest(f, s, compare(f, OP_SLE, e, prove_const(m, width, (uint64_t)is->high)));
	suggest(f, s, compare(f, OP_SLE, prove_const(m, width, (uint64_t)low), e));
	suggest(f, s, compare(f, OP_SLE, e, prove_const(m, width, (uint64_t)high)));
	suggest(f, s, compare(f, OP_ULE, prove_const(m, width, is->ulow), e));
	suggest(f, s, compare(f, OP_ULE, e, prove_const(m, width, is->uhigh)));
	if (uhigh <= bits_mask(width))
		suggest(f, s, compare(f, OP_ULE, e, prove_const(m, width, uhigh)));
}

static void suggest_number(struct facts *f, const struct scope *s, uint32_t number)
{
	struct model *m = f->m;
	const struct slot *slot = &m->slot[f->number[number]];
	struct seen is = look(f, s, number, slot->width);
	if (!is.any)
		return;
	if (is.ulow == is.uhigh)
		suggest(f, s, prove_equal(m, slot->latch, prove_const(m, slot->width, is.ulow)));
	suggest_bounds(f, s, slot->latch, slot->width, &is);
	if (is.step > 1 && is.step <= 4096 && s->ghost == NONE)
		suggest(f, s,
		    prove_equal(m,
		        expr_make(m->pool, OP_UREM, slot->width, slot->latch,
		            prove_const(m, slot->width, is.step), 0),
		        prove_const(m, slot->width, is.ulow % is.step)));
}

/* Order and distance of two; order of a sum of two and a third. */
static void suggest_relations(struct facts *f, const struct scope *s, uint32_t i, uint32_t k)
{
	struct model *m = f->m;
	const struct slot *a = &m->slot[f->number[i]], *b = &m->slot[f->number[k]];
	const struct samples *at = &f->cut[s->cut];
	bool below = true, above = true, less = true, more = true;
	int64_t low = INT64_MAX, high = INT64_MIN;
	expr apart;
	if (a->width != b->width)
		return;
	for (size_t n = 0; n < at->n; n++) {
		int64_t x = as_signed(at->at[n].v[i], a->width),
		        y = as_signed(at->at[n].v[k], a->width);
		int64_t d = as_signed((uint64_t)x - (uint64_t)y, a->width);
		below &= x <= y;
		above &= x >= y;
		less &= x < y;
		more &= x > y;
		low = d < low ? d : low;
		high = d > high ? d : high;
	}
	if (below)
		suggest(f, s, compare(f, OP_SLE, a->latch, b->latch));
	if (above)
		suggest(f, s, compare(f, OP_SLE, b->latch, a->latch));
	if (less)
		suggest(f, s, compare(f, OP_SLT, a->latch, b->latch));
	if (more)
		suggest(f, s, compare(f, OP_SLT, b->latch, a->latch));
	if (low <= high && (uint64_t)high - (uint64_t)low <= 4) {
		apart = expr_make(m->pool, OP_SUB, a->width, a->latch, b->latch, 0);
		apart = expr_make(
		    m->pool, OP_SUB, a->width, apart, prove_const(m, a->width, (uint64_t)low), 0);
		suggest(f, s,
		    compare(f, OP_ULE, apart,
		        prove_const(m, a->width, (uint64_t)high - (uint64_t)low)));
	}
}

static void suggest_sum(struct facts *f, const struct scope *s, uint32_t i, uint32_t k, uint32_t l)
{
	struct model *m = f->m;
	const struct slot *a = &m->slot[f->number[i]], *b = &m->slot[f->number[k]],
	                  *c = &m->slot[f->number[l]];
	const struct samples *at = &f->cut[s->cut];
	bool below = true, equal = true;
	expr sum;
	if (a->width != b->width || a->width != c->width)
		return;
	for (size_t n = 0; n < at->n; n++) {
		int64_t x = as_signed(at->at[n].v[i] + at->at[n].v[k], a->width),
		        y = as_signed(at->at[n].v[l], a->width);
		below &= x <= y;
		equal &= x == y;
	}
	sum = expr_make(m->pool, OP_ADD, a->width, a->latch, b->latch, 0);
	if (equal)
		suggest(f, s, prove_equal(m, sum, c->latch));
	if (below)
		suggest(f, s, compare(f, OP_SLE, sum, c->latch));
}

/* Of an element: from where a counter has passed it, it has one value, or that of a variable. */
static void suggest_passed(struct facts *f, const struct scope *s, uint32_t cell, uint32_t counter)
{
	struct model *m = f->m;
	const struct slot *e = &m->slot[f->cell[cell].slot], *c = &m->slot[f->number[counter]];
	const struct samples *at = &f->cut[s->cut];
	expr index = prove_const(m, c->width, f->cell[cell].index), passed;
	uint64_t first = 0, equal = f->numbers < 64 ? (UINT64_C(1) << f->numbers) - 1 : UINT64_MAX;
	bool any = false, same = true;
	for (size_t n = 0; n < at->n; n++) {
		int64_t i = as_signed(at->at[n].v[counter], c->width), k = f->cell[cell].index;
		uint64_t v = at->at[n].v[f->numbers + f->ghosts + cell];
		if (i <= k)
			continue;
		first = any ? first : v;
		same &= v == first;
		any = true;
		for (uint32_t x = 0; x < f->numbers && x < 64; x++)
			if (at->at[n].v[x] != v || m->slot[f->number[x]].width != e->width
			    || f->number[x] == f->cell[cell].slot)
				equal &= ~(UINT64_C(1) << x);
	}
	if (!any)
		return;
	passed = compare(f, OP_SLE, c->latch, index);
	if (same)
		suggest(f, s,
		    prove_or(m, passed, prove_equal(m, e->latch, prove_const(m, e->width, first))));
	for (uint32_t x = 0; x < f->numbers && x < 64; x++)
		if (equal >> x & 1)
			suggest(f, s,
			    prove_or(
			        m, passed, prove_equal(m, e->latch, m->slot[f->number[x]].latch)));
}

static void suggest_at(struct facts *f, uint32_t cut)
{
	struct model *m = f->m;
	struct scope s = { cut, NONE,
		expr_not(m->pool, prove_equal(m, m->pc, prove_const(m, m->pc_width, cut))) };
	expr other = s.other;
	if (!f->cut[cut].n) {
		suggest(f, &s, prove_bool(m, false));
		return;
	}
	for (uint32_t i = 0; i < f->numbers; i++)
		suggest_number(f, &s, i);
	for (uint32_t i = 0; i < f->numbers; i++)
		for (uint32_t k = i + 1; k < f->numbers; k++)
			suggest_relations(f, &s, i, k);
	for (uint32_t i = 0; i < f->numbers && i < MOST_SUMS; i++)
		for (uint32_t k = i + 1; k < f->numbers && k < MOST_SUMS; k++)
			for (uint32_t l = 0; l < f->numbers && l < MOST_SUMS; l++)
				if (l != i && l != k)
					suggest_sum(f, &s, i, k, l);
	for (uint32_t i = 0; i < f->cells; i++)
		for (uint32_t k = 0; k < f->numbers && k < MOST_COUNTERS; k++)
			suggest_passed(f, &s, i, k);
	for (s.ghost = 0; s.ghost < f->ghosts; s.ghost++) {
		bool armed = false;
		for (size_t n = 0; n < f->cut[cut].n; n++)
			armed |= holds_for(f, &s, n);
		s.other = prove_or(m, other, expr_not(m->pool, m->slot[f->ghost[s.ghost]].latch));
		if (!armed)
			suggest(f, &s, prove_bool(m, false));
		for (uint32_t i = 0; i < f->numbers && armed && s.ghost < MOST_GHOSTS; i++)
			suggest_number(f, &s, i);
	}
}

/* ---- what of it is so */

static void keep_alive(struct facts *f, const bool *alive)
{
	size_t n = 0;
	for (size_t i = 0; i < f->n; i++)
		if (alive[i])
			f->fact[n++] = f->fact[i];
	f->n = n;
}

/* Drops what one step can break, until what is left all holds behind a step from where it all
 * holds. At the entry nothing is claimed. False when the time was up. */
static bool reduce(struct facts *f, double until)
{
	struct unroll u = prove_unroll(f->m, &f->r->cone, false);
	lit *now = prove_room(f->n, sizeof *now), *then = prove_room(f->n, sizeof *then);
	bool *alive = prove_room(f->n, sizeof *alive);
	enum cnf_answer a = CNF_SAT;
	for (size_t i = 0; i < f->n; i++) {
		now[i] = prove_unroll_lit(&u, 0, f->fact[i]);
		then[i] = prove_unroll_lit(&u, 1, f->fact[i]);
		alive[i] = true;
		cnf_know(u.cnf, then[i]);
	}
	while (a == CNF_SAT) {
		lit broken = LIT_FALSE;
		for (size_t i = 0; i < f->n; i++)
			if (alive[i]) {
				cnf_assume(u.cnf, now[i]);
				broken = aig_or(u.g, broken, lit_not(then[i]));
			}
		cnf_assume(u.cnf, broken);
		if ((a = cnf_solve(u.cnf, -1, until)) != CNF_SAT)
			break;
		for (size_t i = 0; i < f->n; i++)
			alive[i] = alive[i] && cnf_value(u.cnf, then[i]);
	}
	keep_alive(f, alive);
	prove_unroll_free(&u);
	free(now);
	free(then);
	free(alive);
	return a == CNF_UNSAT;
}

static void free_facts(struct facts *f)
{
	for (uint32_t c = 0; c <= f->m->cuts; c++) {
		for (size_t i = 0; i < f->cut[c].n; i++)
			free(f->cut[c].at[i].v);
		free(f->cut[c].at);
	}
	free(f->cut);
	prove_simulator_free(&f->sim);
	free(f->ghost);
	free(f->fact);
}

void prove_stage_facts(struct run *r)
{
	struct facts f = { .r = r, .m = r->m, .sim = prove_simulator(r) };
	find_slots(&f);
	take_samples(&f);
	for (uint32_t cut = 2; cut <= r->m->cuts; cut++)
		suggest_at(&f, cut);
	if (f.n && reduce(&f, r->deadline))
		prove_conclude(r, "facts", f.fact, f.n);
	free_facts(&f);
}
