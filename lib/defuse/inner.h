/* inner: private to lib/defuse. */
#ifndef DUCT_DEFUSE_INNER_H
#define DUCT_DEFUSE_INNER_H

#include "lib/defuse/defuse.h"
#include "lib/graph/graph.h"
#include "lib/base/map.h"

/* An access to an object at one of its places, for the data-flow analysis. */
struct access_event {
	uint32_t block; /* number over all units */
	uint32_t inst, access, place;
};

struct block {
	uint32_t unit, func;        /* func: number */
	uint32_t first_call, calls; /* the program's calls in this block, in order */
	uint32_t first_inst, insts;
	bool returns;
};

/* Bit sets of objects, one row per function: the objects that it or its callees access. */
struct rows {
	uint64_t *bit;
	size_t words;
};

/* A call through a pointer of functions of the program or of outside code, which may call others
 * back: all of these. */
struct mixed {
	uint32_t *callee;
	size_t callees;
};

struct defuse_index {
	uint32_t *block_base, blocks;
	struct block *block;
	struct graph flow;             /* blocks, edges within functions only */
	size_t *caller, *first_caller; /* calls grouped by possible callee */
	struct mixed *mixed;           /* by call, index.c */
	struct access_event *event;
	size_t *first_event; /* ordered by object, block, instruction */
	struct rows touched;
	bool *reachable;    /* by function: from the entry */
	bool *runs;         /* by function: reachable, or from the harness, or if there
	                       may be any callers, all */
	uint32_t *incoming; /* by function: 1 + its DEFUSE_INCOMING access;
	                       0: none yet */
	bool *private_;     /* by object: only the function that owns it
	                       accesses it */
	uint32_t *idom;     /* dominator tree of blocks, calls included;
	                       points.c */
	struct def_tracer *tracer;
	size_t tracers;          /* points.c: traced forward searches from one definition */
	struct forward *forward; /* reach.c: the search that made them */
	struct steps *steps;     /* steps.c */
	struct map pair_of, names;
	struct credit *credit;   /* covered.c */
	uint32_t **branch_of;    /* by unit and outcome: 1 + index of its branch */
	uint32_t **block_behind; /* likewise: the block it leads to; for a
	                            conditional value, its own block */
};

/* access.c: accesses, from the records */
void defuse_collect(struct defuse *d);
struct defuse_access *defuse_add(struct defuse *d, struct defuse_access a);
/* sinks.c: what the value of each load and call of a unit is used for */
struct sinks {
	uint32_t *outcome, outcomes;
	bool computes;
};
struct sinks *defuse_sinks(const struct flow_unit *u);
void defuse_sinks_free(const struct flow_unit *u, struct sinks *s);
/* index.c: blocks, calls, events */
void defuse_index(struct defuse *d);
/* Orders events by block and instruction, uses before definitions. */
int defuse_compare_events(const void *a, const void *b, void *defuse);
/* The place of an event in an object; the whole object if the event is in ALIAS_OUTSIDE. */
struct defuse_place defuse_event_place(
    const struct defuse *d, const struct access_event *e, uint32_t object);
void defuse_index_free(struct defuse *d);
bool defuse_touches(const struct defuse *d, uint32_t func, uint32_t object);
uint32_t defuse_entry_block(const struct defuse *d, uint32_t func); /* GRAPH_NONE: no body */
/* The first instruction of a block with a position, else its first instruction. */
uint32_t defuse_first_inst(const struct defuse *d, uint32_t block);
/* The functions of the flow that a call may execute. */
const uint32_t *defuse_callees(const struct defuse *d, const struct alias_call *c, size_t *n);

/* reachable.c: marks the functions reachable from the entry, all if none was named */
void defuse_reachable(struct defuse *d);

/* place.c */
/* Does p, an exact place, contain all of q? `size`: bits of the object, 0: unknown. */
bool place_covers(const struct defuse_place *p, const struct defuse_place *q, uint64_t size);

/* reach.c: all pairs */
void defuse_reach(struct defuse *d);

/* A forward search recorded as a graph. Nodes are the (block, phase) pairs that it enters; node 0
 * is its start. */
struct hit {
	uint32_t access, node;
};
struct def_tracer {
	uint32_t def;
	struct defuse_place place; /* the definition and the place that are
	                              followed */
	struct map node_of;
	uint32_t *block, nodes; /* by node: block number over all units */
	struct graph_edge *edge;
	size_t edges;
	struct hit *hit;
	size_t hits; /* uses reached */
	uint32_t at; /* current node of the search */
	uint32_t *idom;
};
void defuse_trace(struct defuse *d, const struct defuse_pair *p, struct def_tracer *t);
void defuse_forget(struct def_tracer *t);
void defuse_forward_free(struct forward *w);
void defuse_credit_free(struct credit *c);
void defuse_steps_free(struct steps *s);
/* pairs.c */
void defuse_add_pairs(struct defuse *d, uint32_t def, uint32_t use, struct defuse_place place);
void defuse_finish_pairs(struct defuse *d);

#endif
