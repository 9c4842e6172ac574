/* view: private to lib/store: the parts of a view, each read by a file. */
#ifndef DUCT_STORE_VIEW_H
#define DUCT_STORE_VIEW_H

#include "lib/store/db.h"

/* A copy of a column's text; NULL if the column is NULL. */
char *view_text_or_null(sqlite3_stmt *st, int col);
/* The same; "" if the column is NULL, as only in a damaged store. */
char *view_text(sqlite3_stmt *st, int col);
uint32_t view_small(sqlite3_stmt *st, int col);

/* Where the objectives with some ids are in the view, by id. */
struct place_of {
	int64_t id;
	size_t at;
};
struct places {
	struct place_of *at;
	size_t n;
};
/* The places of a JSON list of ids, each once and in the list's order; those that the view lacks
 * are left out. The caller's. */
size_t *view_listed(const struct places *places, const char *json, size_t *n);
/* The same, ascending; those that the view lacks are left out,
 * and *all is false. The caller's. */
size_t *view_placed(const struct places *places, const char *json, size_t *n, bool *all);

/* view_objectives.c: reads outcomes and pairs, with the findings of the view's sessions. The result
 * belongs to the caller. */
struct places view_objectives(struct store *s, struct store_view *v);
struct places view_pairs(struct store *s, struct store_view *v);
/* view_tests.c: reads the tests, and sets the first test of each outcome and pair; called after
 * view_objectives and view_pairs. */
void view_tests(
    struct store *s, struct store_view *v, const struct places *branch, const struct places *pair);
void view_free_test(struct view_test *t);
/* view_targets.c: targets of criteria, evaluations of decisions, conditions at instructions. */
void view_targets(struct store *s, struct store_view *v, const struct places *branch);
void view_evaluations(struct store *s, struct store_view *v, const struct places *branch);
void view_conditions(struct store *s, struct store_view *v);

#endif
