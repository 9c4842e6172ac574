/* abstraction: of conditions: terms of few values that depend on several inputs, as the place in a
 * hash table, become inputs of their own. What has no solution then has none before. Private to
 * lib/solve. */
#ifndef DUCT_ABSTRACTION_H
#define DUCT_ABSTRACTION_H

#include "lib/expr/expr.h"

struct abstraction;
struct abstraction *abstraction_new(struct expr_pool *p);
void abstraction_free(struct abstraction *s);
/* That of cond, always the same one; cond itself if it has no such terms. */
expr abstraction_of(struct abstraction *s, expr cond);
/* The term whose lowest bits an input of the abstraction stands for; 0: none, or another part of a
 * term. */
expr abstraction_term(const struct abstraction *s, uint32_t var);
/* Is the input one of the abstraction's own? */
bool abstraction_own(const struct abstraction *s, uint32_t var);

#endif
