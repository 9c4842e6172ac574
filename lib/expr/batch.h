/* batch: the value of a condition at every point of a small grid, a block of points at a time.
 * For exact enumeration in lib/solve. */
#ifndef DUCT_BATCH_H
#define DUCT_BATCH_H

#include "lib/expr/expr.h"

/* One side of the grid: the variable takes base, base + 1, ... (modulo its width). */
struct batch_side { uint32_t var; uint64_t base; uint32_t count; };

/* Points one by one: at point i variable k has value[k * points + i]. */
struct batch_points { const uint32_t *var; size_t vars; const uint64_t *value; uint64_t points; };

/* Sets bit i of `out` when cond holds at point i; the first side varies fastest; bits past the last
 * point are 0. Variables that are no side must not occur. False when the condition has values
 * of more than 64 bits or too many nodes. */
struct batch;
struct batch *batch_new(struct expr_pool *p);
void batch_free(struct batch *b);
bool batch_run(struct batch *b, expr cond, const struct batch_side *side, size_t sides, uint64_t *out);
/* The same at points of a list. */
bool batch_run_list(struct batch *b, expr cond, const struct batch_points *list, uint64_t *out);
/* Nodes below cond: what a point costs. UINT32_MAX when batch_run would refuse. */
uint32_t batch_cost(struct batch *b, expr cond);

#endif
