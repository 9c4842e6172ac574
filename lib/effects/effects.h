/* effects: what the functions of a program may read and write, themselves or by what they call, as a caller
 * sees it: not their own variables. */
#ifndef DUCT_EFFECTS_H
#define DUCT_EFFECTS_H

#include "lib/alias/alias.h"

struct effects_variable { uint32_t unit, var; bool written; };   /* of static storage; read when not written */
struct effects_target { uint32_t unit, var; uint64_t offset; };  /* a place in a variable of static storage */
struct effects_function {
	bool reads, writes;          /* other memory: variables of callers, the heap */
	const char *hidden;          /* NULL, or why there is more than that: a static text */
	struct effects_variable *variable; size_t variables;
	struct effects_target *target; size_t targets;   /* all that its result may point to; none: or elsewhere */
};
struct effects {
	struct alias *alias;
	struct effects_function *function;     /* by alias's numbers */
	bool *reaches;                         /* [f * functions + g]: f may call g, directly or not */
};

/* The flow, with all records, stays the caller's and must outlive it; entry as for alias_new. NULL when out of
 * memory. */
struct effects *effects_new(const struct flow *fl, const char *entry);
void effects_free(struct effects *e);

#endif
