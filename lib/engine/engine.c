/* engine: the list of engines. */
#include "lib/engine/classes.h"

#include <string.h>

/* Preference: in-process engines first, then those with word-level reasoning. */
static const struct engine_class *const list[] = { &engine_sat, &engine_z3, &engine_boolector };

const struct engine_class *engine_class(size_t i)
{
	return i < sizeof list / sizeof *list ? list[i] : NULL;
}

const struct engine_class *engine_find(const char *name)
{
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (strcmp(list[i]->name, name) == 0)
			return list[i];
	return NULL;
}

bool engine_fits(
    const struct engine_class *c, const struct expr_pool *p, const expr *cond, size_t n)
{
	bool floats = false;
	for (size_t i = 0; i < n && !c->floats; i++)
		floats |= expr_has_float(p, cond[i]);
	return !floats;
}
