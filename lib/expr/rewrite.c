/* rewrite: replaces parts of an expression; new nodes are simplified on construction. */
#include "lib/expr/pool.h"

#include <stdlib.h>
#include <string.h>

void rewrite_start(struct rewrite *r)
{
	if (++r->now == 0) {
		memset(r->gen, 0, r->cap * sizeof *r->gen);
		r->now = 1;
	}
}

static void room(struct rewrite *r)
{
	uint32_t old = r->cap, cap = old, n = r->p->nodes;
	if (n <= old)
		return;
	r->gen = pool_grow(r->gen, &cap, n, sizeof *r->gen);
	memset(r->gen + old, 0, (cap - old) * sizeof *r->gen);
	cap = old;
	r->to = pool_grow(r->to, &cap, n, sizeof *r->to);
	r->cap = cap;
}

static bool known(struct rewrite *r, expr e)
{
	room(r);
	return r->gen[e] == r->now;
}

static void set(struct rewrite *r, expr e, expr to)
{
	room(r);
	r->gen[e] = r->now;
	r->to[e] = to;
}

struct stack {
	expr *e;
	uint32_t n, cap;
};

static void push(struct stack *s, expr e)
{
	s->e = pool_grow(s->e, &s->cap, s->n + 1, sizeof *s->e);
	s->e[s->n++] = e;
}

/* The node with rewritten operands; 0 after pushing operands that are not done. */
static expr rebuild(struct rewrite *r, struct stack *s, expr e)
{
	struct expr_node n = *pool_node(r->p, e);
	int arity = op_arity(n.op);
	uint32_t before = s->n;
	expr o[3] = { n.a, n.b, n.c };
	for (int i = 0; i < arity; i++)
		if (!known(r, o[i]))
			push(s, o[i]);
	if (s->n > before)
		return 0;
	for (int i = 0; i < arity; i++)
		o[i] = r->to[o[i]];
	if ((arity < 1 || o[0] == n.a) && (arity < 2 || o[1] == n.b) && (arity < 3 || o[2] == n.c))
		return e;
	return expr_make(r->p, n.op, n.width, o[0], arity > 1 ? o[1] : 0,
	    n.op == OP_EXTRACT ? n.c
	        : arity > 2    ? o[2]
	                       : 0);
}

expr rewrite(struct rewrite *r, expr root)
{
	struct stack s = { 0 };
	push(&s, root);
	while (s.n) {
		expr e = s.e[s.n - 1];
		if (known(r, e)) {
			s.n--;
			continue;
		}
		bool leaf =
		    op_arity(expr_op(r->p, e)) < 1 || (r->reads && expr_op(r->p, e) == OP_READ);
		expr to = !leaf && r->node ? r->node(r, e, r->ctx) : 0;
		if (!to)
			to = leaf ? r->leaf(r, e, r->ctx) : rebuild(r, &s, e);
		if (to)
			set(r, e, to);
		else if (leaf)
			break;
	}
	bool done = !s.n;
	free(s.e);
	return done ? r->to[root] : 0;
}

void rewrite_clear(struct rewrite *r)
{
	free(r->gen), free(r->to);
	r->gen = r->to = NULL;
	r->cap = 0;
}
