/* folder: writes the files of a folder of tests; each first under a temporary name. */
#include "lib/base/home.h"
#include "lib/base/grow.h"
#include "lib/report/report.h"
#include "lib/report/tests.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int tests_fail(char **error, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	*error = formatted_list(fmt, ap);
	va_end(ap);
	return -1;
}

FILE *report_new_file(const char *path)
{
	int fd;

	unlink(path); /* left by a killed process */
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	return fd < 0 ? NULL : fdopen(fd, "w");
}

FILE *report_begin_file(const char *path, char **temporary)
{
	bool special;
	struct stat st;
	FILE *f;

	special = !stat(path, &st) && !S_ISREG(st.st_mode);
	*temporary = special ? copied(path) : formatted("%s.new", path);
	if (!(f = special ? fopen(path, "w") : report_new_file(*temporary)))
		free(*temporary);
	return f;
}

int report_end_file(FILE *f, const char *path, char *temporary)
{
	bool special = !strcmp(path, temporary), bad = ferror(f);

	bad |= fclose(f) || (!bad && !special && rename(temporary, path));
	if (bad && !special) {
		int why = errno;
		unlink(temporary);
		errno = why;
	}
	free(temporary);
	return bad ? -1 : 0;
}

int tests_make_folder(const char *dir, char **error)
{
	char *copy = copied(dir);

	for (char *s = copy; *s; s++)
		if (*s == '/' && s > copy) {
			*s = 0;
			mkdir(copy, 0777);
			*s = '/';
		}
	int rc = mkdir(dir, 0777) && errno != EEXIST
	    ? tests_fail(error, "%s: %s", dir, strerror(errno))
	    : 0;
	free(copy);
	return rc;
}

static void copy_file(FILE *f, const struct session_tests *s, const char *name)
{
	char *path = home_path("share", name), buf[65536];
	FILE *from = path ? fopen(path, "r") : NULL;
	size_t n;

	(void)s;
	while (from && (n = fread(buf, 1, sizeof buf, from)))
		fwrite(buf, 1, n, f);
	if (from)
		fclose(from);
	free(path);
}

#define COPY(name, path) \
	static void name(FILE *f, const struct session_tests *s) \
	{ \
		copy_file(f, s, path); \
	}
COPY(test_h, "test/duct_test.h")
COPY(runner_h, "test/duct_runner.h")
COPY(test_c, "test/duct_test.c")
COPY(process_c, "test/duct_process.c")
COPY(values_c, "test/duct_values.c")
COPY(duct_h, "duct.h")
COPY(answers_h, "test/duct_answers.h")
COPY(answers_c, "test/duct_answers.c")
COPY(failing_h, "test/duct_failing.h")
COPY(clock_c, "test/duct_clock.c")
COPY(children_c, "test/duct_children.c")
COPY(machine_c, "test/duct_machine.c")
COPY(people_c, "test/duct_people.c")

/* The last one is written only for a framework. */
static const struct {
	const char *name;
	void (*write)(FILE *, const struct session_tests *);
	bool answers; /* only if calls are answered */
} files[] = {
	{ "tests.c", tests_source, false },
	{ "duct_test.h", test_h, false },
	{ "duct_runner.h", runner_h, false },
	{ "duct_test.c", test_c, false },
	{ "duct_process.c", process_c, false },
	{ "duct_values.c", values_c, false },
	{ "duct.h", duct_h, false },
	{ "INDEX", tests_index, false },
	{ "Makefile", tests_makefile, false },
	{ "OBSERVED", tests_observed, false },
	{ "duct_answers.c", answers_c, true },
	{ "duct_answers.h", answers_h, true },
	{ "duct_failing.h", failing_h, true },
	{ "duct_clock.c", clock_c, true },
	{ "duct_children.c", children_c, true },
	{ "duct_machine.c", machine_c, true },
	{ "duct_people.c", people_c, true },
	{ "suite.c", tests_suite, false },
};
enum { FILES = sizeof files / sizeof *files };

static int write_file(const struct session_tests *s, size_t i, char **error)
{
	char *name, *temporary;
	FILE *f;
	int rc = 0;

	name = formatted("%s/%s", s->dir, files[i].name);
	temporary = formatted("%s.new", name);
	if (!(f = report_new_file(temporary))) {
		rc = tests_fail(error, "%s: %s", temporary, strerror(errno));
	} else {
		files[i].write(f, s);
		bool bad = ferror(f) != 0;
		if (fclose(f) || bad)
			rc = tests_fail(error, "%s: cannot be written", temporary);
		else if (rename(temporary, name))
			rc = tests_fail(error, "%s: %s", name, strerror(errno));
		if (rc)
			unlink(temporary);
	}
	free(name);
	free(temporary);
	return rc;
}

/* The file with the entry: where the objectives of a function of that name are, else the first. */
static size_t entry_file(const struct store_view *v)
{
	for (size_t i = 0; i < v->functions; i++)
		for (size_t k = 0; !strcmp(v->function[i].name, v->entry) && v->file[k]; k++)
			if (!strcmp(v->function[i].file, v->file[k]))
				return k;
	return 0;
}

static bool is_wanted(const struct session_tests *s, size_t file)
{
	if (files[file].answers)
		return tests_answers(s, NULL);
	return files[file].write != tests_suite || *s->format->function;
}

int tests_open(
    struct session_tests *s, const struct store_view *v, const char *format, char **error)
{
	*s = (struct session_tests){ .v = v, .format = test_format(format) };
	*error = NULL;
	if (!s->format)
		return tests_fail(error,
		    "no format `%s`: there are assert, cmocka, unity, check and criterion", format);
	if (v->folder)
		return tests_fail(error, "tests of a suite have no inputs that could be written");
	if (!v->file[0])
		return tests_fail(error, "the store has no source files for the session");
	if (!(s->plan = harness_plan_parse(*v->plan ? v->plan : "plan 1\n", error)))
		return -1;
	s->program =
	    !s->plan->n || (s->plan->step[0].count & 4 && s->plan->step[0].kind == HARNESS_ENTRY);
	s->entry = entry_file(v);
	if (s->plan->n)
		return 0;
	tests_close(s);
	return tests_fail(error, "the store does not describe the inputs of the session");
}

void tests_close(struct session_tests *s)
{
	if (s->names)
		test_names_free(s->names, s->v);
	tests_free_confirmed(s);
	free(s->dir);
	harness_plan_free(s->plan);
}

int report_tests(const char *dir, const struct store_view *v, const char *format, char **error)
{
	struct session_tests s;
	int rc = 0;

	if (tests_open(&s, v, format, error))
		return -1;
	if (tests_make_folder(dir, error))
		rc = -1;
	else if (!(s.dir = realpath(dir, NULL)))
		rc = tests_fail(error, "%s: %s", dir, strerror(errno));
	if (!rc)
		rc = tests_check_names(&s, error);
	if (!rc) {
		s.names = test_names(v);
		tests_read_confirmed(&s);
	}
	for (size_t i = 0; !rc && i < FILES; i++)
		if (is_wanted(&s, i))
			rc = write_file(&s, i, error);
	tests_close(&s);
	return rc;
}
