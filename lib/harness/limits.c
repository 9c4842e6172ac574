/* limits: limits that the harness imposes on the inputs (lib/limits), as steps of the plan. */
#include "lib/harness/inner.h"

#include <string.h>

void harness_limit(struct build *b, const char *kind, const char *name, uint64_t value)
{
	for (size_t i = 0; i < b->plan->n; i++) {
		const struct harness_step *s = &b->plan->step[i];
		if (s->kind == HARNESS_LIMIT && !strcmp(s->type, kind) && !strcmp(s->name, name))
			return;
	}
	harness_step(b, HARNESS_LIMIT, name, kind, "", value);
}

bool harness_has_limit(const struct build *b, const char *name)
{
	for (size_t i = 0; i < b->plan->n; i++)
		if (b->plan->step[i].kind == HARNESS_LIMIT && !strcmp(b->plan->step[i].name, name))
			return true;
	return false;
}

void harness_tell_limits(struct build *b)
{
	for (size_t i = 0; i < b->plan->n; i++) {
		const struct harness_step *s = &b->plan->step[i];
		if (s->kind == HARNESS_LIMIT)
			fprintf(b->narrow, "limit %s %llu%s%s\n", s->type,
			    (unsigned long long)s->count, *s->name ? " " : "", s->name);
	}
}
