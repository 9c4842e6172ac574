/* flip: queries from a trace: the path condition up to some condition, which is negated. */
#ifndef DUCT_FLIP_H
#define DUCT_FLIP_H

#include "lib/flow/flow.h"
#include "lib/solve/solve.h"

/* The path conditions of a trace, and the checks that it passed, as expressions. */
struct flip_path {
	struct expr_pool *p;
	expr *map;
	size_t map_cap;
	expr *cond;
	size_t *event;
	size_t n, cap; /* conditions as they held; their events */
	expr *query;   /* the conditions of one query */
	const struct trace *t;
	const struct flow *flow;  /* has the cases of switches; NULL: they are unknown */
	struct assignment parent; /* the trace's input values */
	size_t first_guess; /* index of the first switch whose cases are unknown; SIZE_MAX: none */
};

/* Fills f from a trace, which it borrows. Before the first call f is zero except for `flow`; it may
 * be filled again. NULL, or a static text if a condition does not hold under the trace's own
 * inputs, i.e. the trace is inconsistent. */
const char *flip_load(struct flip_path *f, struct expr_pool *p, const struct trace *t);
void flip_clear(struct flip_path *f);

/* May condition i be negated? Assumptions that hold may not. */
bool flip_allowed(const struct flip_path *f, const struct trace *t, size_t i);
/* The n-th other outcome of condition i, from 0; false: there are no more. A switch whose cases are
 * unknown has one other outcome, "not the run's": *outcome is then the run's own, and *exact is
 * false. */
bool flip_other(const struct flip_path *f, size_t i, size_t n, uint64_t *outcome, bool *exact);
/* Solves the prefix with this other outcome of condition i. */
enum answer flip_ask(struct flip_path *f, size_t i, uint64_t outcome, struct solver *s,
    struct assignment *model, const char **why);

#endif
