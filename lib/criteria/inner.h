/* inner: private to lib/criteria. */
#ifndef DUCT_CRITERIA_INNER_H
#define DUCT_CRITERIA_INNER_H

#include "lib/criteria/criteria.h"

/* One more objective, of which nothing is known. */
struct criterion_item *criteria_add(
    struct criterion_list *l, const char *function, const char *file, uint32_t line, uint32_t col);
/* Of objective i of the view. Malloc'ed. */
char *criteria_evidence(const struct store_view *v, size_t i);

/* A decision: conditions joined by && and ||. Objectives of condition k stand at first[k] (true)
 * and first[k] + 1 (false). */
enum { MOST_CONDITIONS = 60 };
struct decision {
	size_t first[MOST_CONDITIONS];
	size_t conditions;
};
/* The decision whose first objective is i; false: none begins there. */
bool decision_at(const struct store_view *v, size_t i, struct decision *d);
/* The condition of the decision that is evaluated after the outcome (0: true, 1: false) of
 * condition k; -1, -2: then the decision is true, false. */
int decision_next(const struct store_view *v, const struct decision *d, size_t k, unsigned outcome);

/* One evaluation: which conditions were evaluated, which of them were true, and what the decision
 * was. */
struct vector {
	uint64_t evaluated, values;
	bool result;
	uint64_t test;
};
struct vectors {
	struct vector *at;
	size_t n;
};
/* Those that tests are known to have made, each once with its first test; the caller frees them.
 * *all: they have made no others. */
struct vectors vectors_seen(const struct store_view *v, const struct decision *d, bool *all);

/* A pair as an objective. */
void criteria_add_pair(struct criterion_list *l, const struct view_pair *p);
void uses_list(const struct store_view *v, struct criterion_list *l, enum criterion c);
void data_coupling_list(const struct store_view *v, struct criterion_list *l, enum criterion c);

void mcdc_list(const struct store_view *v, struct criterion_list *l, enum criterion c);
void decision_list(const struct store_view *v, struct criterion_list *l, enum criterion c);

#endif
