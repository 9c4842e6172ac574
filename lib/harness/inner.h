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
	bool stubs_found;            /* the stubs are those of functions that are defined nowhere: nobody asked for them */
	uint32_t *enums; size_t n_enums;  /* types that shapes name by their place here, from 1 */
	uint32_t *pointees; size_t n_pointees, described; /* types that pointers point to, likewise; steps there are of them */
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
/* Rules for pointers (--len, --string, --may-alias, --distinct); before the inputs are made. */
bool harness_rules(struct build *b, char **error);
/* types.c: steps for what pointers among the inputs point to. */
void harness_types(struct build *b);
/* Is nothing known of what objects of this type hold? */
bool harness_opaque(const struct flow_type *t);
/* Steps for the result and the arguments of a function of this type that gives and writes any value. */
void harness_result(struct build *b, const struct flow_type *function);
/* The type of an lvalue that starts with a parameter or a global input; 0: there is none. */
uint32_t harness_lvalue(const struct build *b, const char *name);
/* watch.c: steps for globals that are looked at after the call. */
void harness_watches(struct build *b);

#endif
