/* aims: outcomes of conditions and def-use pairs as two kinds of one objective: what reports say of
 * both in the same way. Private to lib/report. */
#ifndef DUCT_REPORT_AIMS_H
#define DUCT_REPORT_AIMS_H

#include "lib/store/store.h"

struct objective {
	enum store_aim kind;
	size_t i; /* its index in the view, among those of its kind */
	const char *function, *file;
	uint32_t line, col; /* of the condition; of a pair's use */
	enum store_verdict verdict;
	uint64_t hits;
	char **evidence; /* in the view */
};

/* How reports name a kind: as the heading of totals and the option that lists its objectives
 * ("branches"), as the title of a row ("outcomes of conditions"), one of them ("outcome"). */
struct aim_kind {
	const char *name, *title, *one;
};
extern const struct aim_kind aim_kinds[STORE_AIMS];

size_t aims_count(const struct store_view *v, enum store_aim kind);
struct objective aim_at(const struct store_view *v, enum store_aim kind, size_t i);
/* All objectives of the view, branches before pairs; caller frees. */
struct objective *aims_all(const struct store_view *v, size_t *n);
/* Compares for qsort: by file and line, at one line branches before pairs. */
int aims_by_line(const void *a, const void *b);
/* By file, line and column. */
int aims_by_place(const void *a, const void *b);

struct store_totals aims_totals(const struct store_view *v, enum store_aim kind);

/* The objective with its place: "a.c:3:5 p:true of `x`", "n a.c:1:2 -> a.c:3:5 c"; caller frees. */
char *aim_text(const struct store_view *v, const struct objective *a);
/* The same without columns, for an example; caller frees. */
char *aim_example(const struct store_view *v, const struct objective *a);
/* Whether runs reached its condition: the first part of why it is not covered; "" for pairs and
 * infeasible outcomes; caller frees. */
char *aim_reached(const struct store_view *v, const struct objective *a);
/* The second part: the evidence, or why there is none. */
const char *aim_reason(const struct store_view *v, const struct objective *a);

/* A section of the summary: totals, then what is open or infeasible. Nothing for pairs if they were
 * not tracked. */
void aims_text(FILE *f, const struct store_view *v, enum store_aim kind);
/* Of pairs of which only some are listed, how many others there are; after `before`. */
void aims_unlisted(FILE *f, const struct store_view *v, const char *before);

#endif
