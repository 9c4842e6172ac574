/* lines: private to lib/report: what several reports say in the same words. */
#ifndef DUCT_REPORT_LINES_H
#define DUCT_REPORT_LINES_H

#include "lib/store/store.h"

enum { SUMMARY = 8 };            /* objectives that the summary lists of a kind: it should fit a screen */

/* "p:true", "p:case 7", ... */
void side_print(FILE *f, const struct view_objective *o);
const char *verdict_name(enum store_verdict v);
/* Objectives of the condition of objective i: they stand together, from *begin to *end. */
void siblings(const struct store_view *v, size_t i, size_t *begin, size_t *end);
/* Runs that took any outcome of its condition. */
uint64_t times_reached(const struct store_view *v, size_t i);
/* Files that objectives or code stand in, each once, NULL-terminated; the list is the caller's. */
const char **source_files(const struct store_view *v);
/* Lines of a file that have code, ascending; the caller's. hits: runs. Those that no condition stands on have no outcomes,
 * nor is one counted that is infeasible. */
struct source_line {
	uint32_t number; uint64_t hits; size_t outcomes, taken;
	bool is_code;                /* its runs are known, not only those of its outcomes */
};
struct source_line *source_lines(const struct store_view *v, const char *file, size_t *n);
/* Why an objective is not covered, in words. */
void reason_print(FILE *f, const struct store_view *v, size_t i);
/* The next line of a text, without its end; the caller's. NULL when there is none; a text of NULL has none. */
char *next_line(const char **rest);
/* What was assumed of the inputs, and limits, as remarks at the end of a list. */
void narrowing_lines(FILE *f, const struct store_view *v);
/* Text as a field of a table, without what would break it; then a TAB. */
void field_text(FILE *f, const char *s);
void field_print(FILE *f, const char *s);
/* text.c: "division by zero" for the kind of a failure. */
const char *failure_words(const char *kind);
/* checks.c: totals by kind, as a member of the report's object and as a line. */
void checks_json(FILE *f, const struct store_view *v);
void checks_text(FILE *f, const struct store_view *v);
/* annotate.c: where a source file is, malloc'ed; the file, wherever the session was, or NULL. */
char *source_path(const struct store_view *v, const char *file);
FILE *source_open(const struct store_view *v, const char *file);
/* pairs.c: as a part of the summary; nothing when no pairs were watched. */
void pairs_text(FILE *f, const struct store_view *v);
struct store_totals branch_totals(const struct store_view *v);
struct store_totals pair_totals(const struct store_view *v);
/* Counts one more objective; `hits`: runs of the session that covered it. */
void totals_add(struct store_totals *t, enum store_verdict v, uint64_t hits, const char *evidence);
/* "branches: 3 of 4 covered, ...": a line. */
void totals_line(FILE *f, const char *what, const struct store_totals *t);
/* covered / (total - infeasible); -1 when nothing can be covered: 0 of 0. */
double coverage(const struct store_totals *t);
/* "83.3 %", or "-". */
void coverage_print(FILE *f, const struct store_totals *t);
/* Was it only limits that kept searches from what is unknown? */
bool is_limited(enum store_verdict v, const char *evidence);

#endif
