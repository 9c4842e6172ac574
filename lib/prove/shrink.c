/* shrink: candidates about a number that gets smaller while another one counts up, as in loops that
 * divide or shift: the number's interval for each value of the counter. These alone imply that the
 * counter stays below some value: when the number has become 0, the loop ends. */
#include "lib/prove/facts.h"

#define MOST_COUNTS 64 /* values of a counter */
#define LEAST_COUNTS 3
#define WIDE_RUNS 40     /* counters tried for the least and the greatest numbers */
#define WIDE_STEPS 80    /* of each */
#define WIDE_SAMPLES 400 /* of them at a cut */

/* The range of a number in the samples with one value of the counter. */
struct interval {
	bool any;
	int64_t low, high;
	uint64_t least, most;
};
struct counter {
	uint32_t cut, number;
	int64_t first;
	unsigned n;
	struct interval at[MOST_COUNTS]; /* the number that is examined */
};

static void draw_wide(struct facts *f)
{
	if (f->wide)
		return;
	f->wide = f->sim.wide = true;
	for (int i = 0; i < WIDE_RUNS; i++)
		prove_facts_sample(f, WIDE_STEPS, WIDE_SAMPLES);
	f->sim.wide = false;
}

/* Does the number have a few values, consecutive without a gap? */
static bool counts(const struct facts *f, struct counter *c)
{
	const struct samples *s = &f->cut[c->cut];
	unsigned width = f->m->ts.slot[f->number[c->number]].width;
	bool seen[MOST_COUNTS] = { false };
	int64_t low = INT64_MAX, high = INT64_MIN;
	for (size_t k = 0; k < s->n; k++) {
		int64_t v = prove_signed(s->at[k].v[c->number], width);
		low = v < low ? v : low;
		high = v > high ? v : high;
	}
	if (low > high || (uint64_t)high - (uint64_t)low >= MOST_COUNTS
	    || (uint64_t)high - (uint64_t)low + 1 < LEAST_COUNTS)
		return false;
	c->first = low;
	c->n = (unsigned)(high - low) + 1;
	for (size_t k = 0; k < s->n; k++)
		seen[prove_signed(s->at[k].v[c->number], width) - low] = true;
	for (unsigned i = 0; i < c->n; i++)
		if (!seen[i])
			return false;
	return true;
}

static void look(const struct facts *f, struct counter *c, uint32_t number)
{
	const struct samples *s = &f->cut[c->cut];
	unsigned width = f->m->ts.slot[f->number[number]].width,
	         own = f->m->ts.slot[f->number[c->number]].width;
	for (unsigned i = 0; i < c->n; i++)
		c->at[i].any = false;
	for (size_t k = 0; k < s->n; k++) {
		uint64_t u = s->at[k].v[number];
		int64_t v = prove_signed(u, width);
		struct interval *is = &c->at[prove_signed(s->at[k].v[c->number], own) - c->first];
		if (!is->any)
			*is = (struct interval){ true, v, v, u, u };
		is->low = v < is->low ? v : is->low;
		is->high = v > is->high ? v : is->high;
		is->least = u < is->least ? u : is->least;
		is->most = u > is->most ? u : is->most;
	}
}

/* The n-th interval in the order of the counter, or in reverse order. */
static const struct interval *nth(const struct counter *c, unsigned i, bool up)
{
	return &c->at[up ? i : c->n - 1 - i];
}

static bool shrinks(const struct counter *c, bool up, bool is_signed)
{
	const struct interval *first = nth(c, 0, up), *last = nth(c, c->n - 1, up);
	for (unsigned i = 1; i < c->n; i++) {
		const struct interval *before = nth(c, i - 1, up), *is = nth(c, i, up);
		if (is_signed ? is->low < before->low || is->high > before->high
		              : is->most > before->most)
			return false;
	}
	return is_signed ? last->high < first->high || last->low > first->low
	                 : last->most < first->most;
}

static void suggest_order(struct facts *f, expr other, enum op op, expr less, expr more)
{
	prove_suggest_plain(f, other, prove_compare(f, op, less, more));
}

static void suggest_intervals(struct facts *f, const struct counter *c, uint32_t number, bool sign)
{
	struct encoding *m = f->m;
	const struct ts_slot *by = &m->ts.slot[f->number[c->number]],
	                     *slot = &m->ts.slot[f->number[number]];
	enum op op = sign ? OP_SLE : OP_ULE;
	for (unsigned i = 0; i < c->n; i++) {
		const struct interval *is = &c->at[i];
		expr value = prove_const(m, by->width, (uint64_t)c->first + i),
		     other = prove_or(m, prove_elsewhere(m, c->cut),
		         expr_not(m->pool, prove_equal(m, by->latch, value)));
		uint64_t low = sign ? (uint64_t)is->low : is->least > 0,
		         high = sign ? (uint64_t)is->high : is->most;
		suggest_order(f, other, op, prove_const(m, slot->width, low), slot->latch);
		suggest_order(f, other, op, slot->latch, prove_const(m, slot->width, high));
	}
}

static void suggest_counter(struct facts *f, const struct counter *c)
{
	struct encoding *m = f->m;
	const struct ts_slot *by = &m->ts.slot[f->number[c->number]];
	expr other = prove_elsewhere(m, c->cut);
	uint64_t low = (uint64_t)c->first, high = low + c->n - 1;
	suggest_order(f, other, OP_SLE, prove_const(m, by->width, low), by->latch);
	suggest_order(f, other, OP_SLE, by->latch, prove_const(m, by->width, high));
}

void prove_suggest_shrinking(struct facts *f, uint32_t cut)
{
	draw_wide(f);
	for (uint32_t by = 0; by < f->numbers; by++) {
		struct counter c = { .cut = cut, .number = by };
		bool any = false;
		if (f->real[by] || !prove_varies(f, cut, by) || !counts(f, &c))
			continue;
		for (uint32_t i = 0; i < f->numbers; i++) {
			if (i == by || f->real[i] || !prove_varies(f, cut, i))
				continue;
			look(f, &c, i);
			for (int sign = 0; sign < 2; sign++)
				if (shrinks(&c, true, sign) || shrinks(&c, false, sign)) {
					suggest_intervals(f, &c, i, sign);
					any = true;
				}
		}
		if (any)
			suggest_counter(f, &c);
	}
}
