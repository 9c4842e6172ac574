/* linear: expressions of a run that are linear in one input. */
#ifndef DUCT_STORE_LINEAR_H
#define DUCT_STORE_LINEAR_H

#include "lib/trace/trace.h"

#include <stdbool.h>
#include <stdint.h>

bool linear_is_constant(const struct trace *t, uint32_t node);
/* The value of a constant with its sign. */
int64_t linear_signed(const struct channel_node *constant);

/* An index: scale * (input >> shift) + offset. */
struct linear {
	uint32_t var;
	int64_t scale, offset;
	unsigned shift;
	bool is_signed;
};
/* False: the node does not have that form, or not a size that an index has. */
bool linear_find(const struct trace *t, uint32_t node, struct linear *l);
/* The value of x for which the node, x + k or k - x, has this value; *falls: the node decreases as
 * x increases. */
int64_t linear_solve(const struct trace *t, uint32_t node, uint64_t value, bool *falls);
/* The greatest x on the lower side of a comparison of order with a constant; *lower: the run's x is
 * on that side. */
int64_t linear_last_below(const struct trace *t, const struct channel_node *n, bool *lower);
/* The greatest value of an index that stays within the object; false: not known. */
bool linear_limit(const struct trace *t, const struct channel_address *a, int64_t *limit);

#endif
