/* environment: what a test's process gets from outside: standard input, files, arguments and
 * environment, gathered from inputs called stdin[i], NAME[i], argv[I][j], env.NAME[j] and
 * their .len. */
#include "lib/report/tests.h"

#include <stdlib.h>
#include <string.h>

char *
tests_bytes(struct values *v, const char *prefix, size_t *n)
{
	const struct input_value *len, *byte;
	size_t plen = strlen(prefix), most = 0;
	char *bytes, *end;

	for (size_t i = 0; i < v->in->n; i++) {
		const char *name = v->in->v[i].name;
		if (strncmp(name, prefix, plen) || name[plen] != '[')
			continue;
		size_t k = strtoull(name + plen + 1, &end, 10);
		if (!strcmp(end, "]") && k < (size_t)1 << 30 && k + 1 > most)
			most = k + 1;
	}
	if ((len = values_find_f(v, "%s.len", prefix)))
		*n = len->value.lo < (uint64_t)1 << 30 ? len->value.lo : most;
	else
		*n = most;
	bytes = calloc(1, (*n > most ? *n : most) + 1);
	for (size_t i = 0; i < most; i++)
		if ((byte = values_find_f(v, "%s[%zu]", prefix, i)) && i < *n)
			bytes[i] = (char)byte->value.lo;
	return bytes;
}

static void
entry(FILE *f, const char *name, const char *bytes, size_t n)
{
	fputs("{ ", f);
	value_print_bytes(f, name, strlen(name));
	fputs(", ", f);
	value_print_bytes(f, bytes, n);
	fprintf(f, ", %zu }", n);
}

static unsigned
standard_input(FILE *f, const struct suite *s, const struct view_test *t, struct values *v)
{
	size_t n;
	char *bytes = tests_bytes(v, "stdin", &n);

	if (n) {
		fprintf(f, "static const char duct_input_%s[] = ", tests_label(s, t));
		value_print_bytes(f, bytes, n);
		fputs(";\n\n", f);
	}
	free(bytes);
	return n ? TEST_INPUT : 0;
}

/* A table of what is called PREFIX + NAME in the inputs, for the NAMEs of `KIND NAME=SIZE`. */
static size_t
table(FILE *f, const struct suite *s, const struct view_test *t, struct values *v, const char *kind,
      const char *prefix, const char *array)
{
	size_t n = 0, size, skip = strlen(kind);

	for (size_t i = 0; s->v->environment[i]; i++) {
		const char *spec = s->v->environment[i], *eq = strrchr(spec, '=');
		char *name, *bytes;
		if (strncmp(spec, kind, skip) || spec[skip] != ' ' || !eq)
			continue;
		if (asprintf(&name, "%s%.*s", prefix, (int)(eq - spec - (long)skip - 1), spec + skip + 1) < 0)
			abort();
		bytes = tests_bytes(v, name, &size);
		fprintf(f, n++ ? "\t" : "static const struct duct_bytes %s_%s[] = {\n\t", array, tests_label(s, t));
		entry(f, name + strlen(prefix), bytes, size);
		fputs(",\n", f);
		free(bytes);
		free(name);
	}
	if (n)
		fputs("\t{ 0, 0, 0 }\n};\n\n", f);
	return n;
}

/* Argument i as the program was given it, or NULL: `argv TEXT` entries in order. */
static const char *
given_argument(const struct suite *s, size_t i)
{
	for (size_t k = 0; s->v->environment[k]; k++)
		if (!strncmp(s->v->environment[k], "argv ", 5) && i-- == 1)
			return s->v->environment[k] + 5;
	return NULL;
}

static size_t
argument_count(const struct suite *s, const struct values *v)
{
	size_t n = 1;

	while (given_argument(s, n))
		n++;
	for (size_t i = 0; i < v->in->n; i++)
		if (!strncmp(v->in->v[i].name, "argv[", 5)) {
			size_t k = strtoull(v->in->v[i].name + 5, NULL, 10);
			n = k + 1 > n && k < 10000 ? k + 1 : n;
		}
	return n;
}

static void
arguments(FILE *f, const struct suite *s, const struct view_test *t, struct values *v)
{
	size_t n = argument_count(s, v), size;

	fprintf(f, "static char *const duct_argv_%s[] = { (char *)\"program\"", tests_label(s, t));
	for (size_t i = 1; i < n; i++) {
		char prefix[32];
		const char *given = given_argument(s, i);
		snprintf(prefix, sizeof prefix, "argv[%zu]", i);
		char *bytes = tests_bytes(v, prefix, &size);
		fputs(", (char *)", f);
		if (size || !given)
			value_print_bytes(f, bytes, strlen(bytes));
		else
			value_print_bytes(f, given, strlen(given));
		free(bytes);
	}
	fputs(", 0 };\n\n", f);
}

unsigned
tests_environment(FILE *f, const struct suite *s, const struct view_test *t, struct values *v)
{
	unsigned has = standard_input(f, s, t, v);

	if (table(f, s, t, v, "file", "", "duct_files"))
		has |= TEST_FILES;
	if (table(f, s, t, v, "env", "env.", "duct_env"))
		has |= TEST_ENV;
	if (!s->program)
		return has;
	arguments(f, s, t, v);
	return has | TEST_ARGV;
}
