/* graph: directed graphs of dense nodes 0..n-1: dominators, components, loop heads.
 *
 * Every function that returns an array allocates it; the caller frees it. NULL when out of memory. */
#ifndef DUCT_GRAPH_H
#define DUCT_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GRAPH_NONE UINT32_MAX

struct graph_edge { uint32_t from, to; };

/* Successors of node v: succ[first[v]] .. succ[first[v + 1] - 1], in the order of the edges. */
struct graph { uint32_t nodes; uint32_t *first, *succ; };

bool graph_make(struct graph *g, uint32_t nodes, const struct graph_edge *edge, size_t edges);
bool graph_reverse(struct graph *to, const struct graph *g);
void graph_free(struct graph *g);

/* Nodes that root reaches, in reverse postorder; *n of them. */
uint32_t *graph_order(const struct graph *g, uint32_t root, uint32_t *n);
/* Immediate dominator of each node, as Cooper, Harvey and Kennedy compute it; the root's is itself,
 * that of a node which root does not reach is GRAPH_NONE. Post-dominators: those of the reverse. */
uint32_t *graph_dominators(const struct graph *g, uint32_t root);
/* Does a dominate b? Both must be reached. */
bool graph_dominates(const uint32_t *idom, uint32_t a, uint32_t b);
/* Strongly connected component of each node, numbered so that edges lead to the same or to a lower
 * number (Tarjan); *components of them. */
uint32_t *graph_components(const struct graph *g, uint32_t *components);
/* Is the node the target of an edge that closes a loop in a depth-first walk from root? */
bool *graph_loop_heads(const struct graph *g, uint32_t root);

#endif
