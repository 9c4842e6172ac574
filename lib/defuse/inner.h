/* inner: private to lib/defuse. */
#ifndef DUCT_DEFUSE_INNER_H
#define DUCT_DEFUSE_INNER_H

#include "lib/defuse/defuse.h"
#include "lib/graph/graph.h"
#include "lib/map/map.h"

/* An access to an object at one of its places. */
struct event { uint32_t block, inst, access, place; };    /* block: number through all units */

struct block {
	uint32_t unit, func;                     /* func: number */
	uint32_t first_call, calls;              /* of the program's calls, which are in order */
	uint32_t first_inst, insts;
	bool returns;
};

/* Sets of objects, a row a function: those that it or what it calls accesses. */
struct rows { uint64_t *bit; size_t words; };

struct defuse_index {
	bool failed;
	uint32_t *block_base, blocks;
	struct block *block;
	struct graph flow;                       /* of blocks, within functions */
	size_t *caller, *first_caller;           /* calls by function that they may call */
	struct event *event; size_t *first_event;/* by object, then block and instruction */
	struct rows touched;
	bool *reachable;                         /* by function */
	uint32_t *incoming;                      /* by function: 1 + the access that is what comes in, 0 none yet */
	bool *private_;                          /* by object: only its owner names it */
	uint32_t *idom;                          /* of blocks over calls; points.c */
	struct tracer *tracer; size_t tracers;   /* points.c: the walks from one definition that were traced */
	struct walk *walk;                       /* reach.c: what they were made with */
	struct steps *steps;                     /* steps.c */
	struct map pair_of, names;
	struct credit *credit;                   /* covered.c */
	uint32_t **branch_of;                    /* by unit and outcome: 1 + index of the branch */
	uint32_t **block_behind;                 /* likewise: where it leads to; that of a value, its own block */
};

/* Room for one more element; NULL after failed was set. */
void *defuse_grow(struct defuse_index *x, void *array, size_t n, size_t size);

/* access.c: from the records */
void defuse_collect(struct defuse *d);
struct defuse_access *defuse_add(struct defuse *d, struct defuse_access a);
/* sinks.c: where the value of each load and call of a unit goes */
struct sinks { uint32_t *outcome, outcomes; bool computes; };
struct sinks *defuse_sinks(const struct flow_unit *u);
void defuse_sinks_free(const struct flow_unit *u, struct sinks *s);
/* index.c: blocks, calls, events */
void defuse_index(struct defuse *d);
/* By block and instruction, uses first. */
int defuse_compare_events(const void *a, const void *b, void *defuse);
/* The place of an event of an object: what is anywhere outside may be in it. */
struct defuse_place defuse_event_place(const struct defuse *d, const struct event *e, uint32_t object);
void defuse_index_free(struct defuse *d);
bool defuse_touches(const struct defuse *d, uint32_t func, uint32_t object);
uint32_t defuse_entry_block(const struct defuse *d, uint32_t func);      /* GRAPH_NONE: it has none */
/* The first instruction of a block that has a position, else its first. */
uint32_t defuse_first_inst(const struct defuse *d, uint32_t block);
/* The functions of the flow that a call may run. */
const uint32_t *defuse_callees(const struct defuse *d, const struct alias_call *c, size_t *n);

/* place.c */
/* Does p, which is exact, hold all of q? `size`: bits of the object, 0 unknown. */
bool place_covers(const struct defuse_place *p, const struct defuse_place *q, uint64_t size);

/* reach.c: all pairs */
void defuse_reach(struct defuse *d);

/* A walk as a graph: its nodes are the blocks that it enters, in the function of the definition and up from
 * there, or down from there; node 0 is where it starts. */
struct hit { uint32_t access, node; };
struct tracer {
	uint32_t def; struct defuse_place place;         /* what was followed */
	struct map node_of;
	uint32_t *block, nodes;                          /* of each node: number through all units */
	struct graph_edge *edge; size_t edges;
	struct hit *hit; size_t hits;                    /* uses met */
	uint32_t at;                                     /* the node where the walk is */
	uint32_t *idom;
};
bool defuse_trace(struct defuse *d, const struct defuse_pair *p, struct tracer *t);
void defuse_forget(struct tracer *t);
void defuse_walk_free(struct walk *w);
void defuse_credit_free(struct credit *c);
void defuse_steps_free(struct steps *s);
/* pairs.c */
void defuse_add_pairs(struct defuse *d, uint32_t def, uint32_t use, struct defuse_place place);
void defuse_finish_pairs(struct defuse *d);

#endif
