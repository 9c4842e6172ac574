/* effects: what the functions of a program may read and write, themselves or in functions that they
 * call, as a caller sees it: without their own local variables. */
#ifndef DUCT_EFFECTS_H
#define DUCT_EFFECTS_H

#include "lib/alias/alias.h"

/* A variable of static storage. */
struct effects_variable {
	uint32_t unit, var;
	bool written; /* else it is read */
};
/* A place in such a variable. */
struct effects_target {
	uint32_t unit, var;
	uint64_t offset;
};
struct effects_function {
	bool reads, writes; /* other memory: variables of callers, the heap */
	bool follows;       /* pointers that lie in such memory or in variables of static storage */
	uint64_t kept;      /* bit k: what argument k points to is not written */
	const char *hidden; /* why it may do more, a static text; NULL: it does not */
	struct effects_variable *variable;
	size_t variables;
	struct effects_target *target;
	size_t targets; /* with `heap`, all that its result may point to; none of both: not known */
	uint64_t *heap; /* sizes of objects on the heap that a call makes and its result may be */
	size_t heaps;
};
struct effects {
	struct alias *alias;
	struct effects_function *function; /* by alias's numbers */
	bool *reaches;                     /* [f * functions + g]: f may call g, directly or not */
};

/* The function that the harness calls with pointers that a caller would pass; main without one. */
const char *effects_entry(const struct flow *fl);
/* The flow, with all records, stays the caller's and must outlive it. */
struct effects *effects_new(const struct flow *fl);
void effects_free(struct effects *e);

/* Why calls of a function cannot be abstract, a static text; NULL: they can. */
const char *effects_hidden(const struct effects *e, uint32_t function);
/* The setup word "abstract:..." (abi.h) that lets calls of the function be abstract in a run. The
 * caller frees it. */
char *effects_setup(const struct effects *e, uint32_t function);

/* The same of each function in a comma list of names, `all` for each that can be but the entry, of
 * the program in a file: a list of `n`, all of it the caller's. NULL: *error says why (caller
 * frees), *status is 2 for a name, else as flow_read_files has it. */
char **effects_choose(const char *program, const char *names, size_t *n, int *status, char **error);

#endif
