/* guide: how far pending branches are on the way to a def-use pair: what Algorithm 2 of hybrid data-flow
 * testing weighs states by. A state is a pending branch: its path is what was run up to the branch, and from
 * there the outcome that was not taken. */
#ifndef DUCT_GUIDE_H
#define DUCT_GUIDE_H

#include "lib/defuse/defuse.h"
#include "lib/tree/tree.h"

/* The blocks on each way through the tree; ways that are alike are kept once. */
struct guide;
/* Both stay the caller's and must outlive it. NULL when out of memory. */
struct guide *guide_new(struct defuse *d, const struct tree *t);
void guide_free(struct guide *g);
/* Right after tree_add of the same trace; the cost is that of what the run added. False when out of memory. */
bool guide_add(struct guide *g, const struct trace *tr);

/* One pair that is looked for. */
struct aim;
enum aim_points { AIM_ALL, AIM_ENDS };      /* all cut points, or the definition and the use alone */
struct aim *aim_new(struct guide *g, uint32_t pair, enum aim_points which);     /* NULL when out of memory */
void aim_free(struct aim *a);

#define AIM_FAR UINT32_MAX
struct aim_state {
	uint32_t passed;             /* cut points passed one after another; back to those before the definition
	                                when it was overwritten */
	uint32_t distance;           /* instructions to the next one, at least 1; AIM_FAR: there is no way */
	uint32_t since;              /* instructions run since the last new one, at least 1 */
};
/* False when b is not pending. The first call after guide_add takes in what was added. */
bool aim_state(struct aim *a, pending b, struct aim_state *out);
/* Goals: the cut points and, of a p-use, its outcome. */
uint32_t aim_goals(const struct aim *a);
/* The i-th of them: false for the outcome, and past it. */
bool aim_goal(const struct aim *a, uint32_t i, struct defuse_point *out);
/* The most goals that any path has passed. */
uint32_t aim_furthest(struct aim *a);

#endif
