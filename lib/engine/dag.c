#include "lib/engine/dag.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

void dag_start(struct dag *d, struct expr_pool *p)
{
	d->seen = grow(d->seen, &d->seen_cap, expr_count(p) + 1, 1);
	for (size_t i = 0; i < d->n; i++)
		d->seen[d->node[i]] = 0;
	d->n = 0;
}

void dag_add(struct dag *d, struct expr_pool *p, expr root)
{
	size_t depth = 0;
	d->seen = grow(d->seen, &d->seen_cap, expr_count(p) + 1, 1);
	d->stack = grow(d->stack, &d->stack_cap, 1, sizeof *d->stack);
	d->stack[depth++] = root;
	while (depth) {
		expr e = d->stack[depth - 1];
		size_t before = depth;
		if (d->seen[e] && !(d->seen[e] & 4)) {
			d->seen[e] = 2;
			depth--;
			continue;
		}
		if (!d->seen[e]) { /* first visit: push operands */
			d->seen[e] = 4;
			for (int i = 0; i < op_arity(expr_op(p, e)); i++) {
				d->stack =
				    grow(d->stack, &d->stack_cap, depth + 1, sizeof *d->stack);
				d->stack[depth++] = expr_operand(p, e, i);
			}
		}
		if (depth > before)
			continue;
		d->seen[e] = 1;
		d->node = grow(d->node, &d->cap, d->n + 1, sizeof *d->node);
		d->node[d->n++] = e;
		depth--;
	}
}

void dag_clear(struct dag *d)
{
	free(d->node), free(d->seen), free(d->stack);
	memset(d, 0, sizeof *d);
}
