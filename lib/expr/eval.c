/* eval: values of expressions under an assignment; each node is computed once. */
#include "lib/expr/pool.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

void expr_eval_start(struct expr_pool *p, const struct assignment *a)
{
	p->under = a;
	if (++p->now == 0) { /* the counter wrapped: invalidate all generations */
		memset(p->gen, 0, p->eval_cap * sizeof *p->gen);
		p->now = 1;
	}
}

/* Grows the arrays for nodes added since. */
static void room(struct expr_pool *p)
{
	uint32_t old = p->eval_cap, cap = old;
	if (p->nodes <= old)
		return;
	p->gen = pool_grow(p->gen, &cap, p->nodes, sizeof *p->gen);
	memset(p->gen + old, 0, (cap - old) * sizeof *p->gen);
	cap = old;
	p->lo = pool_grow(p->lo, &cap, p->nodes, sizeof *p->lo);
	cap = old;
	p->hi = pool_grow(p->hi, &cap, p->nodes, sizeof *p->hi);
	p->eval_cap = cap;
}

static bool known(struct expr_pool *p, expr e)
{
	return p->gen[e] == p->now;
}

static u128 value(const struct expr_pool *p, expr e)
{
	return (u128)p->hi[e] << 64 | p->lo[e];
}

static void set(struct expr_pool *p, expr e, u128 v)
{
	p->gen[e] = p->now;
	p->lo[e] = (uint64_t)v;
	p->hi[e] = (uint64_t)(v >> 64);
}

static void push(struct expr_pool *p, uint32_t *depth, expr e)
{
	p->stack = pool_grow(p->stack, &p->stack_cap, *depth + 1, sizeof *p->stack);
	p->stack[(*depth)++] = e;
}

/* A byte of an array; the offsets and values of its stores are already computed. */
static uint8_t byte_at(const struct expr_pool *p, expr array, uint64_t at)
{
	const struct expr_node *n = pool_node(p, array);
	for (; n->op == OP_STORE; n = pool_node(p, n->a)) {
		uint64_t d = at - p->lo[n->b];
		if (d < pool_node(p, n->c)->width / 8)
			return (uint8_t)(value(p, n->c) >> (8 * d));
	}
	return p->blob[n->a + at];
}

static u128 read_array(const struct expr_pool *p, const struct expr_node *n)
{
	u128 r = 0;
	uint32_t size = pool_array_size(p, n->a);
	for (unsigned i = 0; i < n->width / 8u; i++) {
		uint64_t at = p->lo[n->b] + i;
		if (at < size)
			r |= (u128)byte_at(p, n->a, at) << (8 * i);
	}
	return r;
}

/* Pushes operands that are not computed yet; true when there are none. */
static bool ready(struct expr_pool *p, uint32_t *depth, const struct expr_node *n)
{
	uint32_t before = *depth;
	int arity = op_arity(n->op);
	if (n->op == OP_ITE) {
		expr next = !known(p, n->a) ? n->a : p->lo[n->a] ? n->b : n->c;
		if (known(p, next))
			return true;
		push(p, depth, next);
		return false;
	}
	if (arity > 0 && !known(p, n->a))
		push(p, depth, n->a);
	if (arity > 1 && !known(p, n->b))
		push(p, depth, n->b);
	if (arity > 2 && !known(p, n->c))
		push(p, depth, n->c);
	return *depth == before;
}

static u128 compute(struct expr_pool *p, const struct expr_node *n)
{
	switch (n->op) {
	case OP_INPUT: {
		struct value v = assignment_get(p->under, n->a);
		return bits_cut(bits_of(v), n->width);
	}
	case OP_CONST: return pool_const_value(p, n);
	case OP_ITE: return value(p, p->lo[n->a] ? n->b : n->c);
	case OP_READ: return read_array(p, n);
	case OP_TABLE:
	case OP_STORE: return 0; /* evaluated by READ */
	default:
		if (op_arity(n->op) == 1)
			return bits_unary(
			    n->op, n->width, pool_node(p, n->a)->width, n->c, value(p, n->a));
		return bits_binary(n->op, n->width, pool_node(p, n->a)->width,
		    pool_node(p, n->b)->width, value(p, n->a), value(p, n->b));
	}
}

struct value expr_eval_next(struct expr_pool *p, expr root)
{
	uint32_t depth = 0;
	room(p);
	if (!known(p, root))
		push(p, &depth, root);
	while (depth) {
		expr e = p->stack[depth - 1];
		const struct expr_node *n = pool_node(p, e);
		if (!known(p, e)) {
			if (!ready(p, &depth, n))
				continue;
			set(p, e, compute(p, n));
		}
		depth--;
	}
	return bits_value(value(p, root));
}

struct value expr_eval(struct expr_pool *p, expr e, const struct assignment *a)
{
	expr_eval_start(p, a);
	return expr_eval_next(p, e);
}

size_t expr_first_false(struct expr_pool *p, const expr *cond, size_t n, const struct assignment *a)
{
	expr_eval_start(p, a);
	for (size_t i = 0; i < n; i++)
		if (!expr_eval_next(p, cond[i]).lo)
			return i;
	return n;
}

/* ---- assignments */

static void assignment_room(struct assignment *a, uint32_t size)
{
	if (size <= a->n)
		return;
	a->v = resized(a->v, size, sizeof *a->v);
	a->set = resized(a->set, size, sizeof *a->set);
	memset(a->v + a->n, 0, (size - a->n) * sizeof *a->v);
	memset(a->set + a->n, 0, (size - a->n) * sizeof *a->set);
	a->n = size;
}

void assignment_set(struct assignment *a, uint32_t var, struct value v)
{
	if (var >= a->n)
		assignment_room(a, var + 1 + var / 2);
	a->v[var] = v;
	a->set[var] = true;
}

struct value assignment_get(const struct assignment *a, uint32_t var)
{
	return a && var < a->n && a->set[var] ? a->v[var] : (struct value){ 0, 0 };
}

void assignment_copy(struct assignment *to, const struct assignment *from)
{
	if (to == from)
		return;
	assignment_room(to, from->n);
	if (from->n) {
		memcpy(to->v, from->v, from->n * sizeof *to->v);
		memcpy(to->set, from->set, from->n * sizeof *to->set);
	}
	if (to->n > from->n)
		memset(to->set + from->n, 0, (to->n - from->n) * sizeof *to->set);
}

void assignment_clear(struct assignment *a)
{
	free(a->v), free(a->set);
	*a = (struct assignment){ 0 };
}
