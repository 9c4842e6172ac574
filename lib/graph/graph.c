#include "lib/graph/graph.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

void graph_make(struct graph *g, uint32_t nodes, const struct graph_edge *edge, size_t edges)
{
	g->nodes = nodes;
	g->first = zeroed(nodes + 2u, sizeof *g->first);
	g->succ = reserved(edges + 1, sizeof *g->succ);
	for (size_t i = 0; i < edges; i++)
		g->first[edge[i].from + 2]++;
	for (uint32_t v = 0; v < nodes; v++)
		g->first[v + 2] += g->first[v + 1];
	for (size_t i = 0; i < edges; i++)
		g->succ[g->first[edge[i].from + 1]++] = edge[i].to;
}

void graph_reverse(struct graph *to, const struct graph *g)
{
	size_t n = g->first[g->nodes];
	struct graph_edge *edge = reserved(n + 1, sizeof *edge);
	for (uint32_t v = 0; v < g->nodes; v++)
		for (uint32_t k = g->first[v]; k < g->first[v + 1]; k++)
			edge[k] = (struct graph_edge){ g->succ[k], v };
	graph_make(to, g->nodes, edge, n);
	free(edge);
}

void graph_free(struct graph *g)
{
	free(g->first);
	free(g->succ);
	g->first = g->succ = NULL;
}

/* Iterative depth-first search. next: by node on the stack, the next edge to follow. */
struct traversal {
	uint32_t *stack, *next;
	uint8_t *state;
	size_t depth;
};
enum { NEW, OPEN, DONE };

static void walk_open(struct traversal *w, const struct graph *g)
{
	w->stack = reserved(g->nodes + 1u, sizeof *w->stack);
	w->next = reserved(g->nodes + 1u, sizeof *w->next);
	w->state = zeroed(g->nodes + 1u, 1);
	w->depth = 0;
}

static void walk_close(struct traversal *w)
{
	free(w->stack);
	free(w->next);
	free(w->state);
}

static void walk_enter(struct traversal *w, const struct graph *g, uint32_t v)
{
	w->state[v] = OPEN;
	w->next[v] = g->first[v];
	w->stack[w->depth++] = v;
}

uint32_t *graph_order(const struct graph *g, uint32_t root, uint32_t *n)
{
	uint32_t *order = reserved(g->nodes + 1u, sizeof *order), at = g->nodes;
	struct traversal w;
	walk_open(&w, g);
	walk_enter(&w, g, root);
	while (w.depth) {
		uint32_t v = w.stack[w.depth - 1];
		if (w.next[v] == g->first[v + 1]) {
			order[--at] = v;
			w.depth--;
		} else if (w.state[g->succ[w.next[v]++]] == NEW) {
			walk_enter(&w, g, g->succ[w.next[v] - 1]);
		}
	}
	walk_close(&w);
	*n = g->nodes - at;
	memmove(order, order + at, *n * sizeof *order);
	return order;
}

static uint32_t meet(const uint32_t *idom, const uint32_t *place, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (place[a] > place[b])
			a = idom[a];
		while (place[b] > place[a])
			b = idom[b];
	}
	return a;
}

static void dominate(const struct graph *back, const uint32_t *order, uint32_t n,
    const uint32_t *place, uint32_t *idom)
{
	bool changed = true;
	idom[order[0]] = order[0];
	while (changed) {
		changed = false;
		for (uint32_t i = 1; i < n; i++) {
			uint32_t v = order[i], best = GRAPH_NONE;
			for (uint32_t k = back->first[v]; k < back->first[v + 1]; k++) {
				uint32_t p = back->succ[k];
				if (idom[p] != GRAPH_NONE)
					best = best == GRAPH_NONE ? p : meet(idom, place, p, best);
			}
			changed |= idom[v] != best;
			idom[v] = best;
		}
	}
}

uint32_t *graph_dominators(const struct graph *g, uint32_t root)
{
	uint32_t n, *order = graph_order(g, root, &n);
	uint32_t *place = reserved(g->nodes + 1u, sizeof *place),
	         *idom = reserved(g->nodes + 1u, sizeof *idom);
	struct graph back;
	graph_reverse(&back, g);
	memset(idom, 0xff, (g->nodes + 1u) * sizeof *idom);
	for (uint32_t i = 0; i < n; i++)
		place[order[i]] = i;
	dominate(&back, order, n, place, idom);
	graph_free(&back);
	free(order);
	free(place);
	return idom;
}

bool graph_dominates(const uint32_t *idom, uint32_t a, uint32_t b)
{
	while (b != a && idom[b] != b)
		b = idom[b];
	return a == b;
}

struct tarjan {
	struct traversal w;
	uint32_t *low, *index, *pending, *component;
	uint32_t met, waiting, components;
};

static void close_node(struct tarjan *t, uint32_t v)
{
	uint32_t x;
	if (t->low[v] == t->index[v]) {
		do {
			x = t->pending[--t->waiting];
			t->component[x] = t->components;
		} while (x != v);
		t->components++;
	}
	t->w.depth--;
	if (t->w.depth) {
		uint32_t up = t->w.stack[t->w.depth - 1];
		if (t->component[v] == GRAPH_NONE && t->low[v] < t->low[up])
			t->low[up] = t->low[v];
	}
}

static void open_node(struct tarjan *t, const struct graph *g, uint32_t v)
{
	walk_enter(&t->w, g, v);
	t->index[v] = t->low[v] = t->met++;
	t->pending[t->waiting++] = v;
}

static void components_from(struct tarjan *t, const struct graph *g, uint32_t root)
{
	open_node(t, g, root);
	while (t->w.depth) {
		uint32_t v = t->w.stack[t->w.depth - 1], to;
		if (t->w.next[v] == g->first[v + 1]) {
			close_node(t, v);
			continue;
		}
		to = g->succ[t->w.next[v]++];
		if (t->w.state[to] == NEW)
			open_node(t, g, to);
		else if (t->component[to] == GRAPH_NONE && t->index[to] < t->low[v])
			t->low[v] = t->index[to];
	}
}

uint32_t *graph_components(const struct graph *g, uint32_t *components)
{
	struct tarjan t = { .components = 0 };
	size_t n = g->nodes + 1u;
	t.low = reserved(n, sizeof *t.low);
	t.index = reserved(n, sizeof *t.index);
	t.pending = reserved(n, sizeof *t.pending);
	t.component = reserved(n, sizeof *t.component);
	walk_open(&t.w, g);
	memset(t.component, 0xff, n * sizeof *t.component);
	for (uint32_t v = 0; v < g->nodes; v++)
		if (t.w.state[v] == NEW)
			components_from(&t, g, v);
	walk_close(&t.w);
	free(t.low);
	free(t.index);
	free(t.pending);
	*components = t.components;
	return t.component;
}

bool *graph_loop_heads(const struct graph *g, uint32_t root)
{
	bool *head = zeroed(g->nodes + 1u, sizeof *head);
	struct traversal w;
	walk_open(&w, g);
	walk_enter(&w, g, root);
	while (w.depth) {
		uint32_t v = w.stack[w.depth - 1], to;
		if (w.next[v] == g->first[v + 1]) {
			w.state[v] = DONE;
			w.depth--;
			continue;
		}
		to = g->succ[w.next[v]++];
		if (w.state[to] == NEW)
			walk_enter(&w, g, to);
		else if (w.state[to] == OPEN)
			head[to] = true;
	}
	walk_close(&w);
	return head;
}
