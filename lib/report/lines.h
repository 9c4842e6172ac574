/* lines: private to lib/report: what several reports say in the same words. */
#ifndef DUCT_REPORT_LINES_H
#define DUCT_REPORT_LINES_H

#include "lib/store/store.h"

/* "p:true", "p:case 7", ... */
void side_print(FILE *f, const struct view_objective *o);
const char *verdict_name(enum store_verdict v);
/* Objectives of the condition of objective i: they stand together, from *begin to *end. */
void siblings(const struct store_view *v, size_t i, size_t *begin, size_t *end);
/* Why an objective is not covered, in words. */
void reason_print(FILE *f, const struct store_view *v, size_t i);
/* Text as a field of a table, without what would break it; then a TAB. */
void field_text(FILE *f, const char *s);
void field_print(FILE *f, const char *s);
/* checks.c: totals by kind, as a member of the report's object and as a line. */
void checks_json(FILE *f, const struct store_view *v);
void checks_text(FILE *f, const struct store_view *v);
struct branch_counts { size_t total, covered, infeasible, unknown; };
struct branch_counts branch_counts(const struct store_view *v);
/* covered / (total - infeasible); 1 when nothing can be covered. */
double branch_coverage(const struct branch_counts *c);

#endif
