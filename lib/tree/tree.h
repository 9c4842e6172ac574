/* tree: the execution tree of a session. Inner nodes are symbolic conditions, edges their
 * outcomes; a *pending* branch is an outcome that was not run yet. Memory is proportional to the
 * number of distinct conditions, shared prefixes are stored once. */
#ifndef DUCT_TREE_H
#define DUCT_TREE_H

#include "lib/expr/expr.h"

struct tree;
typedef uint32_t pending;            /* handle of a pending branch, 0 none */

struct tree *tree_new(struct expr_pool *p);
void tree_free(struct tree *t);

struct tree_path {
	bool fresh;                  /* a path (program branch outcomes) not met before */
	bool mispredicted;           /* the run left the path that was promised */
	bool rejected;               /* an assumption failed: no path */
	uint32_t length;             /* symbolic conditions on it */
	pending *added; size_t n;    /* new pending branches in path order; owned by the tree until the next add */
};
/* Adds a run. `map` is expr_import's; `promised` the pending branch that the input was solved
 * for, or 0. */
void tree_add(struct tree *t, const struct trace *tr, const expr *map, pending promised,
              struct tree_path *out);

/* What is known of a pending branch. */
struct tree_branch {
	uint32_t unit, branch, outcome; /* site; branch 0: no objective (model, bounds, ...) */
	uint16_t kind;               /* enum event_kind */
	uint32_t depth;              /* conditions before it */
	uint32_t visits;             /* runs that passed the node so far */
	uint64_t input;              /* id of the run whose path it is on */
};
bool tree_pending(const struct tree *t, pending b, struct tree_branch *out);
size_t tree_pending_count(const struct tree *t);
/* The query: conditions of the prefix (branches and constraints) and the flipped one last. Owned by the
 * tree until the next call. */
const expr *tree_query(struct tree *t, pending b, size_t *n);
/* The i-th condition of the last path that was added, for scripts. */
/* Closes a pending branch: no input takes it (unsat), or nobody knows (unknown: stays counted). */
void tree_close(struct tree *t, pending b, bool infeasible);

struct tree_counts { uint64_t nodes, paths, pending, infeasible, unknown; };
struct tree_counts tree_counts(const struct tree *t);

#endif
