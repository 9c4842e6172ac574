/* graph: directed graphs with nodes 0..n-1: dominators, components, loop heads.
 *
 * The caller frees the arrays that functions return. */
#ifndef DUCT_GRAPH_H
#define DUCT_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GRAPH_NONE UINT32_MAX

struct graph_edge {
	uint32_t from, to;
};

/* Successors of node v: succ[first[v]] .. succ[first[v + 1] - 1], in the order of the edges. */
struct graph {
	uint32_t nodes;
	uint32_t *first, *succ;
};

void graph_make(struct graph *g, uint32_t nodes, const struct graph_edge *edge, size_t edges);
void graph_reverse(struct graph *to, const struct graph *g);
void graph_free(struct graph *g);

/* The nodes reachable from root in reverse postorder; *n: their number. */
uint32_t *graph_order(const struct graph *g, uint32_t root, uint32_t *n);
/* Immediate dominator of each node (Cooper, Harvey, Kennedy). The root's is itself; an unreachable
 * node's is GRAPH_NONE. Post-dominators: apply to the reversed graph. */
uint32_t *graph_dominators(const struct graph *g, uint32_t root);
/* Does a dominate b? Both must be reachable. */
bool graph_dominates(const uint32_t *idom, uint32_t a, uint32_t b);
/* Strongly connected component of each node (Tarjan), numbered so that edges lead to the same or a
 * lower number; *components: their number. */
uint32_t *graph_components(const struct graph *g, uint32_t *components);
/* By node: is it the target of a back edge of a depth-first search from root? */
bool *graph_loop_heads(const struct graph *g, uint32_t root);

#endif
