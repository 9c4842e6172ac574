/* ranges: the values that conditions on one input alone allow it, as intervals. Inputs of up
 * to 64 bits. Private to lib/solve. */
#ifndef DUCT_RANGES_H
#define DUCT_RANGES_H

#include "lib/expr/expr.h"

#define RANGES_MOST 24

/* Disjoint, ascending, not adjacent. n == 0: nothing is allowed. */
struct ranges { uint64_t max; uint32_t n; struct { uint64_t lo, hi; } r[RANGES_MOST]; };

/* A condition "input in [lo, hi]", going round past the largest value when lo > hi. */
struct range { uint32_t var; unsigned width; uint64_t lo, hi; };

/* Does cond say just that (or, excluding a value, its complement)? */
bool range_of(const struct expr_pool *p, expr cond, struct range *r);

void ranges_all(struct ranges *s, unsigned width);
/* Keeps what lies in [lo, hi], going round. False when that takes too many intervals: then
 * some that is excluded stays. */
bool ranges_keep(struct ranges *s, uint64_t lo, uint64_t hi);
/* The least allowed value from v on; false when there is none. */
bool ranges_next(const struct ranges *s, uint64_t v, uint64_t *out);
/* Number of values, UINT64_MAX when more. */
uint64_t ranges_count(const struct ranges *s);
/* The shortest stretch base .. base + count - 1, going round, that holds all; count 0 when it is 2^64 long. */
void ranges_hull(const struct ranges *s, uint64_t *base, uint64_t *count);

#endif
