/* state: globals that are set by functions which neither the entry nor the harness calls, such as
 * main from its options. Their values are inputs when sessions widen limits. */
#include "lib/harness/inner.h"
#include "lib/harness/shape.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES = 256 }; /* at most */

bool harness_is_state(const struct harness_plan *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_STATE && !strcmp(p->step[i].name, name))
			return true;
	return false;
}

bool harness_is_input(const struct build *b, const char *name)
{
	for (size_t i = 0; i < b->plan->n; i++) {
		const struct harness_step *s = &b->plan->step[i];
		if (strchr("pgi", s->kind) && !strcmp(s->name, name))
			return true;
	}
	return false;
}

/* "1 2": it has its first value, or one of these. Caller frees. */
static char *condition(const char *name, char *values)
{
	char *text = NULL, *value;
	size_t size;
	FILE *f = text_stream(&text, &size);

	while ((value = strsep(&values, " ")))
		fprintf(f, "%s == (__typeof__(%s))%sLL || ", name, name, value);
	fprintf(f, "%s == duct_first", name);
	fclose(f);
	return text;
}

static void state(struct build *b, char *line)
{
	char *values = strchr(line, ' '), *holds = NULL;
	const struct flow_var *v;
	const struct flow_type *t;
	bool addresses;

	if (values)
		*values++ = 0;
	addresses = values && *values == '&';
	v = harness_global(b->u, line);
	t = v ? harness_type(b->u, v->type) : NULL;
	if (!t || strchr("veo", t->kind) || !t->size || t->size > BYTES || harness_is_input(b, line)
	    || harness_shape_fixes(b->u, v->type, 0))
		return;
	if (values && !addresses)
		holds = condition(line, values);
	harness_step(b, HARNESS_STATE, line, holds, "", addresses);
	harness_object(b, line, v->type, false);
	free(holds);
}

void harness_states(struct build *b)
{
	char *all = b->u->setters ? copied(b->u->setters) : NULL, *rest = all, *line;

	while ((line = strsep(&rest, "\n")))
		if (*line == '*')
			state(b, line + 1);
	free(all);
}
