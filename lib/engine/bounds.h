/* bounds: how many low bits of an input may be nonzero according to conditions on that input alone.
 * Private to lib/engine. */
#ifndef DUCT_BOUNDS_H
#define DUCT_BOUNDS_H

#include "lib/expr/expr.h"

struct bound {
	uint32_t var, bits;
	uint64_t most; /* upper bound of the unsigned value */
};

/* The inputs whose range the conjunction reduces to fewer bits, ordered by variable. */
struct bounds {
	struct bound *list;
	size_t n;
};
void bounds_find(struct bounds *b, const struct expr_pool *p, const expr *cond, size_t n);
void bounds_clear(struct bounds *b);

#endif
