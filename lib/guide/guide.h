/* guide: the progress of pending branches towards a def-use pair; the state weights in Algorithm 2
 * of hybrid data-flow testing. A state is a pending branch: its path is that of the run up to the
 * branch, then the outcome that was not taken. */
#ifndef DUCT_GUIDE_H
#define DUCT_GUIDE_H

#include "lib/defuse/defuse.h"
#include "lib/tree/tree.h"

/* The blocks on each path of the tree; equal segments are stored once. */
struct guide;
/* Borrows d and t, which must outlive the result. */
struct guide *guide_new(struct defuse *d, const struct tree *t);
void guide_free(struct guide *g);
/* Call right after tree_add of the same trace; costs as much as the run added. */
void guide_add(struct guide *g, const struct trace *tr);
/* The run that was added last is kept as a test with this number. b: the branch that it was to
 * take, 0 none. */
void guide_keep(struct guide *g, pending b, uint64_t test);

/* left.c: an outcome of a condition, unit and outcome as flow numbers them. */
struct guide_choice {
	uint32_t unit, outcome;
};
enum guide_left {
	GUIDE_FOLLOWS, /* the run takes all of them */
	GUIDE_TAKES,   /* it takes another outcome of that condition */
	GUIDE_MISSES,  /* it does not come to that condition, after the one before */
	GUIDE_UNSURE   /* it takes the first ones; the trace ends before the next */
};
/* Compares the conditions of a run with the choices along a path. A path that leaves out a
 * condition leaves it out each time. *at: the first choice that the run does not take. */
enum guide_left guide_left(const struct flow *fl, const struct trace *tr,
    const struct guide_choice *choice, size_t n, size_t *at);

/* worklist.c: the pending branches for one pair, by level: the number of goals that their paths
 * have passed. The highest level is first, and in it the largest weight, of equal ones the oldest.
 * With `backtrack`, log2(n + 1) is subtracted from a level from which n branches were taken, so
 * that a loop that always passes the same number of goals does not block other levels. Within a
 * level, the weight of a class from which n branches were taken is divided by (n + 1)^2, as if its
 * branches were n + 1 times as far: many similar branches, such as those of one loop, are no better
 * than one. */
struct worklist;
struct worklist *worklist_new(bool backtrack);
void worklist_free(struct worklist *w);
void worklist_put(
    struct worklist *w, pending branch, uint32_t level, double weight, uint64_t class);
bool worklist_take(struct worklist *w, pending *branch, uint32_t *level); /* false: empty */
size_t worklist_count(const struct worklist *w);

/* The search for one pair. */
struct aim;
enum aim_how {
	AIM_ENDS = 1, /* only definition and use, no cut points between them */
	AIM_BLIND = 2 /* redefinitions are not looked at */
};
/* how: of aim_how. */
struct aim *aim_new(struct guide *g, uint32_t pair, unsigned how);
void aim_free(struct aim *a);

#define AIM_FAR UINT32_MAX
struct aim_state {
	uint32_t passed;   /* cut points passed in order; reduced to those before the
	                      definition when it is killed */
	uint32_t distance; /* instructions to the next goal, at least 1; AIM_FAR:
	                      unreachable */
	uint32_t since;    /* instructions executed since the last newly covered one,
	                      at least 1 */
	bool redefined;    /* the definition was killed somewhere on the path */
};
/* Evaluates a pending branch. False when b is not pending. The first call after guide_add processes
 * what was added. */
bool aim_state(struct aim *a, pending b, struct aim_state *out);
/* Number of goals: the cut points and, for a p-use, its outcome. */
uint32_t aim_goals(const struct aim *a);
/* The i-th goal; false for the outcome, and past the end. */
bool aim_goal(const struct aim *a, uint32_t i, struct defuse_point *out);
/* The most goals that any path so far has passed. */
uint32_t aim_furthest(struct aim *a);

/* The kept test that comes closest: it passes the most goals and, of those that do, stops with the
 * fewest instructions to the next goal. */
struct aim_closest {
	uint64_t test;
	uint32_t passed;
	const char *file; /* where it stops: the last condition on the way to that goal */
	uint32_t line;
};
/* False when no kept test is known. */
bool aim_closest(struct aim *a, struct aim_closest *out);
/* Conditions in the tree: what aim_closest costs. */
uint32_t guide_nodes(const struct guide *g);

#endif
