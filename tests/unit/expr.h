/* expr: short names for making expressions. */
#ifndef DUCT_TESTS_EXPR_H
#define DUCT_TESTS_EXPR_H

#include "lib/expr/expr.h"

static inline expr in(struct expr_pool *p, const char *name, unsigned w)
{
	return expr_input(p, expr_var(p, name, INPUT_INT, w));
}
static inline expr num(struct expr_pool *p, unsigned w, uint64_t v)
{
	return expr_const(p, w, (struct value){ v, 0 });
}
static inline expr op2(struct expr_pool *p, enum op op, unsigned w, expr a, expr b)
{
	return expr_make(p, op, w, a, b, 0);
}
static inline expr zext(struct expr_pool *p, unsigned w, expr a)
{
	return expr_make(p, OP_ZEXT, w, a, 0, 0);
}

#endif
