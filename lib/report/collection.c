/* collection: writes the tests of all questions in a store, a folder for each. */
#include "lib/report/report.h"
#include "lib/report/tests.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char makefile[] =
    "# Tests written by duct: `make check` builds and runs those of each folder.\n"
    "check clean:\n"
    "\t@status=0; for d in $(FOLDERS); do $(MAKE) --no-print-directory -C $$d $@ || status=1; done; exit $$status\n"
    ".PHONY: check clean\n";

/* ENTRY, or ENTRY-2 and so on if another question has the same entry. */
static char *folder_name(char *const *name, size_t n, const char *entry)
{
	char *text = strdup(entry);

	for (unsigned k = 2; text; k++) {
		size_t i = 0;
		while (i < n && strcmp(name[i], text))
			i++;
		if (i == n)
			break;
		free(text);
		if (asprintf(&text, "%s-%u", entry, k) < 0)
			text = NULL;
	}
	if (!text)
		abort();
	return text;
}

static int write_makefile(const char *dir, char *const *name, size_t n, char **error)
{
	char *path;
	FILE *f;
	bool bad;

	if (asprintf(&path, "%s/Makefile", dir) < 0)
		abort();
	if (!(f = fopen(path, "w"))) {
		tests_fail(error, "%s: %s", path, strerror(errno));
		free(path);
		return -1;
	}
	fputs("FOLDERS =", f);
	for (size_t i = 0; i < n; i++)
		fprintf(f, " %s", name[i]);
	fprintf(f, "\n\n%s", makefile);
	bad = ferror(f) != 0;
	bad |= fclose(f) != 0;
	if (bad)
		tests_fail(error, "%s: cannot be written", path);
	free(path);
	return bad ? -1 : 0;
}

static int write_one(
    const char *dir, const char *name, struct store_view *v, const char *format, char **error)
{
	char *path;
	int rc;

	if (asprintf(&path, "%s/%s", dir, name) < 0)
		abort();
	report_qualify(v);
	if (!(rc = report_own(path, error)))
		rc = report_tests(path, v, format, error);
	free(path);
	return rc;
}

int report_collection(const char *dir, struct store *s, const char *format, char **error)
{
	size_t sessions, n = 0;
	int64_t *session = store_questions(s, &sessions);
	char **name = calloc(sessions + 1, sizeof *name);
	int rc = 0;

	if (!session || !name)
		abort();
	*error = NULL;
	for (size_t i = 0; !rc && i < sessions; i++) {
		struct store_view *v = store_view(s, session[i]);
		if (!v) {
			rc = tests_fail(error, "%s", store_error(s));
			break;
		}
		if (v->tests) {
			name[n] = folder_name(name, n, v->entry);
			rc = write_one(dir, name[n], v, format, error);
			n++;
		}
		store_view_free(v);
	}
	if (!rc && n) {
		rc = write_makefile(dir, name, n, error);
	} else if (!rc)
		rc = tests_fail(error, "no session has tests that could be written");
	while (n)
		free(name[--n]);
	free(name);
	free(session);
	return rc;
}
