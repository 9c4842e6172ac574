/* limits: what duct itself fixes so that a run can begin or go on: for each kind a sentence, the option that moves it, and
 * how it is widened. The one table of them; trace(5), the store and reports only name kinds.
 */
#ifndef DUCT_LIMITS_H
#define DUCT_LIMITS_H

#include <stdint.h>

struct limit_kind {
	const char *kind;
	const char *grow;            /* the runner's entry that widens it (run-trace --grow); NULL: it is not widened */
	uint64_t first, most;        /* its values at first and at last */
};

/* NULL: no such kind. */
const struct limit_kind *limit_find(const char *kind);
/* The i-th kind from 0 on, NULL behind the last. */
const struct limit_kind *limit_at(unsigned i);
/* "p has at most 64 bytes here: --len p=0..N"; a name of "" is that of no input. Caller frees; NULL when out of memory. */
char *limit_sentence(const char *kind, const char *name, uint64_t value);
/* "--len p=0..N"; "" when no option moves it. Caller frees. */
char *limit_option(const char *kind, const char *name);
/* What a function asks of its callers: "p != NULL". Caller frees. */
char *need_sentence(const char *kind, const char *name, uint64_t value);

#endif
