/* plan: lines of the harness's plan as the store keeps it: a letter, a name and fields, with tabs
 * between them. */
#include "lib/store/db.h"

#include <string.h>

const char *store_plan_line(const char *at, char letter)
{
	for (; at && *at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (at[0] == letter && at[1] == '\t')
			return at + 2;
	}
	return NULL;
}

const char *store_plan_named(const char *plan, char letter, const char *name, size_t n)
{
	const char *line = store_plan_line(plan, letter);

	while (line && (strncmp(line, name, n) || line[n] != '\t'))
		line = store_plan_line(line, letter);
	return line ? line + n + 1 : NULL;
}
