/* enumerator: values as C text; values of enumerations by name. */
#include "lib/report/tests.h"

#include <stdlib.h>
#include <string.h>

static const struct harness_step *enumeration(const struct harness_plan *p, const char *shape)
{
	const char *at = shape + 1 + strspn(shape + 1, "0123456789");
	unsigned long n = *at == '#' ? strtoul(at + 1, NULL, 10) : 0;

	for (size_t i = 0; n && i < p->n; i++)
		if (p->step[i].kind == HARNESS_ENUM && !--n)
			return &p->step[i];
	return NULL;
}

static bool is_parameter(const struct harness_plan *p, const char *name, size_t n)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_PARAM && !strncmp(p->step[i].name, name, n)
		    && !p->step[i].name[n])
			return true;
	return false;
}

/* The value's first name that no parameter hides; *n: its length. NULL: none. */
static const char *name_of(const struct harness_plan *p, const struct harness_step *e,
    const struct input_value *v, size_t *n)
{
	uint64_t mask = v->width < 64 ? ((uint64_t)1 << v->width) - 1 : UINT64_MAX;
	const char *name, *at = e->name;
	char *end;

	do {
		name = at;
		*n = strcspn(name, "=");
		if (!name[*n])
			return NULL;
		uint64_t value = (uint64_t)strtoll(name + *n + 1, &end, 10);
		if (!((value ^ v->value.lo) & mask) && !is_parameter(p, name, *n))
			return name;
		at = end + 1;
	} while (*end == ';');
	return NULL;
}

void tests_value(
    FILE *f, const struct session_tests *s, const char *shape, const struct input_value *v)
{
	const struct harness_step *e = enumeration(s->plan, shape);
	size_t n;
	const char *name = e ? name_of(s->plan, e, v, &n) : NULL;

	if (name) {
		fwrite(name, 1, n, f);
		return;
	}
	if (e && strcmp(e->type, "int %s") && strcmp(e->type, "unsigned int %s"))
		fprintf(f, "(%.*s)", (int)strcspn(e->type, "%") - 1, e->type);
	value_print(f, v);
}

void tests_zero(FILE *f, const struct session_tests *s, const char *shape)
{
	struct input_value zero = { .kind = *shape == 'u' ? INPUT_UINT : INPUT_INT, .width = 32 };

	tests_value(f, s, shape, &zero);
}
