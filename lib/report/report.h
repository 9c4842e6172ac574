/* report: results of a session, for people and programs. Reports are made from a view of the store
 * (store_view), so they are the same during and after the session. Callers check the FILEs for
 * errors. */
#ifndef DUCT_REPORT_H
#define DUCT_REPORT_H

#include "lib/store/store.h"

/* Appends what the user assumed (--assume, --range, --init, --stub) to the evidence of infeasible
 * objectives. Call it first. */
void report_qualify(struct store_view *v);
/* Turns evidence into sentences for people. Call it after report_qualify; not for tables and
 * JSON. */
void report_explain(struct store_view *v);
/* Style of the summary for people, which starts with the result. */
struct report_style {
	const char *out;   /* folder of the written tests, or NULL */
	const char *store; /* for suggested commands, or NULL */
	bool stats;        /* include counters of runs, queries and CPU time */
	bool brief;        /* omit the question and suggestions */
	bool colour;
};
/* Is standard output a terminal that shows colours, and is NO_COLOR unset? */
bool report_colour(void);
void report_text(FILE *f, const struct store_view *v, const struct report_style *style);
/* The same for a view of many functions, in two parts, together for a screen: totals and the first
 * findings; open objectives, a line for each reason, and how much more there is to read. */
void report_result(FILE *f, const struct store_view *v, const struct report_style *style);
void report_open(FILE *f, const struct store_view *v, const struct report_style *style);
/* Does the view satisfy --fail-under (percent of feasible branches covered; 0: not requested) and
 * --fail-on ("finding", "unknown" or NULL)? If not, *why: what is missing; caller frees. */
bool report_holds(const struct store_view *v, double fail_under, const char *fail_on, char **why);
/* One JSON object, see duct(7). not_counted: functions of the call that no session has run,
 * NULL-terminated; NULL: not a call that tests several. */
void report_json(FILE *f, const struct store_view *v, const char *const *not_counted);
/* A header line, then a line per objective: function, condition, its number in the function,
 * position, side, verdict, evidence; separated by TABs. */
void report_branches(FILE *f, const struct store_view *v);
/* A header line, then a line per place checked for a fault: function, kind, position, verdict,
 * evidence; separated by TABs. */
void report_checks(FILE *f, const struct store_view *v);
/* The same for the objectives of criteria, bits as criteria_parse gives them: criterion, name,
 * function, position, what it is, verdict, evidence. */
void report_criteria(FILE *f, const struct store_view *v, uint32_t set);
/* The traceability table of these criteria as CSV, with what persons said of objectives. */
void report_trace(FILE *f, const struct store_view *v, struct store *s, uint32_t set);
/* The same as JSON Lines. */
void report_trace_records(FILE *f, const struct store_view *v, struct store *s, uint32_t set);
/* The same as a page; s may be NULL: then verdicts that persons gave are not read. */
void report_trace_page(FILE *f, const struct store_view *v, struct store *s, uint32_t set);
/* Keeps justifications from a file of lines: CRITERION, OBJECTIVE and TEXT, with TABs between them.
 * 0, or -1 with *error (caller frees). */
int report_justify(const struct store_view *v, struct store *s, const char *path, char **error);
/* A header line, then a line per def-use pair: function, variable, definition, use, kind, verdict,
 * evidence; separated by TABs. */
void report_pairs(FILE *f, const struct store_view *v);
/* A header line, then a line per test: number, name, ending; the number of branches it takes, of
 * those that no earlier test takes, of those that no other test takes; likewise for pairs;
 * separated by TABs. */
void report_suite(FILE *f, const struct store_view *v);
/* A header line, then a line per failure: kind, position, function, message, runs, test, inputs;
 * separated by TABs. */
void report_findings(FILE *f, const struct store_view *v);
/* One of these lists as JSON Lines: 'b'ranches, 'p'airs, chec'k's, 't'ests or 'f'indings; see
 * report(1). */
void report_records(FILE *f, const struct store_view *v, char list);
/* Open and infeasible objectives and findings in the format of compiler messages: FILE:LINE:COL:
 * note: ... */
void report_gcc(FILE *f, const struct store_view *v);
/* A summary for a comment on a pull request. */
void report_markdown(FILE *f, const struct store_view *v);
/* Restricts the view to what is on lines changed since a revision, or involves them; runs `git
 * diff` in the working directory. 0, or -1 with *error (caller frees). */
int report_since(struct store_view *v, const char *revision, char **error);
/* A small set of tests that covers everything covered: number and name; the header says whether it
 * is minimal. */
void report_minimal(FILE *f, const struct store_view *v);
/* The sources line by line, with marks for what is not covered. */
void report_annotate(FILE *f, const struct store_view *v);
/* Sources whose flow(5) was made already, with these flags. */
struct report_flow {
	const char *const *file, *const *flag; /* NULL-terminated */
	const char *records;                   /* the file with their flow(5) */
};
/* A self-contained page, DIR/index.html, and beside it DIR/traceability.html. Control flow is read
 * from the sources again (cfg-dump), but for those of `known`, which ends with one without records;
 * NULL: for all. For a view of all sessions, tests are shown as C if its store is given (else
 * NULL). 0, or -1 with *error (caller frees). */
int report_html(const char *dir, const struct store_view *v, struct store *store,
    const struct report_flow *known, char **error);
/* Creates a file that the caller will rename: never opens an existing file or follows a link. NULL
 * with errno. */
FILE *report_new_file(const char *path);
/* A file that is written whole or not at all: it gets its name when it is ended. What is no regular
 * file, such as a pipe or a device, is written to as it is. report_begin_file: NULL with errno.
 * report_end_file frees *temporary; -1 with errno if the file could not be written. */
FILE *report_begin_file(const char *path, char **temporary);
int report_end_file(FILE *f, const char *path, char *temporary);
/* An LCOV tracefile with branch records, as geninfo writes it. */
void report_lcov(FILE *f, const struct store_view *v);
/* Coverage as Cobertura XML; tests as JUnit XML. */
void report_cobertura(FILE *f, const struct store_view *v);
void report_junit(FILE *f, const struct store_view *v);
/* SARIF 2.1.0: failures with the path to them, and outcomes that can never be taken. */
void report_sarif(FILE *f, const struct store_view *v);
/* Tests as a zip archive in Test-Comp's exchange format. 0, or -1 with *error (caller frees). */
int report_testcomp(FILE *f, const struct store_view *v, char **error);
/* Tests in KLEE's format, one per file in the folder `dir`. 0, or -1 with *error (caller frees). */
int report_ktest(const char *dir, const struct store_view *v, char **error);
/* Removes tests from the view, except those of report_minimal and the first for each failure. */
void report_keep_minimal(struct store_view *v);
/* C tests with a Makefile and an index in the folder `dir`, which is created if missing. format:
 * assert (or NULL), cmocka, unity, check or criterion. 0, or -1 with *error (caller frees). */
int report_tests(const char *dir, const struct store_view *v, const char *format, char **error);
/* Likewise for the last session of each question in a store: each in a folder DIR/ENTRY, with a
 * Makefile for all. */
int report_collection(const char *dir, struct store *s, const char *format, char **error);
/* Likewise, other forms of tests: `fill` for each of these sessions, in DIR/ENTRY, or in DIR when
 * there is one; and one archive of all. A session for which `fill` gives REPORT_NONE is left out;
 * where it does for all, so does report_each. Else *error tells of the last, or is NULL. */
enum { REPORT_NONE = 1 }; /* there is nothing to write, and why (*error) */
int report_each(const char *dir, struct store *s,
    int (*fill)(const char *dir, const struct store_view *, char **error), char **error);
int report_testcomp_all(FILE *f, struct store *s, char **error);
/* May duct write to this folder? Yes if it does not exist, contains nothing but CONFIRMED (if
 * `file` is given: has no such file), or has the mark of report_own. 0, or -1 with *error (caller
 * frees). */
int report_may_write(const char *dir, const char *file, char **error);
/* Creates the folder if missing, and marks it as duct's; with `file`, the page's, beside files of
 * others only the page in it. 0, or -1 with *error (caller frees). */
int report_own(const char *dir, const char *file, char **error);
/* The tests' standard inputs, or contents of the only input file, or the memory of their
 * parameters, one per file in the folder `dir`, as a fuzzing corpus. 0, or -1 or REPORT_NONE with
 * *error (caller frees). */
int report_corpus(const char *dir, const struct store_view *v, char **error);

#endif
