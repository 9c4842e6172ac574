/* report: what a session found out, for people and for programs. Everything is made from
 * a view of the store (store_view), so that it is the same in the session and afterwards.
 * The functions that write to a FILE leave its errors to the caller. */
#ifndef DUCT_REPORT_H
#define DUCT_REPORT_H

#include "lib/store/store.h"

/* Puts what a person assumed (--assume, --range, --init, --stub) behind the evidence of all that is infeasible: call
 * it first. */
void report_qualify(struct store_view *v);
/* The summary for people; `out` is the folder that got the tests, or NULL. */
void report_text(FILE *f, const struct store_view *v, const char *out);
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
/* Few tests that cover what all do: number and name; the head says whether there are none fewer. */
void report_minimal(FILE *f, const struct store_view *v);
/* The sources line by line, with what is not covered. */
void report_annotate(FILE *f, const struct store_view *v);
/* One page, DIR/index.html, that needs nothing else. 0, or -1 with *error (caller frees). */
int report_html(const char *dir, const struct store_view *v, char **error);
/* Tracefile with branch records, as geninfo writes it. */
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
/* The tests' standard inputs, or contents of the one file that is an input, each a file of the
 * folder `dir`, as fuzzers keep them. 0, or -1 with *error (caller frees). */
int report_corpus(const char *dir, const struct store_view *v, char **error);

#endif
