/* smtlib: a conjunction as SMT-LIB 2 text, without arrays: one assertion, shared nodes
 * bound by let, variables called v0, v1, ... Private to lib/engine. */
#ifndef DUCT_SMTLIB_H
#define DUCT_SMTLIB_H

#include "lib/engine/dag.h"

void smtlib_write(FILE *f, struct expr_pool *p, struct dag *d, const expr *cond, size_t n);

#endif
