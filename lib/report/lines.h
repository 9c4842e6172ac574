/* lines: private to lib/report: wording shared by several reports. */
#ifndef DUCT_REPORT_LINES_H
#define DUCT_REPORT_LINES_H

#include "lib/criteria/criteria.h"

enum { /* maximum entries of each kind in the summary, which should fit
	  on a screen */
	SUMMARY = 8,
	SUMMARY_INFEASIBLE = 3,
};

/* "p:true", "p:case 7", ...; side_text: caller frees. */
char *side_text(const struct view_objective *o);
void side_print(FILE *f, const struct view_objective *o);
const char *verdict_name(enum store_verdict v);
/* Files with objectives or code, each once, NULL-terminated. Caller frees the list, not the
 * names. */
const char **source_files(const struct store_view *v);
/* Lines of a file with code, ascending; caller frees. hits: runs. Lines without conditions have no
 * outcomes; infeasible outcomes are not counted. */
struct source_line {
	uint32_t number;
	uint64_t hits;
	size_t outcomes, taken;
	bool is_code; /* its number of runs is known, not only that of its
	                 outcomes */
};
struct source_line *source_lines(const struct store_view *v, const char *file, size_t *n);
/* The next line of a text without its newline; caller frees. NULL at the end, or if the text is
 * NULL. */
char *next_line(const char **rest);
/* Assumptions about the inputs, and limits, as remarks at the end of a list. */
void narrowing_lines(FILE *f, const struct store_view *v);
/* Text as a table field, with TABs and newlines replaced; field_print adds a TAB. */
void field_text(FILE *f, const char *s);
void field_print(FILE *f, const char *s);
/* Was it recorded of a suite? Then it has no inputs. */
bool test_of_suite(const struct view_test *t);
/* tests_table.c: which tests are in a minimal set; caller frees. *n: how many; *least: no smaller
 * set exists. */
bool *tests_choose(const struct store_view *v, size_t *n, bool *least);
/* text.c: "assertion failed" for the kind of a failure. */
const char *failure_words(const char *kind);
/* A line for a failure, and one for its first inputs, and how to see the others, of a store or
 * (NULL) of this session. */
void failure_print(
    FILE *f, const struct store_view *v, const struct view_failure *x, const char *store);
/* Counters of the work done, for --stats. */
void counters_text(FILE *f, const struct store_view *v);
/* Is it an error of duct? */
bool lost_is_error(const struct view_lost *x);
/* Lines for these. */
void lost_errors(FILE *f, const struct store_view *v);
/* checks.c: totals by fault kind, as a member of the JSON object and as a line. */
void checks_json(FILE *f, const struct store_view *v);
void checks_text(FILE *f, const struct store_view *v);
/* criteria.c: criteria beside branches and pairs that the session or the report was asked for,
 * errors and labels always; parts of the summary for those that have objectives. */
uint32_t criteria_asked(const struct store_view *v);
struct store_totals criterion_count(const struct store_view *v, unsigned criterion);
/* A line with its totals, or, where it was asked for by name, that there is nothing. */
void criterion_line(
    FILE *f, const struct store_view *v, unsigned criterion, const struct store_totals *t);
/* Calls `visit` for the objectives of all criteria in the set. */
void criteria_visit(const struct store_view *v, uint32_t set,
    void (*visit)(void *to, unsigned criterion, const struct criterion_item *), void *to);
/* A sentence: the objective, and why it is not covered. */
void criterion_sentence(FILE *f, unsigned criterion, const struct criterion_item *o);
void criteria_text_parts(FILE *f, const struct store_view *v);
/* annotate.c: where a source file is, malloc'ed; the file, wherever the session was, or NULL. */
char *source_path(const struct store_view *v, const char *file);
FILE *source_open(const struct store_view *v, const char *file);
/* A line such as "branches: 3 of 4 covered, ...". */
void totals_line(FILE *f, const char *what, const struct store_totals *t);
/* covered / (total - infeasible); -1 for 0 of 0. */
double coverage(const struct store_totals *t);
/* "83.3 %", or "-". */
void coverage_print(FILE *f, const struct store_totals *t);

#endif
