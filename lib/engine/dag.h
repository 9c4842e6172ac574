/* dag: the nodes of some conditions, operands first; for engines and others that transmit
 * expressions. */
#ifndef DUCT_DAG_H
#define DUCT_DAG_H

#include "lib/expr/expr.h"

struct dag {
	expr *node;
	size_t n, cap; /* operands before users */
	uint8_t *seen;
	size_t seen_cap; /* by expression: 1 seen, 2 used more than once */
	expr *stack;
	size_t stack_cap;
};

/* Resets to empty. */
void dag_start(struct dag *d, struct expr_pool *p);
/* Adds e and its subexpressions that are not in the list yet. */
void dag_add(struct dag *d, struct expr_pool *p, expr e);
void dag_clear(struct dag *d);

#endif
