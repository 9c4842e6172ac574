/* questions: finds the sessions that answer the questions of a store. */
#include "lib/store/db.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

int64_t *store_questions(struct store *s, size_t *n)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT max(id) FROM session WHERE strategy <> 'cover' AND " STORE_CURRENT
	    " AND " STORE_WHOLE " GROUP BY question ORDER BY 1",
	    "");
	int64_t *list = grow_one(NULL, 0, sizeof *list);

	for (*n = 0; store_row(s, st); list = grow_one(list, *n, sizeof *list))
		list[(*n)++] = sqlite3_column_int64(st, 0);
	return list;
}

char *store_entry(struct store *s, int64_t session)
{
	sqlite3_stmt *st = store_sql(s, "SELECT entry FROM session WHERE id = ?", "i", session);
	char *text = store_row(s, st) ? copied(store_string(st, 0)) : NULL;

	if (st)
		sqlite3_reset(st);
	return text;
}

bool store_was_entry(struct store *s, const char *entry)
{
	int64_t n;

	return !store_get(s, &n, 0,
	           "SELECT count(*) FROM session WHERE strategy <> 'cover' AND entry = ? AND " STORE_CURRENT,
	           "t", entry)
	    && n;
}

bool store_has_suite(struct store *s)
{
	int64_t n;

	return !store_get(s, &n, 0, "SELECT count(*) FROM session WHERE strategy = 'cover'", "")
	    && n;
}

int64_t store_everything(struct store *s)
{
	int64_t n, last;

	if (store_get(
	        s, &n, 0, "SELECT count(DISTINCT question) FROM session WHERE " STORE_CURRENT, "")
	    || store_get(s, &last, 0,
	        "SELECT coalesce(max(id), 0) FROM session WHERE " STORE_CURRENT " AND " STORE_WHOLE,
	        ""))
		return 0;
	return n < 2 ? last : STORE_ALL;
}

bool store_each_open(struct store *s,
    void (*each)(void *, const char *name, int64_t open, int64_t decided), void *data)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT name, sum(open), sum(NOT open) FROM ("
	    " SELECT f.name AS name, min(o.verdict = 'unknown') AS open FROM objective o"
	    "  JOIN branch b ON o.kind = 'branch' AND b.id = o.goal JOIN function f ON f.id = b.function"
	    "  GROUP BY f.name, f.hash, b.number, b.side, b.value"
	    " UNION ALL"
	    " SELECT f.name, min(o.verdict = 'unknown') FROM objective o"
	    "  JOIN pair p ON o.kind = 'pair' AND p.id = o.goal JOIN function f ON f.id = p.function"
	    "  GROUP BY f.name, f.hash, p.key)"
	    " GROUP BY name",
	    "");

	while (store_row(s, st))
		each(data, (const char *)sqlite3_column_text(st, 0), sqlite3_column_int64(st, 1),
		    sqlite3_column_int64(st, 2));
	return !store_error(s);
}
