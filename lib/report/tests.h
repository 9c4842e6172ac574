/* tests: private to lib/report: the files of a folder of C tests. */
#ifndef DUCT_REPORT_TESTS_H
#define DUCT_REPORT_TESTS_H

#include "lib/harness/harness.h"
#include "lib/report/names.h"
#include "lib/report/value.h"

/* What the tests of a session have in common. */
struct suite {
	const struct store_view *v;
	struct harness_plan *plan;
	size_t entry;                /* index of the file that holds the entry */
	char *dir;                   /* absolute */
	bool program;                /* the entry is main */
	struct test_names *names;
	const struct test_format *format;
	struct confirmed *confirmed; size_t confirmeds;   /* what a person has confirmed: DIR/CONFIRMED */
};

/* A framework that runs the tests. */
struct test_format {
	const char *name, *includes, *function, *head, *row, *tail;  /* of suite.c; in function and row %s is a test's name */
	const char *flags, *libraries;   /* for make */
};
/* folder.c: a suite without folder, names and what was confirmed; closed with all it has by then. 0, or -1 with *error:
 * no such format, or the tests cannot be written. */
int tests_open(struct suite *s, const struct store_view *v, const char *format, char **error);
void tests_close(struct suite *s);
/* formats.c: NULL: there is none of that name. */
const struct test_format *test_format(const char *name);
void tests_suite(FILE *f, const struct suite *s);

/* An expected value that a person has confirmed, by the test's id. */
struct confirmed { char *id, *value; };
/* confirm.c: reads DIR/CONFIRMED; a folder without one has none. */
void tests_read_confirmed(struct suite *s);
void tests_free_confirmed(struct suite *s);
/* The value that was confirmed for what a test's call left in `lvalue`, NULL: for its result. NULL when none was. */
const char *tests_confirmed(const struct suite *s, const struct view_test *t, const char *lvalue);
/* What a call left where its inputs had another value: an lvalue's value, or `size` bytes at an address. */
struct wrote { char *lvalue, *value; size_t size; bool is_float; };
/* In order of the plan. Caller frees with tests_free_wrote. */
size_t tests_wrote(const struct suite *s, const struct view_test *t, struct wrote **list);
void tests_free_wrote(struct wrote *list, size_t n);
/* Each test's id, name and observed result or value, a line each. */
void tests_observed(FILE *f, const struct suite *s);
/* The observed result as C text; NULL when the test has none that is compared. Caller frees. */
char *tests_result(const struct suite *s, const struct view_test *t);
const char *tests_label(const struct suite *s, const struct view_test *t);

/* enumerator.c: a value of a scalar of that shape, and its 0, as C expressions. */
void tests_value(FILE *f, const struct suite *s, const char *shape, const struct input_value *v);
void tests_zero(FILE *f, const struct suite *s, const char *shape);

/* tests.c */
void tests_source(FILE *f, const struct suite *s);
/* Tables that a test has. */
enum { TEST_VALUES = 1, TEST_INPUT = 2, TEST_FILES = 4, TEST_ENV = 8, TEST_ARGV = 16 };
/* The function of one test behind its tables; says which. */
unsigned tests_function(FILE *f, const struct suite *s, const struct view_test *t);
/* Tables of standard input, files, arguments, environment of a test; their inputs are marked
 * as used. */
unsigned tests_environment(FILE *f, const struct suite *s, const struct view_test *t, struct values *v);
/* Calls are answered by the test (duct_answers.c): those of a group ("time", "random"; NULL: any). */
bool tests_answers(const struct suite *s, const char *group);
/* Bytes prefix[0], prefix[1], ... of a test, as many as prefix.len says or as there are. Caller frees. */
char *tests_bytes(struct values *v, const char *prefix, size_t *n);
/* Makes a folder and those above it. 0, or -1 with *error (caller frees). */
int tests_make_folder(const char *dir, char **error);
/* Sets *error; -1. */
int tests_fail(char **error, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void tests_makefile(FILE *f, const struct suite *s);
void tests_index(FILE *f, const struct suite *s);

/* How the folder names a source: relative where they have more in common than the root. Caller
 * frees. */
char *tests_path(const struct suite *s, const char *file);
/* "assert at f.c:3: x > 0", fit for a comment, or NULL for a test that ended well. Caller frees. */
char *tests_what(const struct view_test *t);
/* Is it a test of the function? Not when its input breaks what the function asks of its callers. */
bool tests_valid(const struct view_test *t);
/* stubs.c: definitions of functions that nothing else defines. */
void tests_stubs(FILE *f, const struct harness_plan *p);
/* status.c: does what main returns tell the exit status? Not when it may return without a value. */
bool tests_main_returns(const struct suite *s);
/* C of 1989, by the compiler's flags. */
bool tests_old(const struct suite *s);
/* flags.c: DUCT_FLAGS and DUCT_LIBS of the Makefile. */
void tests_flags(FILE *f, const struct suite *s);
/* Can C and make say the names of the sources and the flags? -1 with *error, which names what they cannot. */
int tests_check_names(const struct suite *s, char **error);
/* Does another build do the same? False after undefined behaviour but overflow, which wraps there
 * too: then only a crash would be a surprise. */
bool tests_sure(const struct view_test *t);

#endif
