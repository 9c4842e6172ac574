/* view: private to lib/store: the functions that read the parts of a view. */
#ifndef DUCT_STORE_VIEW_H
#define DUCT_STORE_VIEW_H

#include "lib/store/db.h"

/* Columns of a function `f` that are equal in two rows if both stand for the same function in two
 * programs. A function whose source could not be read equals no other. */
#define VIEW_SAME "f.name, f.hash, f.source, CASE f.source WHEN '' THEN f.id ELSE 0 END"

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
/* The same, ascending; *all becomes false when the view lacks some. The caller's. */
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
/* view_lists.c: each reads a list of the view. */
void view_failures(struct store *s, struct store_view *v);
void view_limits(struct store *s, struct store_view *v);
void view_needs(struct store *s, struct store_view *v);
void view_places(struct store *s, struct store_view *v); /* checked for faults */
void view_functions(struct store *s, struct store_view *v);
/* Lines of functions; called after view_functions, and adds those that have lines only. */
void view_lines(struct store *s, struct store_view *v);
/* With --assume-needs, needs are assumptions: appends them to the narrowing. */
void view_assume_needs(struct store_view *v);

#endif
