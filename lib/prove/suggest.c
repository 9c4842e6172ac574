/* suggest: candidates about numbers, from samples at a cut: intervals, remainders, zones and
 * octagons; each in general, while a definition is the last one, and for each value of a variable
 * that has few. */
#include "lib/prove/facts.h"
#include "lib/base/gcd.h"

#include <stdlib.h>
#include <string.h>

#define MOST_GHOSTS 32   /* numbers that are combined with each number */
#define MOST_TWO 6       /* numbers for bounds of sums and differences: the queries are hard */
#define MOST_BY_STATE 16 /* numbers that are examined for each value of another one */
#define MOST_STATES 4    /* values of the variable by which the samples are split */

static void add_fact(struct facts *f, struct ts_fact fact)
{
	struct value v;
	expr e = ts_fact(&f->m->ts, &fact);
	if (f->n < MOST_FACTS && (fact.kind != TS_PLAIN || !expr_is_const(f->m->pool, e, &v)))
		*PUSH(f->fact, f->n) = fact;
}

void prove_suggest_plain(struct facts *f, expr other, expr claim)
{
	add_fact(f, (struct ts_fact){ .kind = TS_PLAIN, .other = other, .term = claim });
}

bool prove_holds_for(const struct facts *f, const struct claim_scope *s, size_t k)
{
	const uint64_t *v = f->cut[s->cut].at[k].v;
	return (s->ghost == NONE || v[f->numbers + s->ghost])
	    && (s->number == NONE || v[s->number] == s->value);
}

/* ---- one number */

struct sample_range {
	bool any;
	int64_t low, high;
	uint64_t ulow, uhigh, step;
};

static struct sample_range look(
    const struct facts *f, const struct claim_scope *s, uint32_t number, unsigned width)
{
	struct sample_range is = { 0 };
	uint64_t first = 0;
	for (size_t k = 0; k < f->cut[s->cut].n; k++) {
		uint64_t v = f->cut[s->cut].at[k].v[number];
		int64_t n = prove_signed(v, width);
		if (!prove_holds_for(f, s, k))
			continue;
		if (!is.any) {
			is = (struct sample_range){ true, n, n, v, v, 0 };
			first = v;
		}
		is.low = n < is.low ? n : is.low;
		is.high = n > is.high ? n : is.high;
		is.ulow = v < is.ulow ? v : is.ulow;
		is.uhigh = v > is.uhigh ? v : is.uhigh;
		is.step = gcd(is.step, v > first ? v - first : first - v);
	}
	return is;
}

static void suggest_between(
    struct facts *f, const struct claim_scope *s, expr term, bool any, int64_t least, int64_t most)
{
	add_fact(f,
	    (struct ts_fact){
	        .kind = TS_MOST, .other = s->other, .term = term, .seen = any, .bound = most });
	add_fact(f,
	    (struct ts_fact){
	        .kind = TS_LEAST, .other = s->other, .term = term, .seen = any, .bound = least });
}

/* An interval of unsigned numbers: what the samples have, extended to the next number of the
 * program. */
static void suggest_unsigned(struct facts *f, const struct claim_scope *s, expr e, unsigned width,
    const struct sample_range *is)
{
	struct encoding *m = f->m;
	uint64_t high = UINT64_MAX;
	for (unsigned i = 0; i < f->sim.constants; i++)
		for (uint64_t by = 0; by <= 2; by++) {
			uint64_t c = f->sim.constant[i] + by - 1;
			high = c >= is->uhigh && c < high ? c : high;
		}
	prove_suggest_plain(
	    f, s->other, prove_compare(f, OP_ULE, prove_const(m, width, is->ulow), e));
	prove_suggest_plain(
	    f, s->other, prove_compare(f, OP_ULE, e, prove_const(m, width, is->uhigh)));
	if (high <= bits_mask(width))
		prove_suggest_plain(
		    f, s->other, prove_compare(f, OP_ULE, e, prove_const(m, width, high)));
}

/* Maps a floating-point number to an integer of the same order, with NaN beyond infinity: negative
 * numbers have all bits but the sign inverted. */
static int64_t rank(uint64_t bits, unsigned width)
{
	int64_t v = prove_signed(bits, width);
	return v < 0 ? v ^ (int64_t)(UINT64_MAX >> (65 - width)) : v;
}

static expr rank_of(struct facts *f, const struct ts_slot *slot)
{
	struct encoding *m = f->m;
	unsigned width = slot->width;
	expr minus =
	    expr_make(m->pool, OP_ASHR, width, slot->latch, prove_const(m, width, width - 1u), 0);
	minus = expr_make(m->pool, OP_LSHR, width, minus, prove_const(m, width, 1), 0);
	return expr_make(m->pool, OP_XOR, width, slot->latch, minus, 0);
}

/* The interval of a floating-point number, and that it is not NaN. */
static void suggest_real(struct facts *f, const struct claim_scope *s, uint32_t number)
{
	const struct ts_slot *slot = &f->m->ts.slot[f->number[number]];
	int64_t low = INT64_MAX, high = INT64_MIN, v;
	expr term = rank_of(f, slot);
	bool any = false;
	for (size_t k = 0; k < f->cut[s->cut].n; k++) {
		if (!prove_holds_for(f, s, k))
			continue;
		v = rank(f->cut[s->cut].at[k].v[number], slot->width);
		low = v < low ? v : low;
		high = v > high ? v : high;
		any = true;
	}
	suggest_between(f, s, term, any, low, high);
	prove_suggest_plain(
	    f, s->other, expr_make(f->m->pool, OP_FEQ, 1, slot->latch, slot->latch, 0));
}

static void suggest_number(struct facts *f, const struct claim_scope *s, uint32_t number)
{
	struct encoding *m = f->m;
	const struct ts_slot *slot = &m->ts.slot[f->number[number]];
	struct sample_range is = look(f, s, number, slot->width);
	if (f->real[number]) {
		suggest_real(f, s, number);
		return;
	}
	suggest_between(f, s, slot->latch, is.any, is.low, is.high);
	if (is.step <= TS_MOST_STEP && (s->ghost == NONE || (is.any && !is.step)))
		add_fact(f,
		    (struct ts_fact){ .kind = TS_REST,
		        .other = s->other,
		        .term = slot->latch,
		        .seen = is.any,
		        .step = is.step,
		        .rest = is.step ? is.ulow % is.step : is.ulow });
	if (is.any && is.step)
		suggest_unsigned(f, s, slot->latch, slot->width, &is);
}

/* ---- where they are to hold */

/* The values that a number has at a cut; 0 if there are more than a few. */
static unsigned values_of(const struct facts *f, uint32_t cut, uint32_t number, uint64_t *value)
{
	unsigned n = 0;
	for (size_t i = 0; i < f->cut[cut].n; i++) {
		uint64_t v = f->cut[cut].at[i].v[number];
		unsigned k = 0;
		while (k < n && value[k] != v)
			k++;
		if (k < n)
			continue;
		if (n == MOST_STATES)
			return 0;
		value[n++] = v;
	}
	return n;
}

/* Candidates about the other numbers for each value of one number. */
static void suggest_by_state(struct facts *f, struct claim_scope s, uint32_t by)
{
	uint64_t value[MOST_STATES];
	unsigned n = values_of(f, s.cut, by, value);
	const struct ts_slot *slot = &f->m->ts.slot[f->number[by]];
	expr other = s.other;
	for (unsigned k = 0; k < n && n > 1; k++) {
		s.number = by;
		s.value = value[k];
		s.other = prove_or(f->m, other,
		    expr_not(f->m->pool,
		        prove_equal(f->m, slot->latch, prove_const(f->m, slot->width, value[k]))));
		for (uint32_t i = 0; i < f->numbers && i < MOST_BY_STATE; i++)
			if (i != by && prove_varies(f, s.cut, i))
				suggest_number(f, &s, i);
	}
}

/* Candidates for states in which a definition is the last one. */
static void suggest_by_ghost(struct facts *f, struct claim_scope s, uint32_t ghost)
{
	bool armed = false;
	s.ghost = ghost;
	for (size_t n = 0; n < f->cut[s.cut].n; n++)
		armed |= prove_holds_for(f, &s, n);
	s.other =
	    prove_or(f->m, s.other, expr_not(f->m->pool, f->m->ts.slot[f->ghost[ghost]].latch));
	if (!armed)
		prove_suggest_plain(f, s.other, prove_bool(f->m, false));
	for (uint32_t i = 0; i < f->numbers && ghost < MOST_GHOSTS; i++)
		if (prove_varies(f, s.cut, i))
			suggest_number(f, &s, i);
}

expr prove_elsewhere(struct encoding *m, uint32_t cut)
{
	return expr_not(m->pool, prove_equal(m, m->ts.pc, prove_const(m, m->ts.pc_width, cut)));
}

static struct claim_scope everything(struct facts *f, uint32_t cut)
{
	return (struct claim_scope){ cut, NONE, NONE, 0, prove_elsewhere(f->m, cut) };
}

void prove_suggest_numbers(struct facts *f, uint32_t cut)
{
	struct claim_scope s = everything(f, cut);
	if (!f->cut[cut].n)
		prove_suggest_plain(f, s.other, prove_bool(f->m, false));
	for (uint32_t i = 0; i < f->numbers; i++)
		if (!prove_is_copy(f, cut, i) || prove_is_fixed(f, cut, i))
			suggest_number(f, &s, i);
	for (uint32_t i = 0; i < f->numbers && f->cut[cut].n; i++)
		for (uint32_t k = i + 1; k < f->numbers; k++)
			prove_suggest_two(f, &s, i, k);
}

void prove_suggest_definitions(struct facts *f, uint32_t cut)
{
	for (uint32_t g = 0; g < f->ghosts; g++)
		suggest_by_ghost(f, everything(f, cut), g);
}

void prove_suggest_sums(struct facts *f, uint32_t cut)
{
	struct claim_scope s = everything(f, cut);
	for (uint32_t i = 0; i < f->numbers && i < MOST_SUMS && f->cut[cut].n; i++)
		for (uint32_t k = i + 1; k < f->numbers && k < MOST_SUMS; k++)
			prove_suggest_three(f, &s, i, k);
}

void prove_suggest_states(struct facts *f, uint32_t cut)
{
	struct claim_scope s = everything(f, cut);
	for (uint32_t i = 0; i < f->numbers && i < MOST_BY_STATE; i++)
		if (prove_varies(f, cut, i))
			suggest_by_state(f, s, i);
}

/* ---- octagons */

/* Extended by two bits, so that neither a sum nor a difference overflows. */
static expr wide(struct encoding *m, expr e)
{
	return expr_make(m->pool, OP_SEXT, expr_width(m->pool, e) + 2, e, 0, 0);
}

/* Bounds of the difference, or of the sum. */
static void suggest_octagon(
    struct facts *f, const struct claim_scope *s, uint32_t i, uint32_t k, bool sum)
{
	struct encoding *m = f->m;
	expr a = wide(m, m->ts.slot[f->number[i]].latch),
	     b = wide(m, m->ts.slot[f->number[k]].latch);
	int64_t low = INT64_MAX, high = INT64_MIN;
	bool any = false;
	for (size_t n = 0; n < f->cut[s->cut].n; n++) {
		i128 x = prove_number_at(f, s->cut, n, i), y = prove_number_at(f, s->cut, n, k);
		i128 v = sum ? x + y : x - y;
		if (!prove_holds_for(f, s, n))
			continue;
		if (v > INT64_MAX || v < INT64_MIN)
			return;
		low = v < low ? (int64_t)v : low;
		high = v > high ? (int64_t)v : high;
		any = true;
	}
	suggest_between(f, s,
	    expr_make(m->pool, sum ? OP_ADD : OP_SUB, expr_width(m->pool, a), a, b, 0), any, low,
	    high);
}

void prove_suggest_octagons(struct facts *f, uint32_t cut)
{
	struct claim_scope s = everything(f, cut);
	for (uint32_t i = 0; i < f->numbers && i < MOST_TWO; i++)
		for (uint32_t k = i + 1; k < f->numbers && k < MOST_TWO; k++)
			if (prove_alike(f, i, k) && prove_varies(f, cut, i)
			    && prove_varies(f, cut, k)) {
				suggest_octagon(f, &s, i, k, false);
				suggest_octagon(f, &s, i, k, true);
			}
}
