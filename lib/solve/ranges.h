/* ranges: values allowed by conditions on one input alone, as intervals. Inputs of up to 64 bits.
 * Private to lib/solve. */
#ifndef DUCT_RANGES_H
#define DUCT_RANGES_H

#include "lib/expr/expr.h"

#define RANGES_MOST 24

/* Disjoint, ascending, not adjacent. n == 0: empty. */
struct ranges {
	uint64_t max;
	uint32_t n;
	struct {
		uint64_t lo, hi;
	} r[RANGES_MOST];
};

/* A condition "input in [lo, hi]", wrapping around if lo > hi. */
struct range {
	uint32_t var;
	unsigned width;
	uint64_t lo, hi;
};

/* Is cond such a condition (or the exclusion of one value)? */
bool range_of(const struct expr_pool *p, expr cond, struct range *r);

void ranges_all(struct ranges *s, unsigned width);
/* Intersects with [lo, hi], which may wrap around. False when that takes too many intervals; then
 * some excluded values remain. */
bool ranges_keep(struct ranges *s, uint64_t lo, uint64_t hi);
/* The least value >= v; false when there is none. */
bool ranges_next(const struct ranges *s, uint64_t v, uint64_t *out);
/* Number of values, at most UINT64_MAX. */
uint64_t ranges_count(const struct ranges *s);
/* The shortest range base .. base + count - 1, possibly wrapping around, that contains all values;
 * count 0: its length is 2^64. */
void ranges_hull(const struct ranges *s, uint64_t *base, uint64_t *count);

#endif
