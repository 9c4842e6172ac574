/* import: converts the nodes of a trace to expressions. */
#include "lib/expr/pool.h"

#include <stdlib.h>

enum { MADE = sizeof((struct expr_pool *)0)->made.node / sizeof(struct recent_node) };

static bool same(const struct recent_node *x, const struct recent_node *y)
{
	return x->op == y->op && x->width == y->width && x->a == y->a && x->b == y->b
	    && x->c == y->c;
}

/* As expr_make, but looks first whether an earlier trace had the same node. Traces have long parts
 * in common, so the entry after the one that was used last is tried before the hash table. */
static expr make(struct expr_pool *p, struct recent_node n)
{
	struct recent_node *m = &p->made.node[p->made.next % MADE];
	uint16_t *at;

	if (same(m, &n)) {
		p->made.next++;
		return m->r;
	}
	at = &p->made.by_hash[(pool_mix(pool_mix((uint64_t)n.a << 32 | n.b, n.c),
	                           (uint64_t)n.op << 8 | n.width)
	                          >> 32)
	    % MADE];
	m = &p->made.node[*at];
	if (!same(m, &n)) {
		n.r = expr_make(p, n.op, n.width, n.a, n.b, n.c);
		*at = (uint16_t)(p->made.n++ % MADE);
		m = &p->made.node[*at];
		*m = n;
	}
	p->made.next = *at + 1u;
	return m->r;
}

/* Operands as in op.h: nodes, except EXTRACT's c, a bit. */
static expr import_node(
    struct expr_pool *p, const struct trace *t, const struct channel_node *n, const expr *map)
{
	switch (n->op) {
	case OP_INPUT:
		if (n->a >= t->vars)
			return 0;
		return expr_input(
		    p, expr_var(p, t->var[n->a].name, t->var[n->a].kind, t->var[n->a].width));
	case OP_CONST: return expr_const(p, n->width, (struct value){ n->value, 0 });
	case OP_TABLE:
		if (n->a > t->blob_size || n->b > t->blob_size - n->a)
			return 0;
		return expr_table(p, t->blob + n->a, n->b);
	case OP_EXTRACT:
		return make(p, (struct recent_node){ n->op, n->width, map[n->a], 0, n->c, 0 });
	default:
		if (op_arity(n->op) < 1)
			return 0;
		return make(p,
		    (struct recent_node){ n->op, n->width, map[n->a],
		        op_arity(n->op) > 1 ? map[n->b] : 0, op_arity(n->op) > 2 ? map[n->c] : 0,
		        0 });
	}
}

void expr_import_some(struct expr_pool *p, const struct trace *t, expr *map, size_t from, size_t to)
{
	map[0] = 0;
	for (size_t i = from; i < to; i++) {
		const struct channel_node *n = &t->node[i];
		bool leaf = op_arity(n->op) < 1;
		bool ordered = leaf
		    || (n->a <= i && (op_arity(n->op) < 2 || n->b <= i)
		        && (op_arity(n->op) < 3 || n->c <= i));
		map[i + 1] = ordered ? import_node(p, t, n, map) : 0;
	}
}

void expr_import(struct expr_pool *p, const struct trace *t, expr *map)
{
	expr_import_some(p, t, map, 0, t->nodes);
}

void expr_import_values(struct expr_pool *p, const struct trace *t, struct assignment *a)
{
	for (uint32_t i = 0; i < a->n; i++)
		a->set[i] = false;
	for (size_t i = 0; i < t->vars; i++)
		assignment_set(a, expr_var(p, t->var[i].name, t->var[i].kind, t->var[i].width),
		    t->var[i].value);
}

uint32_t expr_import_check(struct expr_pool *p, const struct trace *t, const expr *map)
{
	struct assignment a = { 0 };
	uint32_t bad = 0;
	expr_import_values(p, t, &a);
	expr_eval_start(p, &a);
	for (uint32_t i = 1; i <= t->nodes && !bad; i++) {
		const struct channel_node *n = &t->node[i - 1];
		if (!map[i])
			bad = i;
		else if (n->width && expr_eval_next(p, map[i]).lo != n->value)
			bad = i;
	}
	assignment_clear(&a);
	return bad;
}
