/* bounds: how many low bits of an input can be set, as conditions on the input alone say. Private to
 * lib/engine. */
#ifndef DUCT_BOUNDS_H
#define DUCT_BOUNDS_H

#include "lib/expr/expr.h"

struct bound { uint32_t var, bits; uint64_t most; }; /* at most so much, unsigned */

/* The inputs that the conjunction leaves fewer bits than they have, by number. */
struct bounds { struct bound *list; size_t n, cap; };
void bounds_find(struct bounds *b, const struct expr_pool *p, const expr *cond, size_t n);
void bounds_clear(struct bounds *b);

#endif
