/* environment: a test's standard input, files, arguments and environment variables, from inputs
 * stdin[i], NAME[i], file.NAME[i], argv[I][j], env.NAME[j], their .len, `args`, and NAME? for
 * existence. */
#include "lib/report/tests.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

char *tests_bytes(struct values *v, const char *prefix, size_t *n)
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
	bytes = zeroed(1, (*n > most ? *n : most) + 1);
	for (size_t i = 0; i < most; i++)
		if ((byte = values_find_f(v, "%s[%zu]", prefix, i)) && i < *n)
			bytes[i] = (char)byte->value.lo;
	return bytes;
}

static void entry(FILE *f, const char *name, const char *bytes, size_t n)
{
	fputs("{ ", f);
	value_print_bytes(f, name, strlen(name));
	fputs(", ", f);
	if (bytes)
		value_print_bytes(f, bytes, n == (size_t)-1 ? strlen(bytes) : n);
	else
		putc('0', f);
	fprintf(f, n == (size_t)-1 ? ", DUCT_ATTRIBUTES }" : ", %zu }", n);
}

static unsigned standard_input(
    FILE *f, const struct session_tests *s, const struct view_test *t, struct values *v)
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

/* A table; its head is written with the first entry. */
struct entry_table {
	FILE *f;
	const char *array, *label;
	size_t n;
};

static void row(struct entry_table *t, const char *name, const char *bytes, size_t size)
{
	fprintf(t->f, t->n++ ? "\t" : "static const struct duct_bytes %s_%s[] = {\n\t", t->array,
	    t->label);
	entry(t->f, name, bytes, size);
	fputs(",\n", t->f);
}

static void finish(struct entry_table *t)
{
	if (t->n)
		fputs("\t{ 0, 0, 0 }\n};\n\n", t->f);
}

/* The attributes of a file (share/libc/kinds.c), in an entry of its own, which the runner
 * (share/test/duct_process.c) recognises by its size. */
static void attributes(struct entry_table *t, struct values *v, const char *whole, const char *name)
{
	static const char *const member[] = { "kind", "mode", "more", "time" };
	const struct input_value *of[4];
	unsigned long is[4];
	bool any = false;
	char text[120];

	for (size_t i = 0; i < 4; i++) {
		of[i] = values_find_f(v, "%s.%s", whole, member[i]);
		is[i] = of[i] ? (unsigned long)of[i]->value.lo : 0;
		any |= of[i] != NULL;
	}
	if (!any)
		return;
	snprintf(text, sizeof text, "kind=%lu mode=%lo more=%lu", is[0], is[1] ^ 0644, is[2]);
	if (of[3])
		snprintf(text + strlen(text), sizeof text - strlen(text), " time=%lu", is[3]);
	row(t, name, text, (size_t)-1);
}

/* Adds the entry NAME for inputs PREFIX + NAME: absent, or its bytes. */
static void described(
    struct entry_table *t, struct values *v, const char *prefix, const char *name, bool is_variable)
{
	const struct input_value *there = values_find_f(v, "%s%s?", prefix, name);
	size_t size, n;
	char *whole, *bytes, *path;

	whole = formatted("%s%s", prefix, name);
	bytes = tests_bytes(v, whole, &size);
	if (there && !there->value.lo) {
		if (is_variable)
			row(t, name, NULL, 0);
	} else {
		free(whole);
		whole = formatted("%s%s.path", prefix, name);
		/* of a file whose name depends on inputs */
		path = tests_bytes(v, whole, &n);
		row(t, n ? path : name, bytes, is_variable ? strlen(bytes) : size);
		free(whole);
		whole = formatted("%s%s", prefix, name);
		if (!is_variable)
			attributes(t, v, whole, n ? path : name);
		free(path);
	}
	free(bytes);
	free(whole);
}

/* Writes a table for the inputs PREFIX + NAME: for NAMEs in `KIND NAME=SIZE` of the session's
 * environment, and for those that the program asked for, with inputs ASKED + NAME + "?". */
static size_t table(FILE *f, const struct session_tests *s, const struct view_test *t,
    struct values *v, const char *kind, const char *prefix, const char *asked, const char *array)
{
	struct entry_table to = { f, array, tests_label(s, t), 0 };
	size_t skip = strlen(kind), n = strlen(asked);
	bool env = !strcmp(kind, "env");
	char *name;

	for (size_t i = 0; s->v->environment[i]; i++) {
		const char *spec = s->v->environment[i], *eq = strrchr(spec, '=');
		if (strncmp(spec, kind, skip) || spec[skip] != ' ' || !eq)
			continue;
		name = copied_part(spec + skip + 1, (size_t)(eq - spec) - skip - 1);
		if (!env || !values_find_f(v, "env.%s?", name))
			described(&to, v, prefix, name, env);
		free(name);
	}
	for (size_t i = 0; i < v->in->n; i++) {
		const char *whole = v->in->v[i].name;
		size_t length = strlen(whole);
		if (strncmp(whole, asked, n) || length <= n + 1 || whole[length - 1] != '?')
			continue;
		name = copied_part(whole + n, length - n - 1);
		described(&to, v, asked, name, env);
		free(name);
	}
	finish(&to);
	return to.n;
}

/* Argument i as given to the program (`argv TEXT` entries in order), or NULL. */
static const char *given_argument(const struct session_tests *s, size_t i)
{
	for (size_t k = 0; s->v->environment[k]; k++)
		if (!strncmp(s->v->environment[k], "argv ", 5) && i-- == 1)
			return s->v->environment[k] + 5;
	return NULL;
}

static size_t argument_count(const struct session_tests *s, struct values *v)
{
	const struct input_value *args = values_find_f(v, "args");
	size_t n = 1;

	if (args)
		return args->value.lo < 10000 ? args->value.lo + 1 : 1;

	while (given_argument(s, n))
		n++;
	for (size_t i = 0; i < v->in->n; i++)
		if (!strncmp(v->in->v[i].name, "argv[", 5)) {
			size_t k = strtoull(v->in->v[i].name + 5, NULL, 10);
			n = k + 1 > n && k < 10000 ? k + 1 : n;
		}
	return n;
}

/* argv[0], which is an input in some sessions. */
static void program_name(FILE *f, struct values *v)
{
	size_t size;
	char *bytes = tests_bytes(v, "argv[0]", &size);

	value_print_bytes(f, size ? bytes : "program", strlen(size ? bytes : "program"));
	free(bytes);
}

static void arguments(
    FILE *f, const struct session_tests *s, const struct view_test *t, struct values *v)
{
	size_t n = argument_count(s, v), size;

	fprintf(f, "static char *const duct_argv_%s[] = { (char *)", tests_label(s, t));
	program_name(f, v);
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
	for (size_t i = 0; i < v->in->n; i++)
		if (!strncmp(v->in->v[i].name, "argv[", 5))
			v->used[i] = true;
}

unsigned tests_environment(
    FILE *f, const struct session_tests *s, const struct view_test *t, struct values *v)
{
	unsigned has = standard_input(f, s, t, v);

	if (table(f, s, t, v, "file", "", "file.", "duct_files"))
		has |= TEST_FILES;
	if (table(f, s, t, v, "env", "env.", "env.", "duct_env"))
		has |= TEST_ENV;
	if (!s->program)
		return has;
	arguments(f, s, t, v);
	return has | TEST_ARGV;
}
