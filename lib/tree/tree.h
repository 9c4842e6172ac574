/* tree: the execution tree of a session. Inner nodes are symbolic conditions, edges their outcomes;
 * a *pending* branch is an outcome that no run has taken yet. Shared prefixes are stored once;
 * memory is proportional to the number of distinct conditions.
 *
 * An assumption that held, and a condition required by one, are nodes whose other outcome never
 * becomes pending; they are part of every query below them. A check (EV_CHECK) requests a fault
 * once per place, until a run has shown it there.
 * The number of conditions that a run may add is limited, and shrinks as the tree grows. A longer
 * path is cut; its rest is a pending branch there, which the inputs of the same run take.
 *
 * Cases of a switch with the same target are one way, if the tree is told so (tree_set_ways): one
 * outcome, whose condition is that the value is one of them, and one path. As long as somebody
 * wants one of these cases for itself, it is requested aside, on each path that comes to the
 * switch. */
#ifndef DUCT_TREE_H
#define DUCT_TREE_H

#include "lib/expr/expr.h"

struct tree;
typedef uint32_t pending; /* handle of a pending branch; 0: none */

struct tree *tree_new(struct expr_pool *p);
void tree_free(struct tree *t);

/* Copies the needs that runs of another tree have shown. Call it before the first run. */
void tree_inherit(struct tree *t, const struct tree *from);

/* Gives the case values of a switch in the order of its flow record, zero-extended; returns their
 * number, 0 if unknown (then the outcomes are each value met and "another one"). */
typedef size_t tree_cases(void *arg, uint64_t unit_key, uint32_t branch, const uint64_t **value);
void tree_set_cases(struct tree *t, tree_cases *cases, void *arg);

/* For each case of a switch the first one with the same target, so many as tree_cases says; NULL:
 * each is a way by itself. The runs' values must not be fixed by a case that shares its way. */
typedef const uint32_t *tree_ways(void *arg, uint64_t unit_key, uint32_t branch);
/* Does somebody want this case to be taken? Once not wanted, it must never be wanted again. */
typedef bool tree_wanted(void *arg, uint64_t unit_key, uint32_t branch, uint32_t outcome);
void tree_set_ways(struct tree *t, tree_ways *ways, tree_wanted *wanted, void *arg);
/* Call it after a run that was promised b, when the coverage of the run is known. If b is a wanted
 * case that the run took, b is no longer pending. If the case is still wanted nevertheless, the run
 * did not count: then b is pending again, so are the branches below it, and the result is true. */
bool tree_doubt(struct tree *t, pending b);

struct tree_path {
	bool fresh;        /* new path, not in another process's share; identified by
	                      the outcomes of all conditions but assumptions */
	bool mispredicted; /* the run left the promised path */
	bool rejected;     /* an assumption failed: not a path */
	uint32_t length;   /* number of symbolic conditions, up to the cut if there is one */
	pending rest;      /* where the path was cut, 0: it was not */
	pending *added;
	size_t n; /* new pending branches in path order; owned by the tree,
	             valid until the next add */
};
/* Adds a run. `promised`: the pending branch that the input was solved for, or 0. */
void tree_add(struct tree *t, const struct trace *tr, pending promised, struct tree_path *out);
/* After the run was added: more of its path, from `rest` on, where it was cut. */
void tree_add_more(struct tree *t, const struct trace *tr, pending rest, struct tree_path *out);
/* For tests: a run adds at most `each` conditions. */
void tree_cut(struct tree *t, uint32_t each);

/* Description of a pending branch. */
struct tree_branch {
	uint32_t unit, branch, outcome; /* site; unit as in traces; branch 0: no objective
	                                   (library model, bounds, ...) */
	uint16_t kind;                  /* enum event_kind */
	uint32_t block;                 /* if branch is 0, where it is asked, if that is known */
	uint32_t inst;
	uint8_t check;   /* check: its instruction and enum check_kind; else 0 */
	uint32_t depth;  /* number of conditions before it */
	uint32_t visits; /* number of runs that passed the node */
	uint32_t site;   /* number of the site, whatever its kind */
	uint32_t round;  /* earlier decisions of the site on this path, i.e. loop
	                    iterations */
	uint64_t input;  /* id of the run on whose path it is */
};
/* False when b is not pending (any more). outcome: 1 true, 0 false, or the index of a case, as in
 * events. */
bool tree_pending(const struct tree *t, pending b, struct tree_branch *out);
bool tree_is_pending(const struct tree *t, pending b);
/* The next pending branch after `after` (0: the first) that asks for a fault, or whose outcome only
 * a caller can decide; 0: none. */
pending tree_next_fault(const struct tree *t, pending after);
/* The last outcome of a program condition before a pending branch; false: none. */
bool tree_before(const struct tree *t, pending b, struct tree_branch *out);
size_t tree_pending_count(const struct tree *t);
/* Content key of a unit of the traces; 0: none. */
uint64_t tree_unit_key(const struct tree *t, uint32_t unit);
/* The query: conditions of the prefix (branches and constraints), the negated one last. Owned by
 * the tree, valid until the next call. */
const expr *tree_query(struct tree *t, pending b, size_t *n);
/* Input values of the run on whose path b is; NULL when b is not pending. Owned by the tree, valid
 * until the next call or tree_add. */
const struct assignment *tree_parent(struct tree *t, pending b);
/* Pending branches, old and new, along the path of the last run, in path order. Owned by the tree,
 * valid until the next call. */
const pending *tree_path_pending(struct tree *t, size_t *n);
/* Nodes that the last run added, in order: their numbers, ascending from 1; up: the node before it,
 * 0: none; from, to: the trace's events after that of `up` and before its own. Owned by the tree,
 * valid until the next add. */
struct tree_step {
	uint32_t node, up;
	size_t from, to;
};
const struct tree_step *tree_steps(const struct tree *t, size_t *n);
/* Is it the rest of a path that was cut? The inputs of tree_parent take it. */
bool tree_is_rest(const struct tree *t, pending b);
/* The node of a branch, pending or not; 0: none. */
uint32_t tree_node(const struct tree *t, pending b);
/* The pair that a pending branch of EV_ALIAS asks for, units as in traces; NULL: it is no such
 * branch. tree_settle: the pair is not searched for any more: no further branch asks for it, and
 * tree_shown is true of those that do. */
const struct channel_pair *tree_pair(const struct tree *t, pending b);
void tree_settle(struct tree *t, pending b);
/* tree_shown: does the branch request a fault that a run has shown meanwhile, or a case that is not
 * wanted any more? tree_waive then removes it from the pending ones. */
bool tree_shown(const struct tree *t, pending b);
void tree_waive(struct tree *t, pending b);
/* A branch put off counts as unknown, not pending, until it is resumed. tree_resume: false if a run
 * has taken it meanwhile. */
void tree_put_off(struct tree *t, pending b);
bool tree_resume(struct tree *t, pending b);
/* Shares the pending branches among n processes: keeps every n-th, starting at k < n, in the order
 * of their discovery; the others and all below them are given away. Returns how many; *tree: hash
 * of the tree, to identify shares of the same tree. */
size_t tree_share(struct tree *t, uint32_t k, uint32_t n, uint64_t *tree);
/* The branch that has been pending longest and can be described to another tree; 0: none. */
pending tree_oldest(struct tree *t);
/* Hash of the outcomes up to and including b; equal in all processes. */
uint64_t tree_prefix(const struct tree *t, pending b);
/* Gives a branch, and all below it, to another process. */
void tree_give(struct tree *t, pending b);
/* After the first run for a branch received from another process, at `depth` conditions with that
 * prefix: gives away what leaves the path before it. False: the run took another path, and
 * everything is given away. */
bool tree_take_over(struct tree *t, uint32_t depth, uint64_t prefix);
/* Closes a pending branch as infeasible (unsat) or unknown. */
void tree_close(struct tree *t, pending b, bool infeasible);

struct tree_counts {
	uint64_t nodes, paths, pending, infeasible;
	uint64_t unknown;      /* closed without an answer, including mispredicted ones */
	uint64_t contradicted; /* outcomes closed as infeasible that a run took
	                          nevertheless */
};
struct tree_counts tree_counts(const struct tree *t);

#endif
