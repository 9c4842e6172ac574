/* behind: blocks that control may reach after a block: in its function, in callees, and in callers
 * after the return. */
#include "lib/flow/flow.h"
#include "lib/base/grow.h"
#include "lib/base/search.h"

#include <stdlib.h>

struct var_ref {
	uint32_t unit, id;
};

/* A call, sorted by callee for bisection; unit UINT32_MAX: through a pointer. */
struct caller {
	uint32_t unit, func;
	struct var_ref block;
};

struct behind {
	const struct flow *fl;
	bool **mark, **left;    /* reached blocks; functions that may return */
	uint32_t **first, **to; /* by unit: edges of a block, as offsets of each block's
	                           first */
	struct caller *caller;
	size_t callers;
	struct flow_names *names;
	struct var_ref *todo;
	size_t n, room;
};

static void index_edges(struct behind *b, uint32_t unit)
{
	const struct flow_unit *u = &b->fl->unit[unit];
	uint32_t *first = b->first[unit] = zeroed(u->blocks + 2, sizeof *first),
	         *to = b->to[unit] = zeroed(u->edges, sizeof *to);

	for (size_t i = 0; i < u->edges; i++)
		first[u->edge[i].from]++;
	for (uint32_t i = 1; i <= u->blocks + 1; i++)
		first[i] += first[i - 1];
	for (size_t i = 0; i < u->edges; i++)
		to[--first[u->edge[i].from]] = u->edge[i].to;
}

static int by_callee(const void *x, const void *y)
{
	const struct caller *a = x, *b = y;

	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	return (a->func > b->func) - (a->func < b->func);
}

static void index_calls(struct behind *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->fl->units; i++)
		n += b->fl->unit[i].calls;
	b->caller = zeroed(n, sizeof *b->caller);
	for (uint32_t i = 0; i < b->fl->units; i++)
		for (size_t k = 0; k < b->fl->unit[i].calls; k++) {
			const struct flow_call *c = &b->fl->unit[i].call[k];
			struct flow_meaning m = { UINT32_MAX, 0, false };
			if (c->callee && !flow_names_find(b->names, i, c->callee, &m))
				continue;
			b->caller[b->callers++] =
			    (struct caller){ m.unit, m.func, { i, c->block } };
		}
	if (b->callers)
		qsort(b->caller, b->callers, sizeof *b->caller, by_callee);
}

static void visit(struct behind *b, uint32_t unit, uint32_t block)
{
	if (!block || block > b->fl->unit[unit].blocks || b->mark[unit][block])
		return;
	b->mark[unit][block] = true;
	b->todo = grow(b->todo, &b->room, b->n + 1, sizeof *b->todo);
	b->todo[b->n++] = (struct var_ref){ unit, block };
}

static void visit_function(struct behind *b, uint32_t unit, uint32_t func)
{
	visit(b, unit, b->fl->unit[unit].func[func].first_block);
}

static void visit_callers(struct behind *b, uint32_t unit, uint32_t func)
{
	struct caller key = { unit, func, { 0, 0 } };
	size_t i = lower_bound(&key, b->caller, b->callers, sizeof *b->caller, by_callee);

	for (; i < b->callers && !by_callee(&b->caller[i], &key); i++)
		visit(b, b->caller[i].block.unit, b->caller[i].block.id);
}

/* Visits the places to which a block's function returns. */
static void leave(struct behind *b, uint32_t unit, uint32_t func)
{
	if (b->left[unit][func])
		return;
	b->left[unit][func] = true;
	visit_callers(b, unit, func);
	if (b->fl->unit[unit].func[func].address_taken)
		visit_callers(b, UINT32_MAX, 0);
}

static void enter_any(struct behind *b)
{
	for (uint32_t i = 0; i < b->fl->units; i++)
		for (uint32_t k = 0; k < b->fl->unit[i].funcs; k++)
			if (b->fl->unit[i].func[k].address_taken)
				visit_function(b, i, k);
}

static int by_function(const void *func, const void *call)
{
	uint32_t f = *(const uint32_t *)func, g = ((const struct flow_call *)call)->func;

	return (f > g) - (f < g);
}

/* Visits the callees of a block; calls are ordered by function. */
static void enter(struct behind *b, uint32_t unit, uint32_t block)
{
	const struct flow_unit *u = &b->fl->unit[unit];
	uint32_t func = u->block_func[block - 1];
	size_t i = lower_bound(&func, u->call, u->calls, sizeof *u->call, by_function);
	struct flow_meaning m;

	for (; i < u->calls && u->call[i].func == func; i++) {
		if (u->call[i].block != block)
			continue;
		if (!u->call[i].callee)
			enter_any(b);
		else if (flow_names_find(b->names, unit, u->call[i].callee, &m))
			visit_function(b, m.unit, m.func);
	}
}

struct behind *flow_behind_new(const struct flow *fl)
{
	struct behind *b = zeroed(1, sizeof *b);

	b->fl = fl;
	b->names = flow_names_new(fl);
	b->mark = zeroed(fl->units, sizeof *b->mark);
	b->left = zeroed(fl->units, sizeof *b->left);
	b->first = zeroed(fl->units, sizeof *b->first);
	b->to = zeroed(fl->units, sizeof *b->to);
	for (uint32_t i = 0; i < fl->units; i++) {
		b->mark[i] = zeroed(fl->unit[i].blocks + 1, sizeof **b->mark);
		b->left[i] = zeroed(fl->unit[i].funcs + 1, sizeof **b->left);
		index_edges(b, i);
	}
	index_calls(b);
	return b;
}

void flow_behind_add(struct behind *b, uint32_t unit, uint32_t block)
{
	visit(b, unit, block);
	while (b->n) {
		struct var_ref p = b->todo[--b->n];
		for (uint32_t i = b->first[p.unit][p.id]; i < b->first[p.unit][p.id + 1]; i++)
			visit(b, p.unit, b->to[p.unit][i]);
		enter(b, p.unit, p.id);
		leave(b, p.unit, b->fl->unit[p.unit].block_func[p.id - 1] - 1);
	}
}

bool flow_is_behind(const struct behind *b, uint32_t unit, uint32_t block)
{
	return block && block <= b->fl->unit[unit].blocks && b->mark[unit][block];
}

void flow_behind_free(struct behind *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->fl->units; i++) {
		free(b->mark[i]);
		free(b->left[i]);
		free(b->first[i]);
		free(b->to[i]);
	}
	flow_names_free(b->names);
	void *all[] = { b->mark, b->left, b->first, b->to, b->caller, b->todo };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
	free(b);
}
