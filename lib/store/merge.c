/* merge: joins all sessions of several stores in one store, independently of the order of the
 * stores. Sessions are the same if they asked the same question at the same time; they are ordered
 * by their beginnings. */
#include "lib/store/db.h"
#include "lib/base/grow.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Temporary tables. source: the stores; met: their sessions, except joined ones, which are made
 * again; taken: one of each session, with its new number; at: the current session; from these
 * three, old and new rows of functions, branches and pairs. */
static const char *const tables[] = {
	"CREATE TEMP TABLE source (id INTEGER PRIMARY KEY, path TEXT)",
	"CREATE TEMP TABLE met (source INTEGER, old INTEGER, same TEXT, started REAL, ended INTEGER, runs INTEGER)",
	"CREATE TEMP TABLE taken (id INTEGER PRIMARY KEY, source INTEGER, old INTEGER)",
	"CREATE TEMP TABLE at (id INTEGER, source INTEGER, old INTEGER)",
	"CREATE TEMP TABLE function_of (old INTEGER PRIMARY KEY, new INTEGER)",
	"CREATE TEMP TABLE branch_of (old INTEGER PRIMARY KEY, new INTEGER)",
	"CREATE TEMP TABLE pair_of (old INTEGER PRIMARY KEY, new INTEGER)",
};

static const char meet[] =
    "INSERT INTO met SELECT ?, s.id, question.hash || ' ' || program.hash || ' ' || strategy || ' ' || search || ' ' || seed"
    " || ' ' || coalesce((SELECT value FROM theirs.parameter WHERE session = s.id AND kind = 'parameter' AND value GLOB"
    " 'share=*'), ''), started, ended NOT NULL, (SELECT count(*) FROM theirs.execution WHERE session = s.id)"
    " FROM theirs.session AS s JOIN theirs.question ON question = question.id JOIN theirs.program ON program = program.id"
    " WHERE NOT EXISTS (SELECT 1 FROM theirs.parameter WHERE session = s.id AND kind = 'parameter' AND value GLOB 'shares=*')";

/* Chooses, of several copies of a session, the one that ran longest. */
static const char take[] =
    "INSERT INTO taken SELECT row_number() OVER (ORDER BY started, same), source, old FROM (SELECT *, row_number() OVER"
    " (PARTITION BY same, started ORDER BY ended DESC, runs DESC, source) AS place FROM met) WHERE place = 1";

#define OLD "(SELECT old FROM at)"
#define COLUMNS(table, columns) \
	"INSERT INTO main." table " SELECT at.id, " columns " FROM at JOIN theirs." table \
	" AS t ON t.session = at.old"
#define MAPPED(list, map) \
	"(SELECT json_group_array(new) FROM (SELECT new FROM json_each(t." list ") AS e JOIN " map \
	" ON old = e.value ORDER BY e.key))"
#define OBJECTIVES(name, map) \
	"INSERT INTO main.objective" \
	" SELECT at.id, kind, new, verdict, evidence, runs FROM at JOIN theirs.objective AS t ON t.session =" \
	" at.old AND kind = '" name "' JOIN " map " ON " map ".old = goal"
#define VERDICTS(name, map) \
	"INSERT OR IGNORE INTO main.verdict" \
	" SELECT mine.question, kind, new, verdict, evidence, coalesce(gave.id, at.id) FROM at JOIN theirs.session AS s" \
	" ON s.id = at.old JOIN theirs.verdict AS v ON v.question = s.question AND kind = '" name \
	"' JOIN " map " ON " map ".old = goal JOIN main.session AS mine ON mine.id = at.id" \
	" LEFT JOIN taken AS gave ON gave.source = at.source AND gave.old = v.session WHERE coalesce(gave.id, 0) <= at.id"

static const char *const copy[] = {
	"DELETE FROM function_of",
	"DELETE FROM branch_of",
	"DELETE FROM pair_of",
	"INSERT INTO function_of (old) SELECT function FROM theirs.branch WHERE id IN (SELECT goal FROM theirs.objective WHERE"
	" kind = 'branch' AND session = " OLD
	") UNION SELECT function FROM theirs.pair WHERE id IN (SELECT goal FROM theirs.objective WHERE"
	" kind = 'pair' AND session = " OLD
	") UNION SELECT function FROM theirs.passed WHERE session = " OLD,
	"INSERT OR IGNORE INTO main.program (hash, name) SELECT hash, name FROM theirs.program WHERE id IN (SELECT program FROM"
	" theirs.session WHERE id = " OLD
	" UNION SELECT program FROM theirs.function JOIN function_of ON id = old) ORDER BY hash",
	"INSERT OR IGNORE INTO main.question (hash, text) SELECT hash, text FROM theirs.question WHERE id = (SELECT question FROM"
	" theirs.session WHERE id = " OLD ")",
#define SAME_FUNCTION \
	"mine.program = p.id AND mine.unit = f.unit AND mine.hash = f.hash AND mine.name = f.name AND" \
	" mine.file = f.file AND mine.line = f.line"
#define THEIR_FUNCTION \
	"function_of AS o JOIN theirs.function AS f ON f.id = o.old JOIN theirs.program AS t ON t.id =" \
	" f.program JOIN main.program AS p ON p.hash = t.hash"
	"INSERT INTO main.function (program, unit, hash, name, file, line, last, source) SELECT p.id, f.unit, f.hash, f.name,"
	" f.file, f.line, f.last, f.source FROM " THEIR_FUNCTION
	" WHERE NOT EXISTS (SELECT 1 FROM main.function AS mine WHERE " SAME_FUNCTION
	") ORDER BY f.id",
	"UPDATE function_of AS x SET new = (SELECT mine.id FROM " THEIR_FUNCTION
	" JOIN main.function AS mine ON " SAME_FUNCTION " WHERE o.old = x.old)",
	"INSERT INTO main.branch (function, number, side, value, condition, file, line, col, region_file, region_line,"
	" region_col, key, branch, outcome, decision, next)"
	" SELECT new, number, side, value, condition, file, line, col, region_file, region_line,"
	" region_col, key, branch, outcome, decision, next FROM theirs.branch JOIN function_of ON old ="
	" function WHERE NOT EXISTS (SELECT 1 FROM main.branch AS mine WHERE mine.function = new) ORDER BY id",
	"INSERT INTO branch_of SELECT b.id, mine.id FROM theirs.branch AS b JOIN function_of ON old = b.function JOIN main.branch"
	" AS mine ON mine.function = new AND mine.number = b.number AND mine.side = b.side AND mine.value IS b.value",
	"INSERT OR IGNORE INTO main.pair (function, rules, key, number, variable, kind, def_file, def_line, def_col, use_file,"
	" use_line, use_col, path) SELECT new, rules, key, number, variable, p.kind, def_file, def_line, def_col, use_file, use_line,"
	" use_col, path FROM theirs.objective AS o JOIN theirs.pair AS p ON o.kind = 'pair' AND p.id = goal JOIN function_of ON old = function"
	" WHERE o.session = " OLD " ORDER BY p.id",
	"INSERT INTO pair_of SELECT p.id, mine.id FROM theirs.objective AS o JOIN theirs.pair AS p ON o.kind = 'pair' AND p.id = goal"
	" JOIN function_of ON old = p.function JOIN main.pair AS mine ON mine.function = new AND mine.rules = p.rules AND mine.key"
	" = p.key WHERE o.session = " OLD,
	"INSERT INTO main.session SELECT at.id, p.id, q.id, strategy, search, entry, seed, plan, narrowing, started, ended,"
	" exhausted, extra FROM at JOIN theirs.session AS s ON s.id = at.old JOIN theirs.program AS tp ON tp.id = s.program"
	" JOIN main.program AS p ON p.hash = tp.hash JOIN theirs.question AS tq ON tq.id = s.question JOIN main.question AS q ON"
	" q.hash = tq.hash",
	COLUMNS("parameter", "kind, position, value"),
	COLUMNS("figure", "name, value"),
	COLUMNS("execution", "number, run, parent, origin, ending, steps, cpu, mispredicted"),
	COLUMNS("proof", "number, verdicts"),
	COLUMNS("failure", "number, kind, file, line, function, message, test, count"),
	COLUMNS("place", "number, kind, function, file, line, col, verdict, test, runs"),
	COLUMNS("target",
	    "number, criterion, name, function, file, line, col, iif(ways IS NULL, NULL, " MAPPED(
	        "ways", "branch_of") "), test, runs"),
	COLUMNS("proved",
	    "place, target, iif(outcomes = '', '', " MAPPED(
	        "outcomes", "branch_of") "), verdict, evidence"),
	"INSERT OR IGNORE INTO main.justification SELECT * FROM theirs.justification",
	COLUMNS("lost", "number, reason, file, line, count"),
	COLUMNS("need", "number, kind, name, value, function, file, line, test, count"),
	COLUMNS("touched", "number, kind, name, value, runs"),
	"INSERT INTO main.test (session, number, run, origin, ending, message, file, line, status, signal, result, failure, fresh,"
	" output, inputs, branches, pairs, ub, wrote) SELECT at.id, number, run, origin, ending, message, file, line, status, signal,"
	" result, failure, fresh, output, inputs, " MAPPED("branches", "branch_of") ", " MAPPED(
	    "pairs",
	    "pair_of") ", ub, wrote"
	               " FROM at JOIN theirs.test AS t ON t.session = at.old ORDER BY number",
	"INSERT INTO main.suite SELECT mine.id, name, processes FROM at JOIN theirs.test AS t ON t.session = at.old JOIN"
	" theirs.suite ON test = t.id JOIN main.test AS mine ON mine.session = at.id AND mine.number = t.number",
	OBJECTIVES("branch", "branch_of"),
	OBJECTIVES("pair", "pair_of"),
	"INSERT INTO main.passed SELECT at.id, new, lines FROM at JOIN theirs.passed AS t ON t.session = at.old JOIN function_of"
	" ON function_of.old = t.function",
	VERDICTS("branch", "branch_of"),
	VERDICTS("pair", "pair_of"),
};

/* SQL: objectives that are covered in one session and proved infeasible in another one of the same
 * question, with their places and stores. */
#define CONTRADICTIONS(row, place, what) \
	"SELECT " place ", " what \
	", (SELECT path FROM taken JOIN source ON source.id = source WHERE taken.id = a.session)," \
	" (SELECT path FROM taken JOIN source ON source.id = source WHERE taken.id = b.session), a.session, b.session" \
	" FROM objective AS a JOIN objective AS b ON a.kind = '" row \
	"' AND b.kind = a.kind AND a.goal = b.goal" \
	" JOIN session AS sa ON sa.id = a.session JOIN session" \
	" AS sb ON sb.id = b.session JOIN " row " ON " row ".id = a.goal" \
	" WHERE a.verdict = 'covered' AND b.verdict = 'infeasible'" \
	" AND sa.question = sb.question"
static const char contradictions[] = CONTRADICTIONS(
    "branch", "branch.file, branch.line, col", "condition") " UNION ALL " CONTRADICTIONS("pair",
    "use_file, use_line, use_col", "variable") " LIMIT 1";

static int attach(struct store *s, const char *path)
{
	return store_do(s, "ATTACH ? AS theirs", "t", path);
}

/* Prepared statements keep the database open. */
static int detach(struct store *s)
{
	store_forget_statements(s);
	return store_do(s, "DETACH theirs", "");
}

static int add_source(struct store *s, int id, const char *path)
{
	char *error;
	struct store *source = store_open(path, STORE_READ, &error);

	if (!source) {
		store_fail(s, "%s", error);
		free(error);
		return -1;
	}
	if (store_check_pages(source)) {
		store_fail(s, "%s: %s", path, store_error(source));
		store_close(source);
		return -1;
	}
	store_close(source);
	return store_do(s, "INSERT INTO source VALUES (?, ?)", "nt", id, path) || attach(s, path)
	        || store_do(s, meet, "n", id) || detach(s)
	    ? -1
	    : 0;
}

static int add_session(struct store *s, int64_t id)
{
	char *path = NULL;
	int rc = -1;
	sqlite3_stmt *st = store_sql(s,
	    "SELECT path FROM taken JOIN source ON source.id = source WHERE taken.id = ?", "i", id);

	if (store_row(s, st)) {
		path = copied(store_string(st, 0));
		sqlite3_reset(st);
	}
	if (path && !attach(s, path))
		rc = store_do(s, "BEGIN", "") || store_do(s, "DELETE FROM at", "")
		        || store_do(s,
		            "INSERT INTO at SELECT id, source, old FROM taken WHERE id = ?", "i",
		            id)
		        || store_do_all(s, copy, sizeof copy / sizeof *copy)
		        || store_do(s, "COMMIT", "") || detach(s)
		    ? -1
		    : 0;
	free(path);
	return rc;
}

static int compare(struct store *s)
{
	sqlite3_stmt *st = store_sql(s, contradictions, "");

	if (!store_row(s, st))
		return s->error ? -1 : 0;
	store_fail(s, "%s:%d:%d: `%s` is covered in %s and infeasible in %s", store_string(st, 0),
	    sqlite3_column_int(st, 1), sqlite3_column_int(st, 2), store_string(st, 3),
	    store_string(st, 4), store_string(st, 5));
	return STORE_CONTRADICTION;
}

static int fill(struct store *s, const char *const *source)
{
	int64_t sessions = 0;
	int rc = store_do_all(s, tables, sizeof tables / sizeof *tables);

	for (int i = 0; !rc && source[i]; i++)
		rc = add_source(s, i + 1, source[i]);
	if (!rc
	    && (store_do(s, take, "")
	        || store_get(s, &sessions, 0, "SELECT count(*) FROM taken", "")))
		rc = -1;
	for (int64_t i = 1; !rc && i <= sessions; i++)
		rc = add_session(s, i);
	if (rc || (rc = compare(s)))
		return rc;
	return store_join(s);
}

int store_merge(const char *path, const char *const *source, char **error)
{
	char *temporary = formatted("%s.new", path);
	struct store *s;
	int rc = -1;

	*error = NULL;
	remove(temporary);
	int fd = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd < 0 || close(fd)) {
		*error = formatted("%s: %s", temporary, strerror(errno));
	} else if ((s = store_open(temporary, STORE_WRITE, error))) {
		rc = fill(s, source);
		if (rc)
			*error = store_error(s) ? copied(store_error(s)) : NULL;
		if (store_close(s))
			rc = -1;
	}
	if (!rc && rename(temporary, path)) {
		*error = formatted("%s: %s", path, strerror(errno));
		rc = -1;
	}
	if (rc)
		remove(temporary);
	free(temporary);
	return rc;
}
