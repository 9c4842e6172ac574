/* options: private to lib/harness: suggestions. */
#ifndef DUCT_HARNESS_OPTIONS_H
#define DUCT_HARNESS_OPTIONS_H

#include "lib/harness/harness.h"

/* The most similar name, or NULL. */
const char *suggest_function(const struct flow *f, const char *name);
const char *suggest_extern(const struct flow *f, const char *name);
const char *suggest_global(const struct flow_unit *u, const char *name);

#endif
