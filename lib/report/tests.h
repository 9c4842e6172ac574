/* tests: private to lib/report: the files of a folder of C tests. */
#ifndef DUCT_REPORT_TESTS_H
#define DUCT_REPORT_TESTS_H

#include "lib/harness/harness.h"
#include "lib/report/names.h"
#include "lib/report/value.h"

/* Common data of a session's tests. */
struct session_tests {
	const struct store_view *v;
	struct harness_plan *plan;
	size_t entry; /* index of the file that holds the entry */
	char *dir;    /* of the tests; absolute */
	bool program; /* the entry is main */
	struct test_names *names;
	const struct test_format *format;
	struct confirmed *confirmed;
	size_t confirmeds; /* values confirmed by a person, from
	                      DIR/CONFIRMED */
};

/* A test framework. */
struct test_format {
	/* text of suite.c; @ stands for a test's name */
	const char *name, *includes, *function, *head, *row, *tail;
	const char *flags, *libraries; /* for the Makefile */
};
/* folder.c: opens a suite without folder, names and confirmed values; tests_close frees these too.
 * 0, or -1 with *error: unknown format, or tests cannot be written. */
int tests_open(
    struct session_tests *s, const struct store_view *v, const char *format, char **error);
void tests_close(struct session_tests *s);
/* formats.c: NULL: unknown name. */
const struct test_format *test_format(const char *name);
void tests_suite(FILE *f, const struct session_tests *s);

/* A value that a person has confirmed, for the test with this id. */
struct confirmed {
	char *id, *value;
};
/* confirm.c: reads DIR/CONFIRMED, if it exists. */
void tests_read_confirmed(struct session_tests *s);
void tests_free_confirmed(struct session_tests *s);
/* The confirmed value of `lvalue` after a test's call (NULL: of its result). NULL when none was
 * confirmed. */
const char *tests_confirmed(
    const struct session_tests *s, const struct view_test *t, const char *lvalue);
/* Memory that a call changed: an lvalue and its value, or `size` bytes at an address. */
struct wrote {
	char *lvalue, *value;
	size_t size;
	bool is_float;
};
/* Ordered as in the plan. Free with tests_free_wrote. */
size_t tests_wrote(const struct session_tests *s, const struct view_test *t, struct wrote **list);
void tests_free_wrote(struct wrote *list, size_t n);
/* Writes each test's id, name and observed result or value, one per line. */
void tests_observed(FILE *f, const struct session_tests *s);
/* The observed result as C text; NULL when the test's result is not compared. Caller frees. */
char *tests_result(const struct session_tests *s, const struct view_test *t);
const char *tests_label(const struct session_tests *s, const struct view_test *t);

/* enumerator.c: a scalar's value, and 0, as C expressions of its shape. */
void tests_value(
    FILE *f, const struct session_tests *s, const char *shape, const struct input_value *v);
void tests_zero(FILE *f, const struct session_tests *s, const char *shape);

/* source.c */
void tests_source(FILE *f, const struct session_tests *s);
/* Tables of a test. */
enum { TEST_VALUES = 1, TEST_INPUT = 2, TEST_FILES = 4, TEST_ENV = 8, TEST_ARGV = 16 };
/* function.c: writes a test's tables and function; returns which tables it has. */
unsigned tests_function(FILE *f, const struct session_tests *s, const struct view_test *t);
/* environment.c: writes the tables of standard input, files, arguments and environment; marks their
 * inputs as used. Returns which tables there are. */
unsigned tests_environment(
    FILE *f, const struct session_tests *s, const struct view_test *t, struct values *v);
/* Does the test answer calls (duct_answers.c) of a group ("time", "random"; NULL: any)? */
bool tests_answers(const struct session_tests *s, const char *group);
/* Bytes prefix[0], prefix[1], ... of a test: prefix.len of them, or as many as exist. Caller
 * frees. */
char *tests_bytes(struct values *v, const char *prefix, size_t *n);
/* ktest.c: the bytes of a test's inputs, one object after the other, in the order in which the run
 * met them. NULL: too many. Caller frees. */
char *tests_memory(const struct harness_plan *p, const struct view_test *t, size_t *n);
/* Creates a folder and its parents. 0, or -1 with *error (caller frees). */
int tests_make_folder(const char *dir, char **error);
/* Formats *error; returns -1. */
int tests_fail(char **error, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void tests_makefile(FILE *f, const struct session_tests *s);
void tests_index(FILE *f, const struct session_tests *s);

/* collection.c: sessions whose tests are written together, and what each one's folder is called,
 * unique among them. */
struct tasks {
	struct task {
		struct store_view *v;
		char *name;
	} *at;
	size_t n;
};
/* The last session of each question that has tests. 0, or -1 with *error. */
int tests_read_tasks(struct store *s, struct tasks *t, char **error);
void tests_free_tasks(struct tasks *t);

/* The path of a source in the Makefile: relative if it shares more than the root with the folder.
 * Caller frees. */
char *tests_path(const struct session_tests *s, const char *file);
/* "assert at f.c:3: x > 0", safe in a comment, or NULL if the test ended normally. Caller frees. */
char *tests_what(const struct view_test *t);
/* Is it a valid test? Not if its input violates a requirement of the function on its callers. */
bool tests_valid(const struct view_test *t);
/* stubs.c: defines functions that nothing else defines. */
void tests_stubs(FILE *f, const struct harness_plan *p);
/* extern.c: defines globals that nothing else defines. */
void tests_externs(FILE *f, const struct session_tests *s);
/* The input's shape for a global that the tests define: of an array of unknown length, with as many
 * elements as the tests use. Caller frees. */
char *extern_shape(const struct session_tests *s, const struct harness_step *of, const char *shape);
/* Is it a constant, which has its value before the first call? */
bool extern_constant(const struct session_tests *s, const char *name);
/* status.c: is main's result the exit status? Not if it may return without a value. */
bool tests_main_returns(const struct session_tests *s);
/* status.c: do the compiler's flags select C89? */
bool tests_old(const struct session_tests *s);
/* flags.c: DUCT_FLAGS and DUCT_LIBS of the Makefile. */
void tests_flags(FILE *f, const struct session_tests *s);
/* Can C and make express the names of sources and flags? 0, or -1 with *error, which tells the
 * offending name. */
int tests_check_names(const struct session_tests *s, char **error);
/* Will other builds behave the same? False after undefined behaviour, except overflow, which wraps
 * there too; then only a crash would be a failure. */
bool tests_sure(const struct view_test *t);

/* Of a Makefile: $(DUCT_GO) in a recipe goes to its folder. A name with spaces is several words of
 * MAKEFILE_LIST, which is all of it unless other Makefiles came before. */
#define MAKEFILE_GO \
	"DUCT_LIST := $(subst ','\\'',$(MAKEFILE_LIST))\n" \
	"DUCT_GO = m='$(DUCT_LIST)'; m=$${m\\# }; [ -f \"$$m\" ] || " \
	"m='$(lastword $(DUCT_LIST))'; \\\n" \
	"\tcase $$m in */*) ;; *) m=./$$m ;; esac; cd \"$${m%/*}\"\n"

#endif
