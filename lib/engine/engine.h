/* engine: a solver behind one interface: a conjunction of conditions in, an answer and
 * values out. What stands behind it may be a command, a library in a process of its own, or
 * code of ours; an engine that dies or hangs yields ENGINE_UNKNOWN and is started again.
 * Conditions must not contain arrays (lib/solve lowers them). */
#ifndef DUCT_ENGINE_H
#define DUCT_ENGINE_H

#include "lib/expr/expr.h"

enum engine_answer { ENGINE_UNKNOWN, ENGINE_SAT, ENGINE_UNSAT };

struct engine;
/* What an engine provides. */
struct engine_class {
	const char *name;
	const char *needs;           /* what must be installed, for messages */
	bool floats;                 /* knows operations on floating-point numbers (op_is_float) */
	bool limited;                /* gives up early unless it is told to be patient */
	/* NULL with *error set (caller frees) when it cannot work here. Cheap: the solver itself is
	 * started by the first check. */
	struct engine *(*open)(struct expr_pool *p, char **error);
	/* Is the conjunction satisfiable? Gives up after `seconds`. The engine may keep what it
	 * learns for later checks. */
	enum engine_answer (*check)(struct engine *e, const expr *cond, size_t n, double seconds);
	/* After ENGINE_SAT, until the next check: the value of a variable; false when the model
	 * leaves it free. */
	bool (*value)(struct engine *e, uint32_t var, struct value *v);
	/* CPU seconds of other processes so far. */
	double (*cpu)(const struct engine *e);
	void (*close)(struct engine *e);
};

/* The i-th engine known, in the order of preference; NULL past the last. */
const struct engine_class *engine_class(size_t i);
const struct engine_class *engine_find(const char *name);

/* Why the last check was unknown: a static text. */
const char *engine_reason(const struct engine *e);

/* First member of every engine. `patient` is the caller's to set before a check. */
struct engine { const struct engine_class *class; const char *reason; bool patient; };

#endif
