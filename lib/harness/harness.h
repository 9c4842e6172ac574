/* harness: C text that calls an entry function with inputs, and C text of tests. Both are
 * derived from flow(5): types, parameters, globals. */
#ifndef DUCT_HARNESS_H
#define DUCT_HARNESS_H

#include "lib/flow/flow.h"
#include "lib/trace/trace.h"

struct harness_options {
	const char *entry;
	const char *const *len;       /* "p=N", NULL-terminated or NULL: elements of a pointer parameter */
	const char *const *string;    /* "p=N": NUL-terminated, up to N characters */
	const char *const *null;      /* "p": NULL is a choice */
	const char *const *may_alias; /* "p,q": p may be q */
	const char *const *global;    /* globals that are inputs */
	int depth;                    /* of pointers in structs; default 2 */
};

/* The harness for an entry: defines `int duct_harness(void)`. NULL with *error ("no function ...",
 * suggestion). Lists what narrows the inputs in *narrowing: lines, each ended by \n. */
char *harness_text(const struct flow *f, const struct harness_options *o, char **narrowing,
                   char **error);

#endif
