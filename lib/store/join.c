/* join: joins the shares of one session, each of which ran a part of its paths, to one session. */
#include "lib/store/db.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

/* `joined` has one row: the new session, of how many shares, and whether these ran all paths;
 * `share` the sessions that are joined, by their numbers; `pick` the tests, one for the same
 * inputs, with their new numbers; `ranked` the new numbers of all tests; `tested` the first test of
 * each objective. */
static const char *const tables[] = {
	"CREATE TEMP TABLE IF NOT EXISTS joined (id INTEGER, of INTEGER, whole INTEGER)",
	"CREATE TEMP TABLE IF NOT EXISTS share (session INTEGER PRIMARY KEY, share INTEGER)",
	"CREATE TEMP TABLE IF NOT EXISTS pick (test INTEGER PRIMARY KEY, same TEXT UNIQUE, rank INTEGER)",
	"CREATE TEMP TABLE IF NOT EXISTS ranked (session INTEGER, number INTEGER, rank INTEGER, PRIMARY KEY (session, number))",
	"CREATE TEMP TABLE IF NOT EXISTS tested (kind TEXT, goal INTEGER, rank INTEGER, PRIMARY KEY (kind, goal))",
	"DELETE FROM joined",
	"DELETE FROM share",
	"DELETE FROM pick",
	"DELETE FROM ranked",
	"DELETE FROM tested",
};

/* An objective that every share searched exhaustively, and none covered, is infeasible. */
#define ALL_SAY(column) "whole AND count(*) = of AND min(" column " GLOB '" STORE_SHARE "*')"
#define OBJECTIVES \
	"INSERT INTO objective SELECT joined.id, o.kind, o.goal, CASE WHEN max(verdict = 'covered') THEN 'covered'" \
	" WHEN max(verdict = 'infeasible') OR " ALL_SAY( \
	    "evidence") " THEN 'infeasible' ELSE 'unknown' END," \
	                " CASE WHEN max(verdict = 'covered') THEN coalesce('test ' || rank, max(iif(verdict = 'covered', evidence, NULL)))" \
	                " WHEN max(verdict = 'infeasible') THEN max(iif(verdict = 'infeasible', evidence, NULL))" \
	                " WHEN " ALL_SAY( \
	                    "evidence") " THEN 'exhaustion'" \
	                                " ELSE coalesce(max(iif(evidence GLOB '" STORE_SHARE \
	                                "*', NULL, evidence)), max(evidence)) END, sum(runs)" \
	                                " FROM joined, objective AS o JOIN share USING (session) LEFT JOIN tested ON" \
	                                " tested.kind = o.kind AND tested.goal = o.goal GROUP BY o.kind, o.goal"

static const char *const work[] = {
	"INSERT INTO parameter SELECT joined.id, kind, position, iif(value GLOB 'share=*', 'shares=' || of, value) FROM joined,"
	" parameter WHERE session = (SELECT session FROM share ORDER BY share LIMIT 1)",
	"INSERT INTO pick SELECT test, same, row_number() OVER (ORDER BY place) FROM (SELECT test.id AS test, inputs AS same,"
	" min(share << 32 | number) AS place FROM test JOIN share USING (session) GROUP BY inputs)",
	"INSERT INTO test (session, number, run, origin, ending, message, file, line, status, signal, result, failure, fresh,"
	" output, inputs, branches, pairs, ub, wrote) SELECT joined.id, rank, rank, origin, ending, message, file, line, status,"
	" signal, result, failure, fresh, output, inputs, branches, pairs, ub, wrote FROM joined, pick JOIN test ON test.id = pick.test"
	" ORDER BY rank",
	"INSERT INTO ranked SELECT session, number, rank FROM test JOIN share USING (session) JOIN pick ON same = inputs",
	"INSERT INTO tested SELECT 'branch', value, min(rank) FROM pick JOIN test ON test.id = pick.test, json_each(branches) GROUP BY 2",
	"INSERT INTO tested SELECT 'pair', value, min(rank) FROM pick JOIN test ON test.id = pick.test, json_each(pairs) GROUP BY 2",
	OBJECTIVES,
	"INSERT INTO passed SELECT id, function, json_group_array(json_array(line, runs)) FROM (SELECT joined.id AS id, function,"
	" json_extract(value, '$[0]') AS line, sum(json_extract(value, '$[1]')) AS runs FROM joined, passed JOIN share USING"
	" (session), json_each(lines) GROUP BY function, line ORDER BY function, line) GROUP BY function",
	"INSERT OR IGNORE INTO verdict SELECT question, kind, goal, verdict, evidence, joined.id FROM joined, objective AS o"
	" JOIN session ON o.session = session.id WHERE session.id = joined.id AND evidence = 'exhaustion'",
	"INSERT INTO proof SELECT joined.id, row_number() OVER (ORDER BY share, number), verdicts FROM joined, proof"
	" JOIN share USING (session)",
	"INSERT INTO failure SELECT joined.id, row_number() OVER (ORDER BY min(rank)), kind, file, line, function, message,"
	" min(rank), sum(count) FROM joined, failure AS f JOIN share USING (session) LEFT JOIN ranked ON"
	" ranked.session = f.session AND ranked.number = f.test GROUP BY kind, file, line",
	"INSERT INTO place SELECT joined.id, p.number, kind, function, file, line, col, CASE WHEN max(verdict = 'found') THEN"
	" 'found' WHEN max(verdict = 'safe') OR whole AND count(*) = of AND min(verdict = 'share') THEN 'safe' ELSE 'unknown'"
	" END, coalesce(min(rank), 0), sum(runs) FROM joined, place AS p JOIN share USING (session) LEFT JOIN ranked ON"
	" ranked.session = p.session AND ranked.number = p.test GROUP BY p.number",
	"INSERT INTO target SELECT joined.id, t.number, criterion, name, function, file, line, col, ways, coalesce(min(rank), 0),"
	" sum(runs) FROM joined, target AS t JOIN share USING (session) LEFT JOIN ranked ON ranked.session = t.session AND"
	" ranked.number = t.test GROUP BY t.number",
	"INSERT INTO proved SELECT joined.id, place, target, outcomes, min(verdict), evidence FROM joined, proved JOIN share USING (session)"
	" GROUP BY place, target, outcomes",
	"INSERT INTO lost SELECT joined.id, row_number() OVER (ORDER BY min(share), min(number)), reason, file, line, sum(count)"
	" FROM joined, lost JOIN share USING (session) GROUP BY reason, file, line",
	"INSERT INTO need SELECT joined.id, row_number() OVER (ORDER BY min(share), min(n.number)), kind, name, max(value), function, file,"
	" line, coalesce(min(rank), 0), sum(count) FROM joined, need AS n JOIN share USING (session) LEFT JOIN ranked ON"
	" ranked.session = n.session AND ranked.number = n.test GROUP BY kind, function, file, line",
	"INSERT INTO touched SELECT joined.id, row_number() OVER (ORDER BY min(share), min(number)), kind, name, max(value),"
	" sum(runs) FROM joined, touched JOIN share USING (session) GROUP BY kind, name",
	"INSERT INTO figure SELECT joined.id, name, CASE WHEN name IN ('seconds', 'kept', 'conjuncts_max', 'rounds_max',"
	" 'common', 'pairs') OR name GLOB 'grow *' THEN max(value) WHEN name = 'paths' THEN sum(value) - (SELECT coalesce(sum(value) - max(value), 0) FROM"
	" figure JOIN share USING (session) WHERE name = 'common') ELSE sum(value) END FROM joined, figure"
	" JOIN share USING (session) WHERE name NOT IN ('tree', 'complete', 'given', 'adopted') GROUP BY name",
};

/* Everything that belongs to the session of `joined`. */
static const char *const forget[] = {
#define FORGET(table) "DELETE FROM " table " WHERE session = (SELECT id FROM joined)"
	FORGET("parameter"),
	FORGET("figure"),
	FORGET("objective"),
	FORGET("passed"),
	FORGET("verdict"),
	FORGET("proof"),
	FORGET("failure"),
	FORGET("place"),
	FORGET("target"),
	FORGET("proved"),
	FORGET("lost"),
	FORGET("touched"),
	FORGET("need"),
	FORGET("test"),
	"DELETE FROM session WHERE id = (SELECT id FROM joined)",
};

#define ALL(s, list) store_do_all(s, list, sizeof(list) / sizeof *(list))

/* The sessions that are shares of one session: they have the same question, program and number of
 * shares. */
struct shared_session {
	int64_t question, program, of;
};

/* Chooses for each share the session that is complete, or else the last one. */
static int choose(struct store *s, const struct shared_session *g)
{
	return ALL(s, tables)
	        || store_do(s,
	            "INSERT INTO share SELECT session, share FROM (SELECT session.id AS session,"
	            " CAST(substr(p.value, 7) AS INTEGER) AS share, row_number() OVER (PARTITION BY p.value ORDER BY"
	            " max(exhausted, coalesce(f.value, 0)) DESC, session.id DESC) AS place FROM session"
	            " JOIN parameter AS p ON p.session = session.id AND kind = 'parameter' LEFT JOIN figure AS f ON"
	            " f.session = session.id AND name = 'complete' WHERE question = ?1 AND program = ?2"
	            " AND p.value GLOB 'share=*/' || ?3) WHERE place = 1",
	            "iii", g->question, g->program, g->of)
	    ? -1
	    : 0;
}

/* Did the shares run all paths? Either each share ran its own part of the same tree, including
 * branches that it adopted from others, or one of them ran all paths because there were too few to
 * divide. */
static int judge(struct store *s, const struct shared_session *g, int64_t *whole, int64_t *missing)
{
	return store_get(s, whole, 0,
	           "SELECT max(exhausted) OR count(c.value) = ?1 AND min(c.value) AND min(t.value) = max(t.value)"
	           " AND coalesce(sum(a.value), 0) = coalesce(sum(b.value), 0) FROM share JOIN session ON session.id = share.session"
	           " LEFT JOIN figure AS c ON c.session = session.id AND c.name = 'complete' LEFT JOIN figure AS t ON t.session ="
	           " session.id AND t.name = 'tree' LEFT JOIN figure AS a ON a.session = session.id AND a.name = 'given'"
	           " LEFT JOIN figure AS b ON b.session = session.id AND b.name = 'adopted'",
	           "i", g->of)
	        || store_get(s, missing, 0,
	            "SELECT ?1 - count(*) FROM share JOIN session ON session.id = share.session WHERE ended NOT"
	            " NULL",
	            "i", g->of)
	    ? -1
	    : 0;
}

/* Checks that no share covers what another one proved infeasible. */
static int compare(struct store *s)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT file, line, col, condition FROM objective AS o JOIN share USING (session)"
	    " JOIN branch ON kind = 'branch' AND branch.id = goal GROUP BY branch.id HAVING max(verdict = 'covered') AND max(verdict = 'infeasible')"
	    " UNION ALL SELECT use_file, use_line, use_col, variable FROM objective AS o JOIN share USING (session)"
	    " JOIN pair ON o.kind = 'pair' AND pair.id = goal GROUP BY pair.id HAVING max(verdict = 'covered') AND max(verdict = 'infeasible')",
	    "");

	if (!store_row(s, st))
		return s->error ? -1 : 0;
	return store_fail(s, "%s:%d:%d: `%s` is covered in one share and infeasible in another",
	    store_string(st, 0), sqlite3_column_int(st, 1), sqlite3_column_int(st, 2),
	    store_string(st, 3));
}

/* Adds the joined session, whose beginning is that of the last share, so that joining the same
 * shares again makes the same session. */
static int add_session(struct store *s, const struct shared_session *g)
{
	int64_t whole, missing, old;
	char lost[60] = "";

	if (judge(s, g, &whole, &missing) || compare(s)
	    || store_get(s, &old, 0,
	        "SELECT session.id FROM session JOIN parameter AS p ON p.session = session.id WHERE kind ="
	        " 'parameter' AND p.value = 'shares=' || ? AND question = ? AND program = ? AND started = (SELECT max(started)"
	        " FROM session JOIN share ON session.id = share.session)",
	        "iii", g->of, g->question, g->program)
	    || store_do(s, "INSERT INTO joined VALUES (?, 0, 0)", "i", old) || ALL(s, forget))
		return -1;
	if (missing && !whole)
		snprintf(lost, sizeof lost, "%lld of %lld shares did not end", (long long)missing,
		    (long long)g->of);
	if (store_do(s,
	        "INSERT INTO session (program, question, strategy, search, entry, seed, plan, narrowing, extra, started, ended,"
	        " exhausted) SELECT program, question, strategy, search, entry, seed, plan, narrowing, (SELECT extra FROM"
	        " share JOIN session ON session.id = share.session ORDER BY share LIMIT 1), max(started),"
	        " CASE WHEN ?1 THEN 'exhausted' WHEN ?2 <> '' THEN ?2 ELSE coalesce(max(iif(ended = 'interrupted', ended,"
	        " NULL)), max(iif(ended IN ('exhausted', 'nothing left to try'), NULL, ended)), 'nothing left to try') END,"
	        " ?1 FROM share JOIN session ON session.id = share.session",
	        "it", whole, lost))
		return -1;
	return store_do(s, "UPDATE joined SET id = ?, of = ?, whole = ?", "iii",
	    sqlite3_last_insert_rowid(s->db), g->of, whole);
}

int store_join(struct store *s)
{
	struct shared_session *group = NULL;
	size_t n = 0;
	sqlite3_stmt *st;

	if (store_do(s, "BEGIN IMMEDIATE", ""))
		return -1;
	st = store_sql(s,
	    "SELECT question, program, CAST(substr(value, instr(value, '/') + 1) AS INTEGER) FROM session"
	    " JOIN parameter ON session = id WHERE kind = 'parameter' AND value GLOB 'share=*/*' GROUP BY 1, 2, 3"
	    " ORDER BY max(id)",
	    "");
	for (; store_row(s, st); n++) {
		group = grow_one(group, n, sizeof *group);
		group[n] = (struct shared_session){ sqlite3_column_int64(st, 0),
			sqlite3_column_int64(st, 1), sqlite3_column_int64(st, 2) };
	}
	for (size_t i = 0; i < n && !s->error; i++)
		if (!choose(s, &group[i]) && !add_session(s, &group[i]))
			ALL(s, work);
	free(group);
	if (!s->error)
		return store_do(s, "COMMIT", "");
	sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return -1;
}
