/* elements: candidates about elements of arrays, from samples at a cut. The elements that a counter
 * has passed have one value, or are in one order with a variable or with the element of the same
 * index of another array. A counter may go up or down, by one or by more at a time. */
#include "lib/prove/facts.h"

#include <stdlib.h>
#include <string.h>

#define MOST_COUNTERS 12 /* counters that may have passed an element */
#define MOST_PACE 4      /* elements that a counter passes at a time */

/* Describes the elements that a counter has passed: those before pace * counter. Pace 0: those
 * after it and before another number. */
struct passing {
	uint32_t counter; /* number */
	int pace;
	uint32_t before; /* the upper number; NONE: all elements after the counter */
};

static int64_t number_of(const struct facts *f, const uint64_t *v, uint32_t number)
{
	return prove_signed(v[number], f->m->ts.slot[f->number[number]].width);
}

static bool has_passed(
    const struct facts *f, const struct passing *p, const uint64_t *v, uint32_t index)
{
	int64_t counter = number_of(f, v, p->counter), k = index;
	return p->pace ? counter > k / p->pace
	               : counter < k && (p->before == NONE || k < number_of(f, v, p->before));
}

/* number <= k, or k <= number */
static expr in_order(const struct facts *f, uint32_t number, uint64_t k, bool below)
{
	const struct ts_slot *s = &f->m->ts.slot[f->number[number]];
	expr at = prove_const(f->m, s->width, k);
	return expr_make(f->m->pool, OP_SLE, 1, below ? s->latch : at, below ? at : s->latch, 0);
}

static expr not_passed(const struct facts *f, const struct passing *p, uint32_t index)
{
	expr e;
	if (p->pace)
		return in_order(f, p->counter, index / (uint32_t)p->pace, true);
	e = in_order(f, p->counter, index, false);
	return p->before == NONE ? e : prove_or(f->m, e, in_order(f, p->before, index, true));
}

/* How an element compares with a value, in all samples. */
struct element_order {
	bool any, below, above;
};

static void see(struct element_order *o, int64_t x, int64_t y)
{
	o->any = true;
	o->below &= x <= y;
	o->above &= x >= y;
}

static void suggest_order(
    struct facts *f, expr other, const struct element_order *o, expr element, expr with)
{
	struct encoding *m = f->m;
	if (!o->any)
		return;
	if (o->below && o->above)
		prove_suggest_plain(f, other, prove_equal(m, element, with));
	else if (o->below)
		prove_suggest_plain(f, other, expr_make(m->pool, OP_SLE, 1, element, with, 0));
	else if (o->above)
		prove_suggest_plain(f, other, expr_make(m->pool, OP_SLE, 1, with, element, 0));
}

/* Compares elements with a value in the samples where the counter has passed them; the value is
 * found at its place in the sample. */
static struct element_order compare(const struct facts *f, uint32_t cut, const struct passing *p,
    uint32_t cell, size_t place, unsigned width)
{
	struct element_order o = { false, true, true };
	for (size_t n = 0; n < f->cut[cut].n; n++) {
		const uint64_t *v = f->cut[cut].at[n].v;
		if (has_passed(f, p, v, f->cell[cell].index))
			see(&o, prove_signed(v[f->numbers + f->ghosts + cell], width),
			    prove_signed(v[place], width));
	}
	return o;
}

/* Do the elements have one value in all samples? False: they have several, or there are none. */
static bool one_value(
    const struct facts *f, uint32_t cut, const struct passing *p, uint32_t cell, uint64_t *value)
{
	bool any = false;
	for (size_t n = 0; n < f->cut[cut].n; n++) {
		const uint64_t *v = f->cut[cut].at[n].v;
		uint64_t e = v[f->numbers + f->ghosts + cell];
		if (!has_passed(f, p, v, f->cell[cell].index))
			continue;
		if (any && e != *value)
			return false;
		*value = e;
		any = true;
	}
	return any;
}

/* Makes a candidate; false when the samples suggest none. */
static bool suggest_passed(
    struct facts *f, uint32_t cut, expr other, const struct passing *p, uint32_t cell)
{
	struct encoding *m = f->m;
	const struct ts_slot *e = &m->ts.slot[f->cell[cell].slot];
	size_t before = f->n;
	uint64_t value = 0;
	other = prove_or(m, other, not_passed(f, p, f->cell[cell].index));
	if (one_value(f, cut, p, cell, &value))
		prove_suggest_plain(
		    f, other, prove_equal(m, e->latch, prove_const(m, e->width, value)));
	for (uint32_t x = 0; x < f->numbers && x < MOST_COUNTERS; x++) {
		const struct ts_slot *with = &m->ts.slot[f->number[x]];
		struct element_order o = { false, false, false };
		if (with->width == e->width && f->number[x] != f->cell[cell].slot)
			o = compare(f, cut, p, cell, x, e->width);
		suggest_order(f, other, &o, e->latch, with->latch);
	}
	for (uint32_t x = cell + 1; x < f->cells; x++) {
		const struct ts_slot *with = &m->ts.slot[f->cell[x].slot];
		struct element_order o = { false, false, false };
		if (with->width == e->width && f->cell[x].index == f->cell[cell].index)
			o = compare(f, cut, p, cell, f->numbers + f->ghosts + x, e->width);
		suggest_order(f, other, &o, e->latch, with->latch);
	}
	return f->n > before;
}

/* A claim about all elements that a fast counter passes also holds for those that a slower one
 * passes. */
static void suggest_upward(
    struct facts *f, uint32_t cut, expr other, uint32_t counter, uint32_t cell)
{
	struct passing p = { counter, MOST_PACE, NONE };
	while (p.pace && !suggest_passed(f, cut, other, &p, cell))
		p.pace--;
}

static void suggest_downward(
    struct facts *f, uint32_t cut, expr other, uint32_t counter, uint32_t cell)
{
	struct passing p = { counter, 0, NONE };
	if (suggest_passed(f, cut, other, &p, cell))
		return;
	for (p.before = 0; p.before < f->numbers && p.before < MOST_COUNTERS; p.before++)
		if (p.before != counter)
			suggest_passed(f, cut, other, &p, cell);
}

static void suggest_each(struct facts *f, uint32_t cut,
    void (*suggest)(struct facts *f, uint32_t cut, expr other, uint32_t counter, uint32_t cell))
{
	expr other = prove_elsewhere(f->m, cut);
	for (uint32_t i = 0; i < f->cells && f->cut[cut].n; i++)
		for (uint32_t k = 0; k < f->numbers && k < MOST_COUNTERS; k++)
			suggest(f, cut, other, k, i);
}

void prove_suggest_upward(struct facts *f, uint32_t cut)
{
	suggest_each(f, cut, suggest_upward);
}

void prove_suggest_downward(struct facts *f, uint32_t cut)
{
	suggest_each(f, cut, suggest_downward);
}
