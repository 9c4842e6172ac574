/* inner: private to lib/tree. */
#ifndef DUCT_TREE_INNER_H
#define DUCT_TREE_INNER_H

#include "lib/base/map.h"
#include "lib/tree/sites.h"
#include "lib/tree/tree.h"

/* A node has one slot per outcome. The index of a slot is the handle of its branch while it is
 * pending. Nodes at the same place of the tree with different conditions (concretised values differ
 * between runs) are alternatives in a list. Checks aside are in the same list: nodes with one slot,
 * the fault, and no children; and so are rests of paths that were cut, with the slot of going on.
 * Wanted cases of a switch are such nodes, too (ways.c). */

enum slot_state {
	SLOT_PENDING,
	SLOT_RUN,
	SLOT_INFEASIBLE,
	SLOT_UNKNOWN,
	SLOT_PUT_OFF,
	SLOT_SILENT,
	SLOT_GIVEN
};

struct slot {
	uint32_t node : 29; /* that owns it */
	uint32_t state : 3; /* enum slot_state */
	uint32_t child;     /* first child node, 0: none */
};

struct node {
	expr cond;              /* the condition, or the value of a switch */
	uint32_t up;            /* slot of the parent; 0: root */
	uint32_t other;         /* next alternative, 0: none */
	uint32_t first;         /* its first slot */
	uint32_t outcomes : 30; /* the number of its slots */
	uint32_t guess : 1;     /* a switch with unknown cases: outcome 1 is `value == y`, y of its
	                           first run */
	uint32_t deep : 1;      /* a wanted case with paths of its own */
	uint32_t site, round;
	uint32_t depth, visits, run;
	uint32_t only; /* number of the case, if the node is a wanted case */
};

struct run {
	uint64_t id;
	uint8_t *in; /* its inputs, packed, as long as one of its branches is open */
	uint32_t open;
};

struct tree {
	struct expr_pool *pool;
	tree_cases *cases;
	void *cases_arg;
	tree_ways *ways; /* or NULL */
	tree_wanted *wanted;
	void *ways_arg;
	bool deep; /* there are wanted cases with paths of their own */
	struct slot *slot;
	uint32_t slots;
	size_t slots_capacity;
	struct node *node;
	uint32_t nodes;
	size_t nodes_capacity;
	struct run *run;
	uint32_t runs;
	size_t runs_capacity;
	uint32_t root;       /* first alternative */
	struct map paths;    /* identities of paths run so far */
	struct map switches; /* value << 32 | site -> may an outcome of it be impossible? */
	uint64_t *key;
	size_t keys, keys_capacity; /* unit keys by index in traces */
	uint32_t *decided;
	size_t decided_capacity;
	uint32_t generation;
	expr *map; /* by node of the last run: its expression, if it was needed */
	size_t map_capacity;
	struct assignment in; /* unpacked inputs of the run in_of */
	uint32_t in_of;       /* 0: none */
	uint32_t cut;         /* most conditions that a run may add; 0: as most_new says */
	struct sites sites;
	struct tree_possible {
		struct channel_pair pair;
		uint32_t next; /* another one of the same key; 0: none */
	} *pair;               /* possible pairs of EV_ALIAS events */
	size_t pairs;
	struct map pair_at; /* 1 + index in `pair`, by a hash */
	uint32_t *last;
	size_t lasts, last_capacity; /* slots taken by the last run */
	pending *added;
	size_t adds, added_capacity;
	struct tree_step *step;
	size_t steps, step_capacity; /* of the last run */
	expr *query;
	size_t query_capacity;
	pending *open;
	size_t open_capacity;
	pending oldest; /* the search of tree_oldest resumes here */
	struct tree_counts counts;
};

bool tree_pair_same(const struct channel_pair *a, const struct channel_pair *b);
/* Number of a pair in the tree's list, from 1, added if new. */
uint32_t tree_pair_number(struct tree *t, const struct channel_pair *p);

/* Extends the identity of a path, a hash, by one value. */
uint64_t tree_mix(uint64_t identity, uint64_t value);

/* Is it the node of a check aside, a possible pair, a wanted case or a rest? It has one slot, and
 * only a deep case has children. */
bool tree_aside(const struct tree *t, const struct node *n);

/* ways.c. tree_ways_of: the ways of a switch, or NULL. tree_way: the outcome that represents this
 * one in paths. */
const uint32_t *tree_ways_of(const struct tree *t, uint32_t unit, uint32_t branch);
uint32_t tree_way(const uint32_t *ways, size_t cases, uint32_t outcome);
/* Has another case of the switch the same target? */
bool tree_way_is_shared(const uint32_t *ways, size_t cases, uint32_t outcome);
/* The condition for an outcome of a switch. For a way: that the value is one of its cases. */
expr tree_way_cond(struct tree *t, expr value, const uint64_t *y, size_t cases,
    const uint32_t *ways, uint32_t outcome);
/* tree_is_case: is it the node of a wanted case? tree_case_wanted: is the slot that of a case that
 * is still wanted? */
bool tree_is_case(const struct tree *t, const struct node *n);
bool tree_case_wanted(const struct tree *t, uint32_t slot);
/* Is slot s `slot`, or below it? */
bool tree_below(const struct tree *t, uint32_t s, uint32_t slot);

/* The condition for taking outcome k of a node. */
expr tree_outcome_cond(struct tree *t, const struct node *n, uint32_t k);
/* inputs.c: values of inputs as bytes, which the caller frees; and back again. */
uint8_t *inputs_pack(const struct assignment *from);
void inputs_unpack(struct assignment *to, const uint8_t *from);

/* Decrements the run's count of open branches; frees its input values when none is left. */
void tree_release(struct tree *t, uint32_t run);

#endif
