/* criteria: what coverage criteria ask for, from what a view of a store tells: each objective with
 * its verdict and its evidence. Every criterion is one enumeration here; all are made of the same
 * facts, which outcomes of conditions a test takes, which lines it passes and which targets it
 * comes to. */
#ifndef DUCT_CRITERIA_H
#define DUCT_CRITERIA_H

#include "lib/protocol/criterion.h"
#include "lib/store/store.h"

struct criterion_item {
	char *name; /* the same in every session while the function keeps its conditions */
	char *text;
	char *evidence; /* "test 3", "tests 1 and 4", why it is infeasible or open; "" where the
	                   view does not tell which run covers it */
	const char *function, *file; /* the view's */
	uint32_t line, col;
	enum store_verdict verdict;
	uint64_t test, other; /* the first tests that show it; 0 none */
};
struct criterion_list {
	struct criterion_item *at;
	size_t n;
};

/* The objectives of a criterion in the order of the program; free with criterion_free. */
struct criterion_list criterion_list(const struct store_view *v, enum criterion c);
void criterion_free(struct criterion_list *l);
struct store_totals criterion_totals(const struct criterion_list *l);

/* reasons.c */
/* The objectives of objective i's condition, which are consecutive: *begin to *end. */
void criterion_siblings(const struct store_view *v, size_t i, size_t *begin, size_t *end);
/* Runs that took any outcome of objective i's condition. */
uint64_t criterion_reached(const struct store_view *v, size_t i);
/* Why an objective is not covered. */
void reason_print(FILE *f, const struct store_view *v, size_t i);
/* Its parts: whether runs reached the condition ("" for infeasible ones; caller frees), and the
 * evidence. */
char *reason_reached(const struct store_view *v, size_t i);
const char *reason_evidence(const struct view_objective *o);
/* The text that replaces `reached` where reasons of several objectives are told as one. */
const char *reason_common(const char *reached);
/* The evidence of a pair: also why it is unknown where no session was asked. */
const char *reason_pair(const struct view_pair *p);
/* Is the objective unknown only because of limits? */
bool reason_is_limited(enum store_verdict v, const char *evidence);

#endif
