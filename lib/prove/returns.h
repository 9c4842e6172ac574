/* returns: private to lib/prove: relations between the result and the arguments of a function that
 * hold for every call that returns. */
#ifndef DUCT_PROVE_RETURNS_H
#define DUCT_PROVE_RETURNS_H

#include "lib/prove/inner.h"

/* The result of a call that the encoding does not enter, or of the encoding's root function, with
 * the arguments that were passed, 64 bits each. */
struct prove_result {
	uint32_t function; /* that returns */
	bool own;          /* the root itself; else what is called */
	expr guard, value;
	expr *arg;
	uint32_t args;
};

/* callees.c: the functions that functions with goals call, directly or not, and all recursive
 * functions; callees before their callers. Functions that call one another form one group and are
 * adjacent. The caller frees the array. */
struct prove_callee {
	uint32_t function, group;
};
struct prove_callee *prove_callees(struct alias *a, const bool *with_goals, size_t *n);

/* Finds the relations by induction over the depth of calls: each function is analysed by itself, in
 * any state, with the assumption that its own calls satisfy them. Only for functions that functions
 * with goals call. It stops at `until`. */
struct prove_returns;
struct prove_returns *prove_returns_new(
    const struct pair_view *v, const struct prove_options *o, const bool *with_goals, double until);
void prove_returns_free(struct prove_returns *r);
/* The condition that a result satisfies the relations found for its function. */
expr prove_returns_claim(
    struct encoding *m, const struct prove_returns *r, const struct prove_result *result);

#endif
