/* relations: candidates about two and three numbers, from samples at a cut: their order, their
 * distance, linear equations, bounds of sums. */
#include "lib/prove/facts.h"
#include "lib/base/gcd.h"

#include <stdlib.h>

#define NEAR 4
#define ENOUGH 16 /* samples */
#define MOST_FACTOR 1024
#define MOST_RATIO 64 /* how many times as fast one number may grow as another one */

expr prove_compare(struct facts *f, enum op op, expr a, expr b)
{
	return expr_make(f->m->pool, op, 1, a, b, 0);
}

int64_t prove_number_at(const struct facts *f, uint32_t cut, size_t sample, uint32_t number)
{
	return prove_signed(
	    f->cut[cut].at[sample].v[number], f->m->ts.slot[f->number[number]].width);
}

/* The order of two numbers. Signed and unsigned order are different candidates. */
static void suggest_order(struct facts *f, const struct claim_scope *s, uint32_t i, uint32_t k)
{
	static const enum op ops[] = { OP_SLE, OP_SLT, OP_ULE, OP_ULT };
	const struct ts_slot *a = &f->m->ts.slot[f->number[i]], *b = &f->m->ts.slot[f->number[k]];
	bool below[4] = { true, true, true, true }, above[4] = { true, true, true, true };
	for (size_t n = 0; n < f->cut[s->cut].n; n++) {
		int64_t x = prove_number_at(f, s->cut, n, i), y = prove_number_at(f, s->cut, n, k);
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
			prove_suggest_plain(
			    f, s->other, prove_compare(f, ops[o], a->latch, b->latch));
		if (above[o])
			prove_suggest_plain(
			    f, s->other, prove_compare(f, ops[o], b->latch, a->latch));
	}
}

/* The order of two numbers of which the greater one is not negative, such as a counter of a loop
 * and its end. */
static void suggest_within(struct facts *f, const struct claim_scope *s, uint32_t i, uint32_t k)
{
	struct encoding *m = f->m;
	const struct ts_slot *a = &m->ts.slot[f->number[i]], *b = &m->ts.slot[f->number[k]];
	bool below = true, always = true;
	for (size_t n = 0; n < f->cut[s->cut].n; n++) {
		int64_t x = prove_number_at(f, s->cut, n, i), y = prove_number_at(f, s->cut, n, k);
		always &= x <= y;
		below &= x <= y || y < 0;
	}
	if (below && !always)
		prove_suggest_plain(f,
		    prove_or(m, s->other,
		        prove_compare(f, OP_SLT, b->latch, prove_const(m, b->width, 0))),
		    prove_compare(f, OP_SLE, a->latch, b->latch));
}

/* A parameter still equals the argument, or a part of it. */
void prove_suggest_arguments(struct facts *f, uint32_t cut)
{
	struct encoding *m = f->m;
	for (uint32_t i = 0; i < f->numbers; i++)
		for (uint32_t k = 0; k < f->numbers; k++) {
			const struct ts_slot *a = &m->ts.slot[f->number[i]],
			                     *b = &m->ts.slot[f->number[k]];
			bool same = a->kind == SLOT_VALUE && a->width == 64 && b->kind == SLOT_CELL;
			for (size_t n = 0; n < f->cut[cut].n && same; n++) {
				const uint64_t *v = f->cut[cut].at[n].v;
				same = bits_cut(v[i], b->width) == v[k];
			}
			if (same)
				prove_suggest_plain(f, prove_elsewhere(m, cut),
				    prove_equal(
				        m, prove_extract(m, 0, b->width, a->latch), b->latch));
		}
}

static expr times(struct facts *f, int64_t factor, uint32_t number)
{
	const struct ts_slot *s = &f->m->ts.slot[f->number[number]];
	return expr_make(f->m->pool, OP_MUL, s->width,
	    prove_const(f->m, s->width, (uint64_t)factor), s->latch, 0);
}

/* How many times as fast as the other one a number grows, estimated from the samples where the
 * other one is least and greatest; 1: about as fast. */
static int64_t ratio(const struct facts *f, uint32_t cut, uint32_t i, uint32_t k)
{
	size_t least = 0, most = 0;
	i128 x, y, half;
	for (size_t n = 0; n < f->cut[cut].n; n++) {
		least =
		    prove_number_at(f, cut, n, k) < prove_number_at(f, cut, least, k) ? n : least;
		most = prove_number_at(f, cut, n, k) > prove_number_at(f, cut, most, k) ? n : most;
	}
	x = (i128)prove_number_at(f, cut, most, i) - prove_number_at(f, cut, least, i);
	y = (i128)prove_number_at(f, cut, most, k) - prove_number_at(f, cut, least, k);
	half = x < 0 ? -y / 2 : y / 2;
	x = y ? (x + half) / y : 1;
	return x && x <= MOST_RATIO && x >= -MOST_RATIO ? (int64_t)x : 1;
}

/* Bounds of i - factor * k if it has few values: for example, if i grows `factor` times as often as
 * k. */
static void suggest_near(
    struct facts *f, const struct claim_scope *s, uint32_t i, uint32_t k, int64_t factor)
{
	struct encoding *m = f->m;
	const struct ts_slot *a = &m->ts.slot[f->number[i]];
	int64_t low = INT64_MAX, high = INT64_MIN, size = factor < 0 ? -factor : factor;
	expr apart;
	for (size_t n = 0; n < f->cut[s->cut].n; n++) {
		const uint64_t *v = f->cut[s->cut].at[n].v;
		int64_t d = prove_signed(v[i] - (uint64_t)factor * v[k], a->width);
		low = d < low ? d : low;
		high = d > high ? d : high;
	}
	if ((uint64_t)high - (uint64_t)low > (uint64_t)(size > NEAR ? size : NEAR))
		return;
	apart = expr_make(m->pool, OP_SUB, a->width, a->latch, times(f, factor, k), 0);
	apart =
	    expr_make(m->pool, OP_SUB, a->width, apart, prove_const(m, a->width, (uint64_t)low), 0);
	prove_suggest_plain(f, s->other,
	    prove_compare(
	        f, OP_ULE, apart, prove_const(m, a->width, (uint64_t)high - (uint64_t)low)));
}

/* An equation: the sum of factor * number has the same value in all samples. */
static void suggest_equation(
    struct facts *f, const struct claim_scope *s, const uint32_t *number, i128 *factor, size_t n)
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

static void suggest_ratio(struct facts *f, const struct claim_scope *s, uint32_t i, uint32_t k)
{
	int64_t factor = ratio(f, s->cut, i, k);
	if (factor != 1)
		suggest_near(f, s, i, k, factor);
}

/* The line through two samples. */
static void suggest_line(struct facts *f, const struct claim_scope *s, uint32_t i, uint32_t k)
{
	const uint32_t number[] = { i, k };
	for (size_t n = 1; n < f->cut[s->cut].n; n++) {
		i128 dx = (i128)prove_number_at(f, s->cut, n, i) - prove_number_at(f, s->cut, 0, i),
		     dy = (i128)prove_number_at(f, s->cut, n, k) - prove_number_at(f, s->cut, 0, k);
		if (dx || dy) {
			suggest_equation(f, s, number, (i128[]){ dy, -dx }, 2);
			return;
		}
	}
}

struct vector3 {
	i128 x, y, z;
};

static bool is_small(struct vector3 v)
{
	const i128 most = (i128)1 << 40;
	return v.x < most && v.x > -most && v.y < most && v.y > -most && v.z < most && v.z > -most;
}

/* The plane through three samples. */
static void suggest_plane(
    struct facts *f, const struct claim_scope *s, uint32_t i, uint32_t k, uint32_t l)
{
	const uint32_t number[] = { i, k, l };
	struct vector3 a = { 0, 0, 0 };
	for (size_t n = 1; n < f->cut[s->cut].n; n++) {
		struct vector3 b = { (i128)prove_number_at(f, s->cut, n, i)
			    - prove_number_at(f, s->cut, 0, i),
			(i128)prove_number_at(f, s->cut, n, k) - prove_number_at(f, s->cut, 0, k),
			(i128)prove_number_at(f, s->cut, n, l) - prove_number_at(f, s->cut, 0, l) };
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
static void suggest_sum(
    struct facts *f, const struct claim_scope *s, uint32_t i, uint32_t k, uint32_t l)
{
	struct encoding *m = f->m;
	const struct ts_slot *a = &m->ts.slot[f->number[i]], *b = &m->ts.slot[f->number[k]],
	                     *c = &m->ts.slot[f->number[l]];
	bool below = true;
	for (size_t n = 0; n < f->cut[s->cut].n; n++) {
		const uint64_t *v = f->cut[s->cut].at[n].v;
		below &= prove_signed(v[i] + v[k], a->width) <= prove_signed(v[l], a->width);
	}
	if (below)
		prove_suggest_plain(f, s->other,
		    prove_compare(f, OP_SLE,
		        expr_make(m->pool, OP_ADD, a->width, a->latch, b->latch, 0), c->latch));
}

bool prove_is_fixed(const struct facts *f, uint32_t cut, uint32_t number)
{
	const struct samples *s = &f->cut[cut];
	size_t n = 1;
	while (n < s->n && s->at[n].v[number] == s->at[0].v[number])
		n++;
	return n == s->n && n >= ENOUGH;
}

bool prove_is_copy(const struct facts *f, uint32_t cut, uint32_t number)
{
	const struct samples *s = &f->cut[cut];
	for (uint32_t k = 0; k < number && s->n >= ENOUGH; k++) {
		size_t n = 0;
		if (f->m->ts.slot[f->number[k]].width != f->m->ts.slot[f->number[number]].width)
			continue;
		while (n < s->n && s->at[n].v[number] == s->at[n].v[k])
			n++;
		if (n == s->n)
			return true;
	}
	return false;
}

bool prove_varies(const struct facts *f, uint32_t cut, uint32_t number)
{
	return !prove_is_fixed(f, cut, number) && !prove_is_copy(f, cut, number);
}

bool prove_alike(const struct facts *f, uint32_t i, uint32_t k)
{
	return !f->real[i] && !f->real[k]
	    && f->m->ts.slot[f->number[i]].width == f->m->ts.slot[f->number[k]].width;
}

void prove_suggest_two(struct facts *f, const struct claim_scope *s, uint32_t i, uint32_t k)
{
	if (!prove_alike(f, i, k) || !prove_varies(f, s->cut, i))
		return;
	if (!prove_varies(f, s->cut, k)) {
		suggest_line(f, s, i, k);
		return;
	}
	suggest_order(f, s, i, k);
	suggest_within(f, s, i, k);
	suggest_within(f, s, k, i);
	suggest_near(f, s, i, k, 1);
	suggest_ratio(f, s, i, k);
	suggest_ratio(f, s, k, i);
	suggest_line(f, s, i, k);
}

void prove_suggest_three(struct facts *f, const struct claim_scope *s, uint32_t i, uint32_t k)
{
	uint32_t most = f->numbers < MOST_SUMS ? f->numbers : MOST_SUMS;
	if (!prove_alike(f, i, k) || !prove_varies(f, s->cut, i) || !prove_varies(f, s->cut, k))
		return;
	for (uint32_t l = 0; l < most; l++) {
		if (l == i || l == k || !prove_alike(f, i, l) || !prove_varies(f, s->cut, l))
			continue;
		suggest_sum(f, s, i, k, l);
		if (l > k)
			suggest_plane(f, s, i, k, l);
	}
}
