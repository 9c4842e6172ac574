/* limits: restrictions that duct imposes so that a run can begin or go on: for each kind its
 * sentence, the option that changes it, and how it is raised automatically. The only table of them;
 * trace(5), the store and reports refer to kinds by name. */
#ifndef DUCT_LIMITS_H
#define DUCT_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

struct limit_kind {
	const char *kind;
	const char *grow;     /* the runner's entry that raises it (run-trace --grow);
	                         NULL: fixed */
	uint64_t first, most; /* its first and its greatest value */
};

/* NULL: unknown kind. */
const struct limit_kind *limit_find(const char *kind);
/* The i-th kind, from 0; NULL past the last. */
const struct limit_kind *limit_at(unsigned i);
/* Is it what C leaves to implementations, so that runs of another build may take other paths? */
bool limit_is_doubt(const char *kind);
/* "p has at most 64 bytes here: --len p=0..N". name "": no particular input. Caller frees.
 */
char *limit_sentence(const char *kind, const char *name, uint64_t value);
/* "--len p=0..N"; "" when no option changes it. Caller frees. */
char *limit_option(const char *kind, const char *name);
/* A requirement on the function's callers: "p != NULL". Caller frees. */
char *need_sentence(const char *kind, const char *name, uint64_t value);

#endif
