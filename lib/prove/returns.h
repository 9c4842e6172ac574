/* returns: private to lib/prove: what functions return, as relations of result and arguments that
 * hold of every call that comes back. */
#ifndef DUCT_PROVE_RETURNS_H
#define DUCT_PROVE_RETURNS_H

#include "lib/prove/inner.h"

/* Where a model has the result of a call that it does not enter, or that of its root: with the
 * arguments, 64 bits each, as the function was given them. */
struct prove_result {
	uint32_t function; /* that returns */
	bool own;          /* the root itself; else what is called */
	expr guard, value;
	expr *arg;
	uint32_t args;
};

/* callees.c: functions that those with goals call, at any distance, and all recursive ones: callees
 * before their callers. Those that call one another are one group, and stand together. The caller
 * frees them. */
struct prove_callee {
	uint32_t function, group;
};
struct prove_callee *prove_callees(struct alias *a, const bool *with_goals, size_t *n);

/* Finds the relations by induction over the depth of calls: each function by itself, in any state,
 * where the calls that it makes are taken to satisfy them. Of functions that others with goals
 * call, as far as they are found by then. */
struct prove_returns;
struct prove_returns *prove_returns_new(
    const struct view *v, const struct prove_options *o, const bool *with_goals, double until);
void prove_returns_free(struct prove_returns *r);
/* That a result satisfies what is known of its function. */
expr prove_returns_claim(
    struct model *m, const struct prove_returns *r, const struct prove_result *result);

#endif
