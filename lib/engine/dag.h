/* dag: the nodes below some conditions, operands first. For engines and other senders of expressions. */
#ifndef DUCT_DAG_H
#define DUCT_DAG_H

#include "lib/expr/expr.h"

struct dag {
	expr *node; size_t n, cap;   /* in order */
	uint8_t *seen; size_t seen_cap; /* by expression: 1 seen, 2 used more than once */
	expr *stack; size_t stack_cap;
};

/* Starts anew: forgets what was seen. */
void dag_start(struct dag *d, struct expr_pool *p);
/* Adds what is below e and not seen yet. */
void dag_add(struct dag *d, struct expr_pool *p, expr e);
void dag_clear(struct dag *d);

#endif
