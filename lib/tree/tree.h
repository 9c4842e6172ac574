/* tree: the execution tree of a session. Inner nodes are symbolic conditions, edges their
 * outcomes; a *pending* branch is an outcome that was not run yet. Memory is proportional to the
 * number of distinct conditions, shared prefixes are stored once.
 *
 * An assumption that held, and a condition that an assumption requires, are nodes whose other
 * outcome is never pending: they are part of every query below them. A check (EV_CHECK) asks for
 * a fault once a place: when some run has shown it there, it is asked for no more. */
#ifndef DUCT_TREE_H
#define DUCT_TREE_H

#include "lib/expr/expr.h"

struct tree;
typedef uint32_t pending;            /* handle of a pending branch, 0 none */

/* NULL when out of memory. */
struct tree *tree_new(struct expr_pool *p);
void tree_free(struct tree *t);

/* The case values of a switch, in the order of its flow record, zero-extended; their number,
 * 0 when it is not known (then each value that was met and "another one" are the outcomes). */
typedef size_t tree_cases(void *arg, uint64_t unit_key, uint32_t branch, const uint64_t **value);
void tree_set_cases(struct tree *t, tree_cases *cases, void *arg);

struct tree_path {
	bool fresh;                  /* a path not met before, and not in somebody else's share: outcomes of all
	                                conditions but those of assumptions */
	bool mispredicted;           /* the run left the path that was promised */
	bool rejected;               /* an assumption failed: no path */
	uint32_t length;             /* symbolic conditions on it */
	pending *added; size_t n;    /* new pending branches in path order; owned by the tree until the next add */
};
/* Adds a run. `map` is expr_import's; `promised` the pending branch that the input was solved
 * for, or 0. False when out of memory. */
bool tree_add(struct tree *t, const struct trace *tr, const expr *map, pending promised,
              struct tree_path *out);

/* What is known of a pending branch. */
struct tree_branch {
	uint32_t unit, branch, outcome; /* site: unit as in traces; branch 0: no objective (model, bounds, ...) */
	uint16_t kind;               /* enum event_kind */
	uint32_t inst; uint8_t check; /* of a check: its instruction and enum check_kind; else 0 */
	uint32_t depth;              /* conditions before it */
	uint32_t visits;             /* runs that passed the node so far */
	uint32_t site;               /* number of the place that decides, whatever its kind */
	uint32_t round;              /* how often it decided before on the path: iterations of a loop */
	uint64_t input;              /* id of the run whose path it is on */
};
/* False when b is not pending (any more). `outcome` is 1 for true and 0 for false, or the index of a
 * case, as events have it. */
bool tree_pending(const struct tree *t, pending b, struct tree_branch *out);
/* The last outcome of a condition of the program before a pending branch; false when there is none. */
bool tree_before(const struct tree *t, pending b, struct tree_branch *out);
size_t tree_pending_count(const struct tree *t);
/* Content key of a unit of the traces, 0 if there is none. */
uint64_t tree_unit_key(const struct tree *t, uint32_t unit);
/* The query: conditions of the prefix (branches and constraints) and the flipped one last. Owned by the
 * tree until the next call. */
const expr *tree_query(struct tree *t, pending b, size_t *n);
/* Input values of the run whose path b is on. Valid as long as b is pending. */
const struct assignment *tree_parent(const struct tree *t, pending b);
/* Pending branches that leave the path of the last run, old and new ones, in path order. Owned by the tree until
 * the next call. */
const pending *tree_path_pending(struct tree *t, size_t *n);
/* Conditions that the last run was the first to meet, in order: numbers of nodes, from 1 and growing; `up`: that
 * of the condition before it, 0 none; from, to: events of the trace, up to and with that of `up` (0: none) and
 * before its own. Owned by the tree until the next add. */
struct tree_step { uint32_t node, up; size_t from, to; };
const struct tree_step *tree_steps(const struct tree *t, size_t *n);
/* The node that a branch, pending or not, leaves; 0 when there is none such. */
uint32_t tree_node(const struct tree *t, pending b);
/* Is it the question for a fault that a run has shown meanwhile? Then it need not be asked, and
 * tree_waive takes it off the pending ones. */
bool tree_shown(const struct tree *t, pending b);
void tree_waive(struct tree *t, pending b);
/* What is put off counts as unknown, not as pending, until it is resumed; false: a run has shown it meanwhile. */
void tree_put_off(struct tree *t, pending b);
bool tree_resume(struct tree *t, pending b);
/* Shares out what is pending, in the order in which it was met: all but every n-th, from the k-th on, k below n, is
 * somebody else's from now on, with all that lies behind it, and pending no longer. How much was given away; *tree is a
 * number for the tree that was shared out, so that shares of it can be told from those of another. */
size_t tree_share(struct tree *t, uint32_t k, uint32_t n, uint64_t *tree);
/* The branch that has been pending longest, whose prefix can be told to another tree; 0 none. */
pending tree_oldest(struct tree *t);
/* What stands on the way to an outcome, and it: the same in trees of any process. */
uint64_t tree_prefix(const struct tree *t, pending b);
/* It is somebody else's from now on, with all that lies behind it. */
void tree_give(struct tree *t, pending b);
/* After the first run of a tree, which was given away as the outcome behind `depth` conditions with that prefix: what leaves
 * the path before is somebody else's. False: the run took another way, and all is. */
bool tree_take_over(struct tree *t, uint32_t depth, uint64_t prefix);
/* Closes a pending branch: no input takes it (unsat), or nobody knows (unknown: stays counted). */
void tree_close(struct tree *t, pending b, bool infeasible);

struct tree_counts {
	uint64_t nodes, paths, pending, infeasible;
	uint64_t unknown;            /* closed without an answer, missed predictions included */
	uint64_t contradicted;       /* outcomes closed as infeasible that a run took all the same */
};
struct tree_counts tree_counts(const struct tree *t);

#endif
