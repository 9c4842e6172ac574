/* outside: functions and variables that code uses and that no unit defines. */
#include "lib/base/grow.h"
#include "lib/clib/clib.h"
#include "lib/flow/flow.h"

#include <stdlib.h>
#include <string.h>

/* May it stay undefined? */
static bool is_weak(const struct flow_unit *u, const char *name)
{
	for (size_t i = 0; i < u->exts; i++)
		if (u->ext[i].is_weak && !strcmp(u->ext[i].name, name))
			return true;
	return false;
}

static bool is_defined(const struct flow *fl, const char *variable)
{
	for (size_t k = 0; k < fl->units; k++)
		for (size_t i = 0; i < fl->unit[k].vars; i++) {
			const struct flow_var *v = &fl->unit[k].var[i];
			if (v->kind == 'g' && v->defined && !v->is_static
			    && !strcmp(v->name, variable))
				return true;
		}
	return false;
}

char *flow_outside(const struct flow *fl)
{
	char *text = NULL;
	size_t size;
	FILE *to = text_stream(&text, &size);
	struct flow_names *names = flow_names_new(fl);
	struct flow_meaning m;

	for (uint32_t k = 0; k < fl->units; k++) {
		const struct flow_unit *u = &fl->unit[k];
		for (size_t i = 0; i < u->calls; i++)
			if (u->call[i].callee && !flow_names_find(names, k, u->call[i].callee, &m)
			    && !is_weak(u, u->call[i].callee))
				fprintf(to, "%s\n", u->call[i].callee);
		for (size_t i = 0; i < u->vars; i++) {
			const struct flow_var *v = &u->var[i];
			if (v->kind == 'g' && !v->defined && !v->is_weak
			    && !is_defined(fl, v->name))
				fprintf(to, "%s\n", v->name);
		}
	}
	flow_names_free(names);
	fclose(to);
	return text;
}

/* Is it a function that the toolkit or the compiler provides? */
static bool is_given(const char *name)
{
	static const char *const begin[] = { "duct_", "llvm.", "__VERIFIER_", "__builtin_" };

	for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
		if (!strncmp(name, begin[i], strlen(begin[i])))
			return true;
	return clib_find(name);
}

bool flow_misses_code(const struct flow *fl)
{
	struct flow_names *names = flow_names_new(fl);
	bool misses = false;

	for (uint32_t k = 0; !misses && k < fl->units; k++)
		for (size_t i = 0; !misses && i < fl->unit[k].calls; i++) {
			const char *name = fl->unit[k].call[i].callee;
			struct flow_meaning m;
			if (name && !is_given(name))
				misses = !flow_names_find(names, k, name, &m)
				    || fl->unit[m.unit].func[m.func].is_harness;
		}
	flow_names_free(names);
	return misses;
}
