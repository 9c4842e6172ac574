/* report: what a session found out, for people and for programs. Everything is made from
 * a view of the store (store_view), so that it is the same in the session and afterwards.
 * The functions that write to a FILE leave its errors to the caller. */
#ifndef DUCT_REPORT_H
#define DUCT_REPORT_H

#include "lib/store/store.h"

/* Puts what a person assumed (--assume, --range, --init, --stub) behind the evidence of all that is infeasible: call
 * it first. */
void report_qualify(struct store_view *v);
/* Turns evidence into sentences, for what people read: call it after report_qualify, and not for tables and JSON. */
void report_explain(struct store_view *v);
/* The summary for people: the result first. */
struct report_style {
	const char *out;             /* folder that got the tests, or NULL */
	const char *store;           /* for the commands that are suggested, or NULL */
	bool stats;                  /* counters of runs, queries and CPU time, too */
	bool brief;                  /* neither what was asked nor what can be done next */
};
void report_text(FILE *f, const struct store_view *v, const struct report_style *style);
/* Does the view hold what --fail-under (percent of branches that are not infeasible; 0: nothing is asked) and --fail-on
 * ("finding", "unknown" or NULL) ask for? If not, *why says what is missing; the caller's. */
bool report_holds(const struct store_view *v, double fail_under, const char *fail_on, char **why);
/* One JSON object, see duct(7). */
void report_json(FILE *f, const struct store_view *v);
/* A header line, then a line an objective: function, condition, its number in the function,
 * position, side, verdict, evidence; separated by TABs. */
void report_branches(FILE *f, const struct store_view *v);
/* A header line, then a line a place where a fault was looked for: function, kind, position,
 * verdict, evidence; separated by TABs. */
void report_checks(FILE *f, const struct store_view *v);
/* The same for def-use pairs: function, variable, definition, use, kind, verdict, evidence. */
void report_pairs(FILE *f, const struct store_view *v);
/* A header line, then a line a test: number, name, ending; how many branches it takes, how many that none
 * before it takes, how many that no other takes; the same of pairs; separated by TABs. */
void report_suite(FILE *f, const struct store_view *v);
/* The same for failures: kind, position, function, message, runs, test, inputs. */
void report_findings(FILE *f, const struct store_view *v);
/* One of these lists as JSON Lines: 'b'ranches, 'p'airs, chec'k's, 't'ests or 'f'indings; see report(1). */
void report_records(FILE *f, const struct store_view *v, char list);
/* What is open, infeasible or a finding as a compiler's messages: FILE:LINE:COL: note: ... */
void report_gcc(FILE *f, const struct store_view *v);
/* A summary for a comment on a change. */
void report_markdown(FILE *f, const struct store_view *v);
/* Leaves only what stands on lines that are new since a revision, or touches them: `git diff` is asked in the working
 * directory. 0, or -1 with *error (caller frees). */
int report_since(struct store_view *v, const char *revision, char **error);
/* Few tests that cover what all do: number and name; the head says whether there are none fewer. */
void report_minimal(FILE *f, const struct store_view *v);
/* The sources line by line, with what is not covered. */
void report_annotate(FILE *f, const struct store_view *v);
/* One page, DIR/index.html, that needs nothing else. Control flow is read from the sources again (cfg-dump); of a view of
 * all sessions the C of tests is shown when its store is given, else NULL. 0, or -1 with *error (caller frees). */
int report_html(const char *dir, const struct store_view *v, struct store *store, char **error);
/* Tracefile with branch records, as geninfo writes it. */
/* A new file to write to, which is renamed later: never one that is there, nor where a link leads. NULL with errno. */
FILE *report_new_file(const char *path);
void report_lcov(FILE *f, const struct store_view *v);
/* Coverage as Cobertura's XML; tests as JUnit's. */
void report_cobertura(FILE *f, const struct store_view *v);
void report_junit(FILE *f, const struct store_view *v);
/* Failures, with the way to them, and what can never be taken, as SARIF 2.1.0. */
void report_sarif(FILE *f, const struct store_view *v);
/* Tests in Test-Comp's exchange format, a zip archive. 0, or -1 with *error (caller frees). */
int report_testcomp(FILE *f, const struct store_view *v, char **error);
/* Tests in KLEE's format, each a file of the folder `dir`. 0, or -1 with *error (caller frees). */
int report_ktest(const char *dir, const struct store_view *v, char **error);
/* Takes the tests out of the view that neither report_minimal names nor show a failure first. */
void report_keep_minimal(struct store_view *v);
/* C tests with a Makefile and an index, in the folder `dir`, which is made when missing; `format`: assert (also NULL),
 * cmocka, unity, check or criterion. 0, or -1 with *error (caller frees). */
int report_tests(const char *dir, const struct store_view *v, const char *format, char **error);
/* The same for the last session of each question of a store: each in a folder of its own, DIR/ENTRY, with a Makefile for
 * all. */
int report_collection(const char *dir, struct store *s, const char *format, char **error);
/* May duct write to this folder? It may when it is not there, holds nothing but CONFIRMED (with `file`: when it has no
 * such file), or carries the mark that report_own leaves. 0, or -1 with *error (caller frees). */
int report_may_write(const char *dir, const char *file, char **error);
/* Makes the folder when it is missing, and marks it as duct's. 0, or -1 with *error (caller frees). */
int report_own(const char *dir, char **error);
/* The tests' standard inputs, or contents of the one file that is an input, each a file of the
 * folder `dir`, as fuzzers keep them. 0, or -1 with *error (caller frees). */
int report_corpus(const char *dir, const struct store_view *v, char **error);

#endif
