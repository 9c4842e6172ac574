/* corpus: writes the bytes that each test feeds to the program to a file. */
#include "lib/report/report.h"
#include "lib/report/tests.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The input that supplies the bytes: "stdin" or the name of a file. NULL: none. Caller frees. */
static char *source(const struct store_view *v)
{
	for (size_t i = 0; v->environment[i]; i++) {
		const char *spec = v->environment[i], *eq = strrchr(spec, '=');
		if (!strncmp(spec, "stdin=", 6))
			return strdup("stdin");
		if (!strncmp(spec, "file ", 5) && eq)
			return strndup(spec + 5, (size_t)(eq - spec - 5));
	}
	return NULL;
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

static int write_test(const char *dir, const char *name, const struct view_test *t, char **error)
{
	struct values v;
	char *path, *bytes;
	size_t n;
	int rc;

	if (asprintf(&path, "%s/test-%06" PRIu64, dir, t->number) < 0)
		return tests_fail(error, "out of memory");
	values_open(&v, &t->input);
	bytes = tests_bytes(&v, name, &n);
	rc = write_bytes(path, bytes, n, error);
	free(bytes);
	free(path);
	values_close(&v);
	return rc;
}

int report_corpus(const char *dir, const struct store_view *v, char **error)
{
	char *name = source(v);
	int rc;

	*error = NULL;
	if (!name)
		return tests_fail(error, "the session's inputs are not standard input or a file");
	rc = tests_make_folder(dir, error);
	for (size_t i = 0; !rc && i < v->tests; i++)
		rc = write_test(dir, name, &v->test[i], error);
	free(name);
	return rc;
}
