/* engine: one interface to all solvers: takes a conjunction of conditions, returns an answer and a
 * model. An engine may be a command, a library in a separate process, or code of this project. One
 * that crashes or hangs yields ENGINE_UNKNOWN and is restarted. Conditions must not contain arrays
 * (lib/solve eliminates them). */
#ifndef DUCT_ENGINE_H
#define DUCT_ENGINE_H

#include "lib/expr/expr.h"

enum engine_answer { ENGINE_UNKNOWN, ENGINE_SAT, ENGINE_UNSAT };

struct engine;
/* Operations of an engine. */
struct engine_class {
	const char *name;
	const char *needs; /* package to install, for messages */
	bool floats;       /* supports floating-point operations (op_is_float) */
	bool limited;      /* gives up early unless `patient` is set */
	/* NULL with *error set (caller frees) when the engine is unavailable. Cheap: the solver is
	 * started by the first check. */
	struct engine *(*open)(struct expr_pool *p, char **error);
	/* Is the conjunction satisfiable? Gives up after `seconds`. The engine may keep learned
	 * facts for later checks. */
	enum engine_answer (*check)(struct engine *e, const expr *cond, size_t n, double seconds);
	/* After ENGINE_SAT, until the next check: the model's value of a variable; false when the
	 * model leaves it free. */
	bool (*value)(struct engine *e, uint32_t var, struct value *v);
	/* CPU seconds used by child processes so far. */
	double (*cpu)(const struct engine *e);
	void (*close)(struct engine *e);
};

/* The i-th engine in order of preference; NULL past the last. */
const struct engine_class *engine_class(size_t i);
const struct engine_class *engine_find(const char *name);
/* Does the engine support all operations of the conditions? */
bool engine_fits(
    const struct engine_class *c, const struct expr_pool *p, const expr *cond, size_t n);

/* First member of every engine. The caller may set `patient` before a check. */
struct engine {
	const struct engine_class *class;
	const char *reason; /* why the last check returned ENGINE_UNKNOWN; static text */
	bool patient;
};

#endif
