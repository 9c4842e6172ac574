/* options: private to lib/harness: what was asked for a pointer, and suggestions. */
#ifndef DUCT_HARNESS_OPTIONS_H
#define DUCT_HARNESS_OPTIONS_H

#include "lib/harness/harness.h"

/* The N of "lvalue=N" in a list; p->q is p[0].q. The last one wins. */
bool option_number(const char *const *list, const char *lvalue, uint64_t *n);
bool option_named(const char *const *list, const char *lvalue);
/* The i-th lvalue that a pointer may be equal to: those beside it in a "p,q,..." entry that the plan
 * has by now. NULL when there are no more; caller frees. */
char *option_alias(const char *const *list, const struct harness_plan *p, const char *lvalue, uint64_t i);
/* The first pointer that an option names and the plan does not have (or a malformed
 * option), or NULL. Caller frees. */
char *option_unused(const struct harness_options *o, const struct harness_plan *p);
/* The nearest name, or NULL when none is near. */
const char *suggest_function(const struct flow *f, const char *name);
const char *suggest_extern(const struct flow *f, const char *name);
const char *suggest_global(const struct flow_unit *u, const char *name);

#endif
