/* callees: an order of the functions in which callees come before their callers, so that what is
 * known of a callee's result can be used in its callers. */
#include "lib/prove/returns.h"

#include <stdlib.h>

static struct graph_edge *calls_of(struct alias *a, size_t *n)
{
	struct graph_edge *edge = NULL;
	*n = 0;
	for (size_t i = 0; i < alias_calls(a); i++) {
		const struct alias_call *c = alias_call(a, i);
		for (size_t k = 0; k < c->callees; k++)
			*PUSH(edge, *n) = (struct graph_edge){ c->func, c->callee[k] };
	}
	return edge;
}

/* Finds functions that functions with goals call, directly or not, and recursive ones. */
static bool *find_called(const struct graph *g, struct alias *a, const bool *with_goals)
{
	bool *called = zeroed(g->nodes, sizeof *called);
	uint32_t *todo = NULL;
	size_t n = 0;
	for (uint32_t f = 0; f < g->nodes; f++)
		if (with_goals[f])
			*PUSH(todo, n) = f;
	while (n) {
		uint32_t f = todo[--n];
		for (uint32_t k = g->first[f]; k < g->first[f + 1]; k++)
			if (!called[g->succ[k]]) {
				called[g->succ[k]] = true;
				*PUSH(todo, n) = g->succ[k];
			}
	}
	for (uint32_t f = 0; f < g->nodes; f++)
		called[f] |= alias_is_recursive(a, f);
	free(todo);
	return called;
}

static int by_group(const void *a, const void *b)
{
	const struct prove_callee *x = a, *y = b;
	return x->group != y->group ? (x->group > y->group) - (x->group < y->group)
	                            : (x->function > y->function) - (x->function < y->function);
}

struct prove_callee *prove_callees(struct alias *a, const bool *with_goals, size_t *n)
{
	uint32_t functions = alias_functions(a), components, *component;
	size_t edges;
	struct graph_edge *edge = calls_of(a, &edges);
	struct prove_callee *out = NULL;
	struct graph g;
	bool *called;
	graph_make(&g, functions, edge, edges);
	component = graph_components(&g, &components);
	called = find_called(&g, a, with_goals);
	*n = 0;
	for (uint32_t f = 0; f < functions; f++)
		if (called[f])
			*PUSH(out, *n) = (struct prove_callee){ f, component[f] };
	if (*n)
		qsort(out, *n, sizeof *out, by_group);
	free(component);
	free(called);
	free(edge);
	graph_free(&g);
	return out;
}
