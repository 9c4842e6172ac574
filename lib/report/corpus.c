/* corpus: writes the bytes that each test feeds to the program to a file: standard input, or a
 * file's content, or the memory of the parameters. */
#include "lib/harness/harness.h"
#include "lib/base/grow.h"
#include "lib/report/report.h"
#include "lib/report/tests.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Does any test have the input NAME.len or NAME[...]? */
static bool is_read(const struct store_view *v, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < v->tests; i++)
		for (size_t k = 0; k < v->test[i].input.n; k++) {
			const char *input = v->test[i].input.v[k].name;
			if (!strncmp(input, name, n)
			    && (input[n] == '[' || !strcmp(input + n, ".len")))
				return true;
		}
	return false;
}

/* The input that supplies the bytes: "stdin" or the name of a file. NULL: parameters. Caller
 * frees. */
static char *source(const struct store_view *v)
{
	for (size_t i = 0; v->environment[i]; i++) {
		const char *spec = v->environment[i], *eq = strrchr(spec, '=');
		if (!strncmp(spec, "stdin=", 6))
			return copied("stdin");
		if (!strncmp(spec, "file ", 5) && eq)
			return copied_part(spec + 5, (size_t)(eq - spec - 5));
	}
	return is_read(v, "stdin") ? copied("stdin") : NULL;
}

static int write_bytes(const char *path, const char *bytes, size_t n, char **error)
{
	FILE *f = fopen(path, "w");

	if (!f)
		return tests_fail(error, "%s: %s", path, strerror(errno));
	fwrite(bytes, 1, n, f);
	bool bad = ferror(f);
	return fclose(f) || bad ? tests_fail(error, "%s: cannot be written", path) : 0;
}

/* name: of the bytes, or NULL: the memory of all inputs. */
static int write_test(const char *dir, const char *name, const struct harness_plan *p,
    const struct view_test *t, char **error)
{
	struct values v;
	char *path, *bytes;
	size_t n;
	int rc;

	path = formatted("%s/test-%06" PRIu64, dir, t->number);
	values_open(&v, &t->input);
	bytes = name ? tests_bytes(&v, name, &n) : tests_memory(p, t, &n);
	rc = bytes ? write_bytes(path, bytes, n, error)
	           : tests_fail(error, "test %" PRIu64 ": its inputs are too large", t->number);
	free(bytes);
	free(path);
	values_close(&v);
	return rc;
}

int report_corpus(const char *dir, const struct store_view *v, char **error)
{
	struct harness_plan *p;
	char *name;
	int rc;

	*error = NULL;
	if (v->folder) {
		tests_fail(error, "tests of a suite have no inputs that could be written");
		return REPORT_NONE;
	}
	if (!(p = harness_plan_parse(*v->plan ? v->plan : "plan 1\n", error)))
		return -1;
	name = source(v);
	if (!name && !strcmp(v->entry, "main")) {
		tests_fail(error, "the session's inputs are not standard input or a file");
		rc = REPORT_NONE;
	} else {
		rc = tests_make_folder(dir, error);
	}
	for (size_t i = 0; !rc && i < v->tests; i++)
		rc = write_test(dir, name, p, &v->test[i], error);
	free(name);
	harness_plan_free(p);
	return rc;
}
