/* candidates: relations between the result and the arguments that may hold for every call of a
 * function. They are made of the numbers that the function compares with, and of pairs of these if
 * it is recursive. */
#include "lib/base/grow.h"
#include "lib/prove/returned.h"

#define MOST_BORDERS 4 /* numbers at which ranges of arguments begin or end */
#define MOST_RELATIONS 600

static void add(struct returned *s, const struct argument_range *range, unsigned ranges)
{
	for (uint32_t less = 0; less <= MOST_PARAMS; less++) {
		struct relation r = { .ranges = ranges, .less = less ? less - 1 : NONE };
		if (less && s->param[less - 1] != s->width)
			continue;
		for (unsigned i = 0; i < ranges; i++)
			r.range[i] = range[i];
		for (r.fact.kind = TS_MOST; r.fact.kind <= TS_LEAST && s->n < MOST_RELATIONS;
		    r.fact.kind++)
			*PUSH(s->relation, s->n) = r;
	}
}

static size_t find_borders(const struct returned *s, unsigned width, int64_t *border)
{
	size_t n = 0;
	border[n++] = 0;
	for (unsigned i = 0; i < s->sim.constants && n < MOST_BORDERS; i++) {
		int64_t c = prove_signed((uint64_t)bits_cut(s->sim.constant[i], width), width);
		size_t k = 0;
		while (k < n && border[k] != c)
			k++;
		if (k == n)
			border[n++] = c;
	}
	return n;
}

/* Makes ranges of an argument: below, at and above each number, and from each number to either
 * end. */
static size_t find_ranges(const struct returned *s, uint8_t param, struct argument_range *range)
{
	int64_t border[MOST_BORDERS];
	size_t n = 0, borders = s->param[param] ? find_borders(s, s->param[param], border) : 0;
	for (size_t i = 0; i < borders; i++) {
		int64_t c = border[i];
		range[n++] = (struct argument_range){ param, SIDE_MOST, c };
		range[n++] = (struct argument_range){ param, SIDE_LEAST, c };
		range[n++] = (struct argument_range){ param, SIDE_EXACT, c };
		if (c > INT32_MIN && c < INT32_MAX) {
			range[n++] = (struct argument_range){ param, SIDE_MOST, c - 1 };
			range[n++] = (struct argument_range){ param, SIDE_LEAST, c + 1 };
		}
	}
	return n;
}

void prove_find_candidates(struct returned *s)
{
	struct argument_range one[5 * MOST_BORDERS], two[5 * MOST_BORDERS];
	*PUSH(s->relation, s->n) = (struct relation){ .few = true, .less = NONE };
	add(s, NULL, 0);
	for (int64_t but = -1; but <= 0; but++)
		for (enum ts_fact_kind kind = TS_MOST; kind <= TS_LEAST; kind++)
			*PUSH(s->relation, s->n) = (struct relation){
				.less = NONE, .but = true, .except = but, .fact.kind = kind
			};
	for (uint8_t p = 0; p < MOST_PARAMS; p++) {
		size_t n = find_ranges(s, p, one);
		for (size_t i = 0; i < n; i++)
			add(s, &one[i], 1);
	}
	for (uint8_t p = 0; p < MOST_PARAMS && s->recursive; p++) {
		size_t n = find_ranges(s, p, one);
		for (uint8_t q = 0; q < MOST_PARAMS; q++) {
			size_t m = q == p ? 0 : find_ranges(s, q, two);
			for (size_t i = 0; i < n; i++)
				for (size_t k = 0; k < m; k++)
					if (one[i].side == SIDE_EXACT && two[k].side != SIDE_EXACT)
						add(s, (struct argument_range[]){ one[i], two[k] },
						    2);
		}
	}
}
