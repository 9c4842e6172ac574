/* graph: dominators, components and loop heads of random graphs against their definitions. */
#include "lib/graph/graph.h"
#include "tests/unit/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 9, GRAPHS = 3000 };

/* Does root reach each node without passing `without`? */
static void reach(const struct graph *g, uint32_t root, uint32_t without, bool *met)
{
	uint32_t todo[NODES], n = 0;
	memset(met, 0, NODES);
	if (root == without)
		return;
	met[root] = true;
	todo[n++] = root;
	while (n) {
		uint32_t v = todo[--n];
		for (uint32_t k = g->first[v]; k < g->first[v + 1]; k++) {
			uint32_t to = g->succ[k];
			if (to == without || met[to])
				continue;
			met[to] = true;
			todo[n++] = to;
		}
	}
}

static bool dominators_right(const struct graph *g)
{
	uint32_t *idom = graph_dominators(g, 0);
	bool all[NODES], met[NODES], right = true;
	reach(g, 0, GRAPH_NONE, all);
	for (uint32_t a = 0; a < NODES; a++) {
		reach(g, 0, a, met);
		right &= all[a] == (idom[a] != GRAPH_NONE);
		for (uint32_t b = 0; b < NODES; b++)
			if (all[a] && all[b])
				right &= graph_dominates(idom, a, b) == (a == b || !met[b]);
	}
	free(idom);
	return right;
}

static bool components_right(const struct graph *g)
{
	uint32_t n, *component = graph_components(g, &n);
	bool from[NODES][NODES], right = true;
	for (uint32_t a = 0; a < NODES; a++)
		reach(g, a, GRAPH_NONE, from[a]);
	for (uint32_t a = 0; a < NODES; a++)
		for (uint32_t b = 0; b < NODES; b++) {
			right &= (component[a] == component[b]) == (from[a][b] && from[b][a]);
			right &= !from[a][b] || component[b] <= component[a];
			right &= component[a] < n;
		}
	free(component);
	return right;
}

/* Every cycle that the root reaches has a head: without the heads there is none. */
static bool heads_right(const struct graph *g)
{
	bool *head = graph_loop_heads(g, 0), met[NODES], all[NODES], right = true;
	uint32_t degree[NODES] = { 0 }, todo[NODES], n = 0, left = 0;
	reach(g, 0, GRAPH_NONE, all);
	for (uint32_t v = 0; v < NODES; v++)
		for (uint32_t k = g->first[v]; k < g->first[v + 1] && all[v] && !head[v]; k++)
			degree[g->succ[k]] += !head[g->succ[k]];
	for (uint32_t v = 0; v < NODES; v++)
		if (all[v] && !head[v]) {
			left++;
			if (!degree[v])
				todo[n++] = v;
		}
	while (n) {
		uint32_t v = todo[--n];
		left--;
		for (uint32_t k = g->first[v]; k < g->first[v + 1]; k++)
			if (!head[g->succ[k]] && !--degree[g->succ[k]])
				todo[n++] = g->succ[k];
	}
	for (uint32_t v = 0; v < NODES; v++) /* a head is on a cycle */
		if (head[v]) {
			bool back = false;
			for (uint32_t k = g->first[v]; k < g->first[v + 1]; k++) {
				reach(g, g->succ[k], GRAPH_NONE, met);
				back |= met[v];
			}
			right &= back && all[v];
		}
	free(head);
	return right && !left;
}

static bool order_right(const struct graph *g)
{
	uint32_t n, *order = graph_order(g, 0, &n), reached = 0;
	bool all[NODES], right;
	reach(g, 0, GRAPH_NONE, all);
	for (uint32_t v = 0; v < NODES; v++)
		reached += all[v];
	right = n == reached && order[0] == 0;
	for (uint32_t i = 0; i < n; i++)
		right &= all[order[i]];
	free(order);
	return right;
}

int main(void)
{
	static const struct {
		const char *name;
		bool (*right)(const struct graph *);
	} tests[] = {
		{ "dominators", dominators_right },
		{ "components", components_right },
		{ "loop heads", heads_right },
		{ "reverse postorder", order_right },
	};
	unsigned wrong[4] = { 0 };
	for (int i = 0; i < GRAPHS; i++) {
		struct graph_edge edge[2 * NODES];
		struct graph g;
		size_t n = below(2 * NODES + 1);
		for (size_t k = 0; k < n; k++)
			edge[k] = (struct graph_edge){ below(NODES), below(NODES) };
		graph_make(&g, NODES, edge, n);
		for (int t = 0; t < 4; t++)
			wrong[t] += !tests[t].right(&g);
		graph_free(&g);
	}
	for (int t = 0; t < 4; t++)
		okf(!wrong[t], "%s of %d random graphs", tests[t].name, GRAPHS);
	return finish();
}
