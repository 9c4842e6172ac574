/* suites: adopts results of recorded suites for other sessions. */
#include "lib/store/db.h"

#include <stdlib.h>
#include <string.h>

static bool same_file(const char *a, const char *b)
{
	const char *x = strrchr(a, '/'), *y = strrchr(b, '/');

	return !strcmp(x ? x + 1 : a, y ? y + 1 : b);
}

/* SQL: same_file(unit, unit) */
static void sql_same_file(sqlite3_context *context, int n, sqlite3_value **value)
{
	const char *a = (const char *)sqlite3_value_text(value[0]),
	           *b = (const char *)sqlite3_value_text(value[1]);

	sqlite3_result_int(context, n == 2 && a && b && same_file(a, b));
}

/* SQL: functions f of this session's program that are the same as functions g of suites. CROSS JOIN
 * fixes the order, so that the objectives of copies of a function in other files, such as tests
 * that include its file, are not read. */
#define SAME_FUNCTION \
	" FROM function AS f CROSS JOIN function AS g ON g.name = f.name AND g.hash = f.hash" \
	" AND g.source = f.source AND f.source <> '' AND same_file(f.unit, g.unit)"

static size_t take_over(struct store *s, enum store_aim aim, sqlite3_stmt *st)
{
	struct known_set *k = &s->known[aim];
	struct objective_state **sorted = known_sorted(k);
	size_t taken = 0;

	while (store_row(s, st))
		taken +=
		    known_take_over(k, sorted, sqlite3_column_int64(st, 0), store_string(st, 1));
	free(sorted);
	return taken;
}

/* Has the store no recorded suite, so that the joins can be skipped? */
static bool has_no_suites(struct store *s)
{
	int64_t any;

	return store_get(
	           s, &any, 0, "SELECT EXISTS (SELECT 1 FROM session WHERE strategy = 'cover')", "")
	    || !any;
}

size_t store_suites(struct store *s)
{
	size_t taken;

	if (!s->session || s->alone || has_no_suites(s))
		return 0;
	if (sqlite3_create_function(s->db, "same_file", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
	        sql_same_file, NULL, NULL)) {
		store_fail(s, "%s", sqlite3_errmsg(s->db));
		return 0;
	}
	taken = take_over(s, STORE_BRANCHES,
	    store_sql(s,
	        "SELECT mine.id, evidence" SAME_FUNCTION
	        " CROSS JOIN branch AS mine ON mine.function = f.id"
	        " CROSS JOIN branch AS theirs ON theirs.function = g.id AND theirs.number = mine.number"
	        " AND theirs.side = mine.side AND theirs.value IS mine.value"
	        " CROSS JOIN session ON strategy = 'cover'"
	        " CROSS JOIN objective AS o ON o.session = session.id AND o.kind = 'branch' AND goal = theirs.id AND verdict = 'covered'"
	        " WHERE f.program = ? ORDER BY mine.id",
	        "i", s->program));
	return taken
	    + take_over(s, STORE_PAIRS,
	        store_sql(s,
	            "SELECT mine.id, evidence" SAME_FUNCTION
	            " CROSS JOIN pair AS mine ON mine.function = f.id"
	            " CROSS JOIN pair AS theirs ON theirs.function = g.id AND theirs.key = mine.key AND theirs.rules = mine.rules"
	            " CROSS JOIN session ON strategy = 'cover'"
	            " CROSS JOIN objective AS o ON o.session = session.id AND o.kind = 'pair' AND goal = theirs.id AND verdict = 'covered'"
	            " WHERE f.program = ? ORDER BY mine.id",
	            "i", s->program));
}
