/* batch: evaluates a condition at every point of a small grid, in blocks of points; for exhaustive
 * enumeration in lib/solve. */
#ifndef DUCT_BATCH_H
#define DUCT_BATCH_H

#include "lib/expr/expr.h"

/* One dimension of the grid: base, base + 1, ... (modulo 2^width), `count` values. */
struct batch_side {
	uint32_t var;
	uint64_t base;
	uint32_t count;
};

/* A list of points: variable k has value[k * points + i] at point i. */
struct batch_points {
	const uint32_t *var;
	size_t vars;
	const uint64_t *value;
	uint64_t points;
};

/* Sets bit i of `out` if cond holds at point i. The first side varies fastest; bits past the last
 * point are 0. Every variable of cond must be a side. False when cond has values of more than 64
 * bits or too many nodes. */
struct batch;
struct batch *batch_new(struct expr_pool *p);
void batch_free(struct batch *b);
bool batch_run(
    struct batch *b, expr cond, const struct batch_side *side, size_t sides, uint64_t *out);
/* Likewise, for a list of points. */
bool batch_run_list(struct batch *b, expr cond, const struct batch_points *list, uint64_t *out);
/* The values of e, at most 64 bits wide, at the points of a grid. */
bool batch_values(
    struct batch *b, expr e, const struct batch_side *side, size_t sides, uint64_t *out);
bool batch_values_list(struct batch *b, expr e, const struct batch_points *list, uint64_t *out);
/* Number of nodes of cond, i.e. the cost per point; UINT32_MAX if batch_run would return false. */
uint32_t batch_cost(struct batch *b, expr cond);

#endif
