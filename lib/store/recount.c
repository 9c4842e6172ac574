/* recount: compares the coverage of a session with clang's counts of the session's tests on the
 * untouched program. Clang counts outcomes of conditions; of a pair, the code regions of definition
 * and use must have run. */
#include "lib/base/grow.h"
#include "lib/limits/limits.h"
#include "lib/store/db.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Clang's branches and segments, and the covered objectives with clang's count: NULL where it has
 * none. */
static const char *const tables[] = {
	"CREATE TEMP TABLE IF NOT EXISTS counted (file, line, col, yes, no,"
	" PRIMARY KEY (file, line, col)) WITHOUT ROWID",
	"CREATE TEMP TABLE IF NOT EXISTS region (file, line, col, count,"
	" PRIMARY KEY (file, line, col)) WITHOUT ROWID",
	"CREATE TEMP TABLE IF NOT EXISTS recounted (aim INTEGER, id INTEGER, count INTEGER)",
	"DELETE FROM counted",
	"DELETE FROM region",
	"DELETE FROM recounted",
};

/* A place in the definition of a macro gets the sum of the counts of all uses. */
static const char branches_sql[] =
    "INSERT INTO counted SELECT real_path(n.value, ''), b.value ->> 0 AS line, b.value ->> 1 AS col,"
    " max(b.value ->> 4), max(b.value ->> 5) FROM json_each(?1, '$.data[0].functions') AS f"
    " CROSS JOIN json_each(f.value, '$.filenames') AS n CROSS JOIN json_each(f.value, '$.branches') AS b"
    " WHERE b.value ->> 6 = n.key GROUP BY 1, 2, 3";
/* MATERIALIZED: the JSON of a file is parsed once, not for each of its segments. */
static const char regions_sql[] =
    "WITH f AS MATERIALIZED (SELECT value, real_path(value ->> '$.filename', '') AS name"
    " FROM json_each(?1, '$.data[0].files'))"
    " INSERT OR REPLACE INTO region SELECT name, r.value ->> 0, r.value ->> 1,"
    " CASE WHEN r.value ->> 3 THEN r.value ->> 2 END FROM f CROSS JOIN json_each(f.value, '$.segments') AS r";

/* A switch without a default has no count of its own; the count at its place is that of the
 * condition. */
static const char outcomes_sql[] =
    "INSERT INTO recounted SELECT 0, b.id, (SELECT CASE b.side WHEN 'false' THEN no ELSE yes END"
    "  FROM counted AS c WHERE c.file = real_path(b.region_file, ?2) AND c.line = b.region_line AND c.col = b.region_col"
    "  AND (b.side <> 'default' OR NOT EXISTS (SELECT 1 FROM branch AS o WHERE o.function = b.function"
    "   AND o.region_line = b.region_line AND o.region_col = b.region_col AND o.side IN ('true', 'false'))))"
    " FROM objective AS o JOIN branch AS b ON o.kind = 'branch' AND b.id = goal"
    " WHERE session = ?1 AND verdict = 'covered' AND evidence NOT LIKE '" STORE_SUITE "%'";

#define COUNT_OF(at) \
	"(SELECT count FROM region AS r WHERE r.file = real_path(p." at \
	"_file, ?2) AND (r.line, r.col) <= (p." at "_line, p." at \
	"_col) ORDER BY r.line DESC, r.col DESC LIMIT 1)"
/* The condition that a use decides is the nearest one that begins before the use. */
#define OUTCOME_OF \
	"(SELECT count FROM branch AS b JOIN recounted ON aim = 0 AND recounted.id = b.id" \
	" WHERE 'p:' || b.side = p.kind AND b.file = p.use_file AND (b.line, b.col) <= (p.use_line, p.use_col)" \
	" ORDER BY b.line DESC, b.col DESC LIMIT 1)"
static const char pairs_sql[] = "INSERT INTO recounted SELECT 1, p.id, CASE WHEN " COUNT_OF(
    "def") " = 0 OR " OUTCOME_OF
           " = 0 THEN 0 ELSE " COUNT_OF(
               "use") " END FROM objective AS o JOIN pair AS p ON o.kind = 'pair' AND p.id = goal"
                      " WHERE o.session = ?1 AND o.verdict = 'covered' AND o.evidence NOT LIKE '" STORE_SUITE
                      "%'";

/* real_path(name, folder): the file that a relative name denotes in that folder; the name itself if
 * there is none. */
static void real_path(sqlite3_context *c, int n, sqlite3_value **arg)
{
	const char *name = (const char *)sqlite3_value_text(arg[0]),
	           *folder = (const char *)sqlite3_value_text(arg[1]);
	char *whole = NULL, *path;

	(void)n;
	if (!name || !folder)
		return;
	if (*name != '/')
		whole = formatted("%s/%s", folder, name);
	path = realpath(whole ? whole : name, NULL);
	sqlite3_result_text(c, path ? path : name, -1, SQLITE_TRANSIENT);
	free(path);
	free(whole);
}

static int add_function(struct store *s)
{
	int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;

	if (sqlite3_create_function(s->db, "real_path", 2, flags, NULL, real_path, NULL, NULL))
		return store_fail(s, "%s", sqlite3_errmsg(s->db));
	return 0;
}

/* The folder that the session's file names are relative to. */
static char *directory_of(struct store *s, int64_t session)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT value FROM parameter WHERE session = ? AND kind = 'directory'", "i", session);
	char *text = copied(store_row(s, st) ? store_string(st, 0) : ".");

	if (st)
		sqlite3_reset(st);
	return text;
}

static int count(struct store *s, struct store_recount *out)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT aim, sum(count > 0), sum(count = 0), sum(count IS NULL) FROM recounted GROUP BY aim",
	    "");

	*out = (struct store_recount){ 0 };
	while (store_row(s, st)) {
		int aim = sqlite3_column_int(st, 0);
		out->taken[aim] = (size_t)sqlite3_column_int64(st, 1);
		out->missed[aim] = (size_t)sqlite3_column_int64(st, 2);
		out->unmeasured[aim] = (size_t)sqlite3_column_int64(st, 3);
	}
	return store_error(s) ? -1 : 0;
}

/* Objectives with count 0 become unknown and lose verdicts that were kept for later sessions. */
#define MISSED(aim) "(SELECT id FROM recounted WHERE aim = " aim " AND count = 0)"
#define WITHDRAW(aim, kind, covers) \
	"UPDATE objective SET verdict = 'unknown', evidence = '" STORE_RECOUNT \
	"' WHERE session = ?1 AND kind = '" kind "' AND goal IN " MISSED(aim), \
	    "DELETE FROM verdict WHERE verdict = 'covered' AND question =" \
	    " (SELECT question FROM session WHERE id = ?1) AND kind = '" kind \
	    "' AND goal IN " MISSED(aim), \
	    "UPDATE test SET " covers " = (SELECT coalesce(json_group_array(value), '[]')" \
	    " FROM json_each(" covers ") WHERE value NOT IN " MISSED(aim) ") WHERE session = ?1"

static int withdraw(struct store *s, int64_t session)
{
	static const char *const sql[] = {
		WITHDRAW("0", "branch", "branches"),
		WITHDRAW("1", "pair", "pairs"),
	};
	int rc = 0;

	for (size_t i = 0; !rc && i < sizeof sql / sizeof *sql; i++)
		rc = store_do(s, sql[i], "i", session);
	return rc;
}

static int recount(struct store *s, int64_t session, const char *counts, struct store_recount *out)
{
	char *folder = directory_of(s, session);
	int rc = store_do_all(s, tables, sizeof tables / sizeof *tables) ? -1 : 0;

	rc = rc ? rc : store_do(s, branches_sql, "t", counts);
	rc = rc ? rc : store_do(s, regions_sql, "t", counts);
	rc = rc ? rc : store_do(s, outcomes_sql, "it", session, folder);
	rc = rc ? rc : store_do(s, pairs_sql, "it", session, folder);
	rc = rc ? rc : count(s, out);
	free(folder);
	return rc ? rc : withdraw(s, session);
}

int store_recount(struct store *s, int64_t session, const char *counts, struct store_recount *out)
{
	int rc = add_function(s);

	if (rc || (rc = store_do(s, "BEGIN IMMEDIATE", "")))
		return rc;
	rc = recount(s, session, counts, out);
	return store_do(s, rc ? "ROLLBACK" : "COMMIT", "") || rc ? -1 : 0;
}

bool store_is_doubtful(struct store *s, int64_t session)
{
	int64_t marked = 0;
	bool doubtful;

	store_get(s, &marked, 0, "SELECT count(*) FROM test WHERE session = ? AND ub IS NOT NULL",
	    "i", session);
	doubtful = marked > 0;
	sqlite3_stmt *st = store_sql(s, "SELECT kind FROM touched WHERE session = ?", "i", session);
	while (store_row(s, st))
		doubtful |= limit_is_doubt(store_string(st, 0));
	return doubtful;
}

char **store_missed(struct store *s)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT b.file || ':' || b.line || ':' || b.col || ' ' || b.side || ': ' || b.condition"
	    " FROM recounted JOIN branch AS b ON b.id = recounted.id WHERE aim = 0 AND count = 0"
	    " ORDER BY b.file, b.line, b.col",
	    "");
	char **list = grow_one(NULL, 0, sizeof *list);
	size_t n = 0;

	while (store_row(s, st)) {
		list[n++] = copied(store_string(st, 0));
		list = grow_one(list, n, sizeof *list);
	}
	return list;
}
