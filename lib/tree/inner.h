/* What the parts of lib/tree share. */
#ifndef DUCT_TREE_INNER_H
#define DUCT_TREE_INNER_H

#include "lib/tree/paths.h"
#include "lib/tree/sites.h"
#include "lib/tree/tree.h"

/* A node has one slot an outcome. A slot's index is the handle of the branch while it is pending.
 * Nodes at the same place of the tree with different conditions (a value that was made concrete
 * differs from run to run) are alternatives in a list. So are checks aside: nodes with one slot,
 * the fault, and nothing below. */

enum slot_state { SLOT_PENDING, SLOT_RUN, SLOT_INFEASIBLE, SLOT_UNKNOWN, SLOT_PUT_OFF, SLOT_SILENT, SLOT_GIVEN };

struct slot {
	uint32_t node, child;        /* owner; first node below, 0 none */
	uint8_t state;
};

struct node {
	expr cond;                   /* the condition, or the value of a switch */
	uint32_t up;                 /* slot that leads here; 0: the root */
	uint32_t other;              /* next alternative, 0 none */
	uint32_t first, outcomes;    /* slots */
	uint32_t site, round;
	uint32_t depth, visits, run;
	bool guess;                  /* a switch with unknown cases: outcome 1 is `value == y` of its first run */
};

struct run { uint64_t id; uint32_t open; struct assignment in; };

struct tree {
	struct expr_pool *pool;
	tree_cases *cases; void *cases_arg;
	struct slot *slot; uint32_t slots, slots_capacity;
	struct node *node; uint32_t nodes, nodes_capacity;
	struct run *run; uint32_t runs, runs_capacity;
	uint32_t root;               /* first alternative */
	struct paths paths;          /* identities of the paths that were run */
	uint64_t *key; size_t keys, keys_capacity;        /* of units, by their index in traces */
	uint32_t *decided; size_t decided_capacity; uint32_t generation;
	struct sites sites;
	uint32_t *last; size_t lasts, last_capacity;      /* slots taken by the last run */
	pending *added; size_t adds, added_capacity;
	struct tree_step *step; size_t steps, step_capacity;   /* of the last run */
	expr *query; size_t query_capacity;
	pending *open; size_t open_capacity;
	pending oldest;              /* no slot before it is given away */
	struct tree_counts counts;
	bool failed;                 /* out of memory */
};

/* Makes room for one more element; false when out of memory. */
bool tree_room(struct tree *t, void **array, size_t n, size_t *capacity, size_t size);
bool tree_room32(struct tree *t, void **array, uint32_t n, uint32_t *capacity, size_t size);
#define ROOM(t, array, n, capacity) tree_room(t, (void **)&(array), n, &(capacity), sizeof *(array))
#define ROOM32(t, array, n, capacity) tree_room32(t, (void **)&(array), n, &(capacity), sizeof *(array))

/* A check aside. */
bool tree_aside(const struct tree *t, const struct node *n);

/* `value == y`. */
expr tree_equals(struct tree *t, expr value, uint64_t y);
/* The condition for outcome k of a switch. */
expr tree_case_cond(struct tree *t, expr value, const uint64_t *y, size_t cases, uint32_t k);
/* The condition for taking outcome k of a node. */
expr tree_outcome_cond(struct tree *t, const struct node *n, uint32_t k);
/* One branch less is open on the path of a run: its values go with the last. */
void tree_release(struct tree *t, uint32_t run);

#endif
