/* distance: how many branches lie between an outcome and the nearest wanted outcome, over
 * control-flow edges and calls of the whole program (CREST's control-flow distance) and, if
 * requested, returns. */
#ifndef DUCT_DISTANCE_H
#define DUCT_DISTANCE_H

#include "lib/flow/flow.h"

#define DISTANCE_NONE UINT32_MAX

struct distance;

/* Initially nothing is wanted. returns: paths may return to callers. Borrows the flow, which must
 * outlive the result. */
struct distance *distance_new(const struct flow *f, bool returns);
void distance_free(struct distance *d);

/* unit: index in the flow; outcome: as in flow_branch, first + side. */
void distance_want(struct distance *d, uint32_t unit, uint32_t outcome, bool wanted);
/* No way takes a closed outcome; initially none is. */
void distance_close(struct distance *d, uint32_t unit, uint32_t outcome, bool closed);
/* 0: the outcome itself is wanted; n: n branches after it; DISTANCE_NONE: no wanted outcome is
 * reachable. Recomputed after a change, linear in the edges. */
uint32_t distance_get(struct distance *d, uint32_t unit, uint32_t outcome);

#endif
