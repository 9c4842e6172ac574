/* distance: how many branches lie between taking an outcome and the nearest outcome that is still
 * wanted, over the flow edges and calls of the whole program (CREST's control-flow distance), and returns when
 * asked for. */
#ifndef DUCT_DISTANCE_H
#define DUCT_DISTANCE_H

#include "lib/flow/flow.h"

#define DISTANCE_NONE UINT32_MAX

struct distance;

/* Nothing is wanted yet. With `returns` a way may leave a function for one that calls it. The flow stays
 * the caller's and must outlive it. NULL when out of memory. */
struct distance *distance_new(const struct flow *f, bool returns);
void distance_free(struct distance *d);

/* `unit` by index in the flow; `outcome` as in flow_branch: first + side. */
void distance_want(struct distance *d, uint32_t unit, uint32_t outcome, bool wanted);
/* 0: the outcome itself is wanted; n: n branches have to be taken after it; DISTANCE_NONE: no
 * way to a wanted one. Recomputed when needed: linear in the edges after each change. */
uint32_t distance_get(struct distance *d, uint32_t unit, uint32_t outcome);

#endif
