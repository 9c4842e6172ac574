/* suggest: what samples at a cut suggest of numbers: intervals, remainders, zones and octagons,
 * linear equations of two and three; each in general, while a definition is the last one, and by
 * the value of a variable that has few. */
#include "lib/prove/facts.h"
#include "lib/base/gcd.h"

#include <stdlib.h>
#include <string.h>

#define MOST_GHOSTS 32   /* that are looked at together with each number */
#define MOST_SUMS 10     /* numbers for facts of three */
#define MOST_TWO 6       /* numbers for bounds of sums and differences: they make hard questions */
#define MOST_BY_STATE 16 /* numbers that are looked at by the value of another */
#define MOST_STATES 4    /* values of a variable by which others are told apart */
#define NEAR 4
#define MOST_FACTOR 1024

/* Where a fact is to hold: at a cut, with a ghost armed, and a number of a value; NONE: whatever it
 * is. */
struct scope {
	uint32_t cut, ghost, number;
	uint64_t value;
	expr other; /* it is not there */
};

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

static expr compare(struct facts *f, enum op op, expr a, expr b)
{
	return expr_make(f->m->pool, op, 1, a, b, 0);
}

static bool holds_for(const struct facts *f, const struct scope *s, size_t k)
{
	const uint64_t *v = f->cut[s->cut].at[k].v;
	return (s->ghost == NONE || v[f->numbers + s->ghost])
	    && (s->number == NONE || v[s->number] == s->value);
}

/* ---- one number */

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
		uint64_t v = f->cut[s->cut].at[k].v[number];
		int64_t n = prove_signed(v, width);
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
		is.step = gcd(is.step, v > first ? v - first : first - v);
	}
	return is;
}

static void suggest_between(
    struct facts *f, const struct scope *s, expr term, bool any, int64_t least, int64_t most)
{
	add_fact(f,
	    (struct ts_fact){
	        .kind = TS_MOST, .other = s->other, .term = term, .seen = any, .bound = most });
	add_fact(f,
	    (struct ts_fact){
	        .kind = TS_LEAST, .other = s->other, .term = term, .seen = any, .bound = least });
}

/* As unsigned numbers: what was seen, and the nearest number of the program beyond. */
static void suggest_unsigned(
    struct facts *f, const struct scope *s, expr e, unsigned width, const struct seen *is)
{
	struct model *m = f->m;
	uint64_t high = UINT64_MAX;
	for (unsigned i = 0; i < f->sim.constants; i++)
		for (uint64_t by = 0; by <= 2; by++) {
			uint64_t c = f->sim.constant[i] + by - 1;
			high = c >= is->uhigh && c < high ? c : high;
		}
	prove_suggest_plain(f, s->other, compare(f, OP_ULE, prove_const(m, width, is->ulow), e));
	prove_suggest_plain(f, s->other, compare(f, OP_ULE, e, prove_const(m, width, is->uhigh)));
	if (high <= bits_mask(width))
		prove_suggest_plain(
		    f, s->other, compare(f, OP_ULE, e, prove_const(m, width, high)));
}

/* An integer in whose order numbers of floating point are, with NaN beyond infinity: the bits, all
 * but the sign inverted where it is set. */
static int64_t rank(uint64_t bits, unsigned width)
{
	int64_t v = prove_signed(bits, width);
	return v < 0 ? v ^ (int64_t)(UINT64_MAX >> (65 - width)) : v;
}

static expr rank_of(struct facts *f, const struct ts_slot *slot)
{
	struct model *m = f->m;
	unsigned width = slot->width;
	expr minus =
	    expr_make(m->pool, OP_ASHR, width, slot->latch, prove_const(m, width, width - 1u), 0);
	minus = expr_make(m->pool, OP_LSHR, width, minus, prove_const(m, width, 1), 0);
	return expr_make(m->pool, OP_XOR, width, slot->latch, minus, 0);
}

/* The interval of a floating-point number, and that it is none but a number. */
static void suggest_real(struct facts *f, const struct scope *s, uint32_t number)
{
	const struct ts_slot *slot = &f->m->ts.slot[f->number[number]];
	int64_t low = INT64_MAX, high = INT64_MIN, v;
	expr term = rank_of(f, slot);
	bool any = false;
	for (size_t k = 0; k < f->cut[s->cut].n; k++) {
		if (!holds_for(f, s, k))
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

static void suggest_number(struct facts *f, const struct scope *s, uint32_t number)
{
	struct model *m = f->m;
	const struct ts_slot *slot = &m->ts.slot[f->number[number]];
	struct seen is = look(f, s, number, slot->width);
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
	if (is.any)
		suggest_unsigned(f, s, slot->latch, slot->width, &is);
}

/* ---- two and three numbers */

static int64_t number_at(const struct facts *f, uint32_t cut, size_t sample, uint32_t number)
{
	return prove_signed(
	    f->cut[cut].at[sample].v[number], f->m->ts.slot[f->number[number]].width);
}

/* Between which numbers the difference is, when these are few. */
static void suggest_near(struct facts *f, const struct scope *s, uint32_t i, uint32_t k)
{
	struct model *m = f->m;
	const struct ts_slot *a = &m->ts.slot[f->number[i]], *b = &m->ts.slot[f->number[k]];
	int64_t low = INT64_MAX, high = INT64_MIN;
	expr apart;
	for (size_t n = 0; n < f->cut[s->cut].n; n++) {
		const uint64_t *v = f->cut[s->cut].at[n].v;
		int64_t d = prove_signed(v[i] - v[k], a->width);
		low = d < low ? d : low;
		high = d > high ? d : high;
	}
	if ((uint64_t)high - (uint64_t)low > NEAR)
		return;
	apart = expr_make(m->pool, OP_SUB, a->width, a->latch, b->latch, 0);
	apart =
	    expr_make(m->pool, OP_SUB, a->width, apart, prove_const(m, a->width, (uint64_t)low), 0);
	prove_suggest_plain(f, s->other,
	    compare(f, OP_ULE, apart, prove_const(m, a->width, (uint64_t)high - (uint64_t)low)));
}

/* Order of two; the order of unsigned numbers is another one. */
static void suggest_order(struct facts *f, const struct scope *s, uint32_t i, uint32_t k)
{
	static const enum op ops[] = { OP_SLE, OP_SLT, OP_ULE, OP_ULT };
	const struct ts_slot *a = &f->m->ts.slot[f->number[i]], *b = &f->m->ts.slot[f->number[k]];
	bool below[4] = { true, true, true, true }, above[4] = { true, true, true, true };
	for (size_t n = 0; n < f->cut[s->cut].n; n++) {
		int64_t x = number_at(f, s->cut, n, i), y = number_at(f, s->cut, n, k);
		uint64_t ux = f->cut[s->cut].at[n].v[i], uy = f->cut[s->cut].at[n].v[k];
		const bool is[] = { x <= y, x < y, ux <= uy, ux < uy },
		           was[] = { x >= y, x > y, ux >= uy, ux > uy };
		for (int o = 0; o < 4; o++) {
			below[o] &= is[o];
			above[o] &= was[o];
		}
	}
	for (int o = 0; o < 4; o++) {
		if (below[o])
			prove_suggest_plain(f, s->other, compare(f, ops[o], a->latch, b->latch));
		if (above[o])
			prove_suggest_plain(f, s->other, compare(f, ops[o], b->latch, a->latch));
	}
}

static expr times(struct facts *f, int64_t factor, uint32_t number)
{
	const struct ts_slot *s = &f->m->ts.slot[f->number[number]];
	return expr_make(f->m->pool, OP_MUL, s->width,
	    prove_const(f->m, s->width, (uint64_t)factor), s->latch, 0);
}

/* Sum of factor * number == what it is in the first sample, when it is so in all of them. */
static void suggest_equation(
    struct facts *f, const struct scope *s, const uint32_t *number, i128 *factor, size_t n)
{
	const struct samples *at = &f->cut[s->cut];
	unsigned width = f->m->ts.slot[f->number[number[0]]].width;
	uint64_t first = 0, divisor = 0;
	expr sum = 0;
	for (size_t k = 0; k < n; k++) {
		i128 size = factor[k] < 0 ? -factor[k] : factor[k];
		if (!size || size > INT64_MAX)
			return;
		divisor = gcd(divisor, (uint64_t)size);
	}
	for (size_t k = 0; k < n; k++) {
		factor[k] /= (i128)divisor;
		if (factor[k] > MOST_FACTOR || factor[k] < -MOST_FACTOR)
			return;
	}
	for (size_t i = 0; i < at->n; i++) {
		uint64_t v = 0;
		for (size_t k = 0; k < n; k++)
			v += (uint64_t)factor[k] * at->at[i].v[number[k]];
		v = (uint64_t)bits_cut(v, width);
		first = i ? first : v;
		if (v != first)
			return;
	}
	for (size_t k = 0; k < n; k++) {
		expr e = times(f, (int64_t)factor[k], number[k]);
		sum = sum ? expr_make(f->m->pool, OP_ADD, width, sum, e, 0) : e;
	}
	prove_suggest_plain(f, s->other, prove_equal(f->m, sum, prove_const(f->m, width, first)));
}

/* The line through two samples. */
static void suggest_line(struct facts *f, const struct scope *s, uint32_t i, uint32_t k)
{
	const uint32_t number[] = { i, k };
	for (size_t n = 1; n < f->cut[s->cut].n; n++) {
		i128 dx = (i128)number_at(f, s->cut, n, i) - number_at(f, s->cut, 0, i),
		     dy = (i128)number_at(f, s->cut, n, k) - number_at(f, s->cut, 0, k);
		if (dx || dy) {
			suggest_equation(f, s, number, (i128[]){ dy, -dx }, 2);
			return;
		}
	}
}

struct vector {
	i128 x, y, z;
};

static bool is_small(struct vector v)
{
	const i128 most = (i128)1 << 40;
	return v.x < most && v.x > -most && v.y < most && v.y > -most && v.z < most && v.z > -most;
}

/* The plane through three samples. */
static void suggest_plane(
    struct facts *f, const struct scope *s, uint32_t i, uint32_t k, uint32_t l)
{
	const uint32_t number[] = { i, k, l };
	struct vector a = { 0, 0, 0 };
	for (size_t n = 1; n < f->cut[s->cut].n; n++) {
		struct vector b = { (i128)number_at(f, s->cut, n, i) - number_at(f, s->cut, 0, i),
			(i128)number_at(f, s->cut, n, k) - number_at(f, s->cut, 0, k),
			(i128)number_at(f, s->cut, n, l) - number_at(f, s->cut, 0, l) };
		i128 normal[] = { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
			a.x * b.y - a.y * b.x };
		if (!is_small(b))
			continue;
		if (normal[0] || normal[1] || normal[2]) {
			suggest_equation(f, s, number, normal, 3);
			return;
		}
		if (!a.x && !a.y && !a.z)
			a = b;
	}
}

/* x + y <= z */
static void suggest_sum(struct facts *f, const struct scope *s, uint32_t i, uint32_t k, uint32_t l)
{
	struct model *m = f->m;
	const struct ts_slot *a = &m->ts.slot[f->number[i]], *b = &m->ts.slot[f->number[k]],
	                     *c = &m->ts.slot[f->number[l]];
	bool below = true;
	for (size_t n = 0; n < f->cut[s->cut].n; n++) {
		const uint64_t *v = f->cut[s->cut].at[n].v;
		below &= prove_signed(v[i] + v[k], a->width) <= prove_signed(v[l], a->width);
	}
	if (below)
		prove_suggest_plain(f, s->other,
		    compare(f, OP_SLE, expr_make(m->pool, OP_ADD, a->width, a->latch, b->latch, 0),
		        c->latch));
}

static bool alike(const struct facts *f, uint32_t i, uint32_t k)
{
	return !f->real[i] && !f->real[k]
	    && f->m->ts.slot[f->number[i]].width == f->m->ts.slot[f->number[k]].width;
}

static void suggest_two(struct facts *f, const struct scope *s, uint32_t i, uint32_t k)
{
	if (!alike(f, i, k))
		return;
	suggest_order(f, s, i, k);
	suggest_near(f, s, i, k);
	suggest_line(f, s, i, k);
}

static void suggest_three(struct facts *f, const struct scope *s, uint32_t i, uint32_t k)
{
	uint32_t most = f->numbers < MOST_SUMS ? f->numbers : MOST_SUMS;
	for (uint32_t l = 0; l < most && alike(f, i, k); l++) {
		if (l == i || l == k || !alike(f, i, l))
			continue;
		suggest_sum(f, s, i, k, l);
		if (l > k)
			suggest_plane(f, s, i, k, l);
	}
}

/* ---- where they are to hold */

/* The values that a number has at a cut; 0 when they are more than a few. */
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

/* By the value of one number, what the others are. */
static void suggest_by_state(struct facts *f, struct scope s, uint32_t by)
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
			if (i != by)
				suggest_number(f, &s, i);
	}
}

/* With a definition as the last one. */
static void suggest_by_ghost(struct facts *f, struct scope s, uint32_t ghost)
{
	bool armed = false;
	s.ghost = ghost;
	for (size_t n = 0; n < f->cut[s.cut].n; n++)
		armed |= holds_for(f, &s, n);
	s.other =
	    prove_or(f->m, s.other, expr_not(f->m->pool, f->m->ts.slot[f->ghost[ghost]].latch));
	if (!armed)
		prove_suggest_plain(f, s.other, prove_bool(f->m, false));
	for (uint32_t i = 0; i < f->numbers && armed && ghost < MOST_GHOSTS; i++)
		suggest_number(f, &s, i);
}

expr prove_elsewhere(struct model *m, uint32_t cut)
{
	return expr_not(m->pool, prove_equal(m, m->ts.pc, prove_const(m, m->ts.pc_width, cut)));
}

static struct scope everything(struct facts *f, uint32_t cut)
{
	return (struct scope){ cut, NONE, NONE, 0, prove_elsewhere(f->m, cut) };
}

void prove_suggest_numbers(struct facts *f, uint32_t cut)
{
	struct scope s = everything(f, cut);
	if (!f->cut[cut].n)
		prove_suggest_plain(f, s.other, prove_bool(f->m, false));
	for (uint32_t i = 0; i < f->numbers; i++)
		suggest_number(f, &s, i);
	for (uint32_t i = 0; i < f->numbers && f->cut[cut].n; i++)
		for (uint32_t k = i + 1; k < f->numbers; k++)
			suggest_two(f, &s, i, k);
	for (uint32_t i = 0; i < f->numbers && i < MOST_SUMS && f->cut[cut].n; i++)
		for (uint32_t k = i + 1; k < f->numbers && k < MOST_SUMS; k++)
			suggest_three(f, &s, i, k);
}

void prove_suggest_scopes(struct facts *f, uint32_t cut)
{
	struct scope s = everything(f, cut);
	for (uint32_t g = 0; g < f->ghosts; g++)
		suggest_by_ghost(f, s, g);
	for (uint32_t i = 0; i < f->numbers && i < MOST_BY_STATE; i++)
		suggest_by_state(f, s, i);
}

/* ---- octagons */

/* Two bits wider, so that neither a sum nor a difference overflows. */
static expr wide(struct model *m, expr e)
{
	return expr_make(m->pool, OP_SEXT, expr_width(m->pool, e) + 2, e, 0, 0);
}

/* Bounds of the difference, or of the sum. */
static void suggest_octagon(
    struct facts *f, const struct scope *s, uint32_t i, uint32_t k, bool sum)
{
	struct model *m = f->m;
	expr a = wide(m, m->ts.slot[f->number[i]].latch),
	     b = wide(m, m->ts.slot[f->number[k]].latch);
	int64_t low = INT64_MAX, high = INT64_MIN;
	bool any = false;
	for (size_t n = 0; n < f->cut[s->cut].n; n++) {
		i128 x = number_at(f, s->cut, n, i), y = number_at(f, s->cut, n, k);
		i128 v = sum ? x + y : x - y;
		if (!holds_for(f, s, n))
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
	struct scope s = everything(f, cut);
	for (uint32_t i = 0; i < f->numbers && i < MOST_TWO; i++)
		for (uint32_t k = i + 1; k < f->numbers && k < MOST_TWO; k++)
			if (alike(f, i, k)) {
				suggest_octagon(f, &s, i, k, false);
				suggest_octagon(f, &s, i, k, true);
			}
}
