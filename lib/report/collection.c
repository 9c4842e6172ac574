/* collection: writes the tests of all questions in a store, a folder for each, or one archive. */
#include "lib/report/report.h"
#include "lib/report/tests.h"
#include "lib/base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char makefile[] =
    "# Tests written by duct: `make check` builds and runs those of each folder.\n" MAKEFILE_GO
    "check clean:\n"
    "\t@$(DUCT_GO) && status=0 && for d in $(FOLDERS); do \\\n"
    "\t\t$(MAKE) --no-print-directory -C $$d $@ || status=1; done; exit $$status\n"
    ".PHONY: check clean\n";

/* ENTRY, or ENTRY-2 and so on if another question has the same entry. */
static char *folder_name(char *const *name, size_t n, const char *entry)
{
	char *text = copied(entry);

	for (unsigned k = 2;; k++) {
		size_t i = 0;
		while (i < n && strcmp(name[i], text))
			i++;
		if (i == n)
			break;
		free(text);
		text = formatted("%s-%u", entry, k);
	}
	return text;
}

static int write_makefile(const char *dir, const struct tasks *t, char **error)
{
	char *path;
	FILE *f;
	bool bad;

	path = formatted("%s/Makefile", dir);
	if (!(f = fopen(path, "w"))) {
		tests_fail(error, "%s: %s", path, strerror(errno));
		free(path);
		return -1;
	}
	fputs("FOLDERS =", f);
	for (size_t i = 0; i < t->n; i++)
		fprintf(f, " %s", t->at[i].name);
	fprintf(f, "\n\n%s", makefile);
	bad = ferror(f) != 0;
	bad |= fclose(f) != 0;
	if (bad)
		tests_fail(error, "%s: cannot be written", path);
	free(path);
	return bad ? -1 : 0;
}

void tests_free_tasks(struct tasks *t)
{
	while (t->n) {
		store_view_free(t->at[--t->n].v);
		free(t->at[t->n].name);
	}
	free(t->at);
}

int tests_read_tasks(struct store *s, struct tasks *t, char **error)
{
	size_t sessions;
	int64_t *session = store_questions(s, &sessions);
	char **name = zeroed(sessions + 1, sizeof *name);
	int rc = 0;

	*t = (struct tasks){ zeroed(sessions + 1, sizeof *t->at), 0 };
	*error = NULL;
	for (size_t i = 0; !rc && i < sessions; i++) {
		struct store_view *v = store_view(s, session[i]);
		if (!v) {
			rc = tests_fail(error, "%s", store_error(s));
		} else if (!v->tests) {
			store_view_free(v);
		} else {
			report_qualify(v);
			name[t->n] = folder_name(name, t->n, v->entry);
			t->at[t->n] = (struct task){ v, name[t->n] };
			t->n++;
		}
	}
	if (!rc && !t->n)
		rc = tests_fail(error, "no session has tests that could be written");
	free(name);
	free(session);
	if (rc)
		tests_free_tasks(t);
	return rc;
}

static int write_one(const char *dir, const struct task *t, const char *format, char **error)
{
	char *path;
	int rc;

	path = formatted("%s/%s", dir, t->name);
	if (!(rc = report_own(path, NULL, error)))
		rc = report_tests(path, t->v, format, error);
	free(path);
	return rc;
}

int report_collection(const char *dir, struct store *s, const char *format, char **error)
{
	struct tasks t;
	int rc = tests_read_tasks(s, &t, error);

	if (rc)
		return rc;
	for (size_t i = 0; !rc && i < t.n; i++)
		rc = write_one(dir, &t.at[i], format, error);
	if (!rc)
		rc = write_makefile(dir, &t, error);
	tests_free_tasks(&t);
	return rc;
}

int report_each(const char *dir, struct store *s,
    int (*fill)(const char *dir, const struct store_view *, char **error), char **error)
{
	struct tasks t;
	char *none = NULL;
	size_t filled = 0;
	int rc = tests_read_tasks(s, &t, error);

	if (rc)
		return rc;
	for (size_t i = 0; rc >= 0 && i < t.n; i++) {
		char *path = formatted(t.n > 1 ? "%s/%s" : "%s", dir, t.at[i].name);

		rc = fill(path, t.at[i].v, error);
		free(path);
		filled += !rc;
		if (rc > 0) {
			free(none);
			none = t.n > 1 ? formatted("%s: %s", t.at[i].name, *error) : *error;
			if (none != *error)
				free(*error);
		}
	}
	tests_free_tasks(&t);
	if (rc < 0) {
		free(none);
		return rc;
	}
	*error = none;
	return filled || !none ? 0 : REPORT_NONE;
}
