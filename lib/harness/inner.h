/* inner: private to lib/harness: a plan while it is made. */
#ifndef DUCT_HARNESS_INNER_H
#define DUCT_HARNESS_INNER_H

#include "lib/harness/harness.h"

struct build {
	const struct flow *flow;
	const struct flow_unit *u;
	const struct harness_options *o;
	struct harness_plan *plan;
	FILE *narrow;
	const char *local;           /* the parameter that is being filled in */
	uint32_t *enums; size_t n_enums;  /* types that shapes name by their place here, from 1 */
	int depth;
	bool cut;                    /* a structure ended at the depth */
	bool full;                   /* more steps than any harness should have */
};

/* Printed into new memory. */
char *harness_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* One more step of the plan; texts are copied, NULL is empty. */
void harness_step(struct build *b, char kind, const char *name, const char *type, const char *shape, uint64_t count);

/* limits.c: a step for what limits the inputs, once; a line for each such step. */
void harness_limit(struct build *b, const char *kind, const char *name, uint64_t value);
void harness_tell_limits(struct build *b);
/* asked.c: steps for what was asked for beside shapes, and a line on each of what narrows the inputs. False with
 * *error. */
bool harness_stubs(struct build *b, char **error);
bool harness_inits(struct build *b, char **error);
bool harness_assumes(struct build *b, char **error);
/* watch.c: steps for globals that are looked at after the call. */
void harness_watches(struct build *b);

#endif
