#include "lib/base/grow.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/summary/effects.h"

/* Why the calls of a function cannot be abstract; NULL: they can. */
static const char *unfit(const struct effects *e, uint32_t function, const char *entry)
{
	uint32_t unit, id;
	const struct flow_func *f = alias_function_of(e->alias, function, &unit, &id);
	if (!alias_flow(e->alias)->unit[unit].asks_calls)
		return "its unit was built without --abstract";
	return !strcmp(f->name, entry) ? "it is the entry"
	    : f->is_harness            ? "it is part of the harness"
	                               : effects_hidden(e, function);
}

/* Adds what one name means; false: *error says why not. */
static bool choose(const struct effects *e, const char *name, const char *entry, char **list,
    size_t *n, char **error)
{
	bool all = !strcmp(name, "all"), known = all;
	const char *why = NULL;
	size_t before = *n;
	for (uint32_t i = 0; i < alias_functions(e->alias); i++) {
		uint32_t unit, id;
		const struct flow_func *f = alias_function_of(e->alias, i, &unit, &id);
		bool meant = all || !strcmp(f->name, name);
		known |= meant;
		why = meant && !why ? unfit(e, i, entry) : why;
		if (!meant || unfit(e, i, entry))
			continue;
		if (!(list[*n] = effects_setup(e, i)))
			return false;
		++*n;
	}
	if (*n == before)
		*error = known ? formatted("calls of `%s` cannot be abstract: %s", name,
		                     all || !why ? "no function of the program can" : why)
		               : formatted("unknown function `%s`", name);
	return *n > before;
}

char **effects_choose(const char *program, const char *names, size_t *n, int *status, char **error)
{
	char *files[2] = { (char *)(uintptr_t)program, NULL }, *words = copied(names), *rest = NULL;
	struct flow *fl;
	struct effects *e;
	size_t commas = 1;
	char **list;
	const char *entry;
	bool good = true;
	*n = 0;
	*status = 4;
	if (!(fl = flow_read_files(files, status, error))) {
		free(words);
		return NULL;
	}
	entry = effects_entry(fl);
	e = effects_new(fl);
	for (const char *s = names; *s; s++)
		commas += *s == ',';
	list = zeroed(commas * (alias_functions(e->alias) + 1), sizeof *list);
	*status = 2;
	for (char *name = strtok_r(words, ",", &rest); good && name;
	    name = strtok_r(NULL, ",", &rest))
		good = choose(e, name, entry, list, n, error);
	if (good && !*n) {
		*error = formatted("no function is named");
		good = false;
	}
	while (!good && *n)
		free(list[--*n]);
	if (!good) {
		free(list);
		list = NULL;
	}
	effects_free(e);
	flow_free(fl);
	free(words);
	return list;
}
