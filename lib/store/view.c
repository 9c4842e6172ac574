/* view: all of one session, or of all together, read back, in one transaction so that it is of one
 * moment. */
#include "lib/limits/limits.h"
#include "lib/store/view.h"
#include "lib/base/grow.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

char *view_text_or_null(sqlite3_stmt *st, int col)
{
	return sqlite3_column_type(st, col) == SQLITE_NULL ? NULL : strdup(store_string(st, col));
}

char *view_text(sqlite3_stmt *st, int col)
{
	return strdup(store_string(st, col));
}

uint32_t view_small(sqlite3_stmt *st, int col)
{
	return (uint32_t)sqlite3_column_int64(st, col);
}

/* The suite that was recorded last, else the first session: what the others go on from. */
static int64_t base_session(struct store *s)
{
	int64_t id;

	store_get(s, &id, 0,
	    "SELECT coalesce(max(id) FILTER (WHERE strategy = 'cover'), min(id)) FROM session WHERE " STORE_CURRENT,
	    "");
	return id;
}

/* Files and functions of tests are called so; a suite has none. */
static bool is_name(const char *s)
{
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && *s != '_' && *s != '$' && !(*s & 0x80))
			return false;
	return true;
}

static bool read_session(struct store *s, struct store_view *v, int64_t id)
{
	if (id == STORE_ALL)
		id = base_session(s);
	sqlite3_stmt *st = id
	    ? store_sql(s,
	          "SELECT session.id, strategy, search, entry, plan, narrowing, question.text, ended,"
	          " extra, seed, exhausted FROM session JOIN question ON question = question.id"
	          " WHERE session.id = ?",
	          "i", id)
	    : store_sql(s,
	          "SELECT session.id, strategy, search, entry, plan, narrowing, question.text, ended,"
	          " extra, seed, exhausted FROM session JOIN question ON question = question.id"
	          " ORDER BY session.id DESC LIMIT 1",
	          "");

	if (!store_row(s, st)) {
		if (id)
			store_fail(s, "no session %lld", (long long)id);
		else
			store_fail(s, "no session yet");
		return false;
	}
	v->session = sqlite3_column_int64(st, 0);
	v->strategy = view_text(st, 1);
	v->search = view_text(st, 2);
	v->entry = view_text(st, 3);
	v->plan = view_text(st, 4);
	v->narrowing = view_text(st, 5);
	v->question = view_text(st, 6);
	v->figures.ended = v->ended = view_text_or_null(st, 7);
	v->figures.extra = v->extra = view_text_or_null(st, 8);
	v->seed = strtoull(store_string(st, 9), NULL, 10);
	v->figures.exhausted = sqlite3_column_int(st, 10);
	sqlite3_reset(st);
	if (is_name(v->entry))
		return true;
	store_fail(s, "session %lld: its entry is no name of a function", (long long)v->session);
	return false;
}

/* The same function in two programs: what it is made of, unless its source could not be read. */
#define SAME "f.name, f.hash, f.source, CASE f.source WHEN '' THEN f.id ELSE 0 END"
/* A function, f, that may be the same as another one: most stores of one program have none. */
#define SEVERAL "f.name IN (SELECT name FROM function GROUP BY name HAVING count(*) > 1)"

/* Fills tables of this connection: `told` has the sessions that the view tells of, and how many
 * tests come before those of each; `same_branch` and `same_pair` have for rows of objectives the
 * first that means the same, when there can be more than one. Of all sessions from the view's on,
 * each question's last whole one is told. */
static bool choose_sessions(struct store *s, const struct store_view *v)
{
	static const char *const tables[] = {
		"CREATE TEMP TABLE IF NOT EXISTS told (session INTEGER PRIMARY KEY, before INTEGER)",
		"CREATE TEMP TABLE IF NOT EXISTS same_branch (id INTEGER PRIMARY KEY, first INTEGER)",
		"CREATE TEMP TABLE IF NOT EXISTS same_pair (id INTEGER PRIMARY KEY, first INTEGER)",
		"DELETE FROM told",
		"DELETE FROM same_branch",
		"DELETE FROM same_pair",
	};

	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		if (store_do(s, tables[i], ""))
			return false;
	if (!v->all)
		return !store_do(s, "INSERT INTO told VALUES (?, 0)", "i", v->session);
	return !store_do(s,
	           "INSERT INTO told SELECT max(id), 0 FROM session WHERE (id = ?1 OR id > ?1 AND strategy <> 'cover')"
	           " AND " STORE_CURRENT " AND " STORE_WHOLE " GROUP BY question",
	           "i", v->session)
	    && !store_do(s,
	        "UPDATE told SET before = (SELECT count(*) FROM test JOIN told AS t ON t.session = test.session"
	        " WHERE t.session < told.session)",
	        "")
	    && !store_do(s,
	        "INSERT INTO same_branch SELECT b.id, min(b.id) OVER (PARTITION BY " SAME
	        ", number, side, b.value)"
	        " FROM branch AS b JOIN function AS f ON b.function = f.id WHERE " SEVERAL
	        " AND b.id IN"
	        " (SELECT goal FROM objective AS o JOIN told ON told.session = o.session AND o.kind = 'branch')",
	        "")
	    && !store_do(s,
	        "INSERT INTO same_pair SELECT p.id, min(p.id) OVER (PARTITION BY " SAME
	        ", rules, key)"
	        " FROM pair AS p JOIN function AS f ON p.function = f.id WHERE " SEVERAL
	        " AND p.id IN"
	        " (SELECT goal FROM objective AS o JOIN told ON told.session = o.session AND o.kind = 'pair')",
	        "");
}

/* The first column of all rows. */
static char **read_column(struct store *s, sqlite3_stmt *st)
{
	char **list = grow_one(NULL, 0, sizeof *list);
	size_t n = 0;

	while (store_row(s, st)) {
		list[n++] = view_text(st, 0);
		list = grow_one(list, n, sizeof *list);
	}
	return list;
}

static char **read_list(struct store *s, int64_t session, const char *kind)
{
	return read_column(s,
	    store_sql(s,
	        "SELECT value FROM parameter WHERE session = ? AND kind = ?"
	        " ORDER BY position",
	        "it", session, kind));
}

static bool read_settled(struct store *s, int64_t session)
{
	int64_t n;

	store_get(s, &n, 0,
	    "SELECT count(*) FROM session WHERE exhausted AND question = (SELECT question FROM session"
	    " WHERE id = ?)",
	    "i", session);
	return n > 0;
}

static char **read_proofs(struct store *s, int64_t session)
{
	return read_column(s,
	    store_sql(s,
	        "SELECT verdicts FROM proof JOIN session ON proof.session = session.id"
	        " WHERE question = (SELECT question FROM session WHERE id = ?)"
	        " ORDER BY proof.session, proof.number",
	        "i", session));
}

/* The assumptions of all sessions, each once. */
static char *read_assumptions(struct store *s)
{
	char **list = read_column(s,
	    store_sql(
	        s, "SELECT narrowing FROM told JOIN session ON id = session ORDER BY id", ""));
	char *all = NULL, *line;
	size_t size;
	FILE *f = open_memstream(&all, &size);

	for (size_t i = 0; f && list[i]; i++) {
		for (char *rest = list[i]; (line = strsep(&rest, "\n")); fflush(f)) {
			size_t n = strlen(line);
			bool known = !n;
			for (const char *at = all; !known && at && (at = strstr(at, line)); at++)
				known = (at == all || at[-1] == '\n') && at[n] == '\n';
			if (!known)
				fprintf(f, "%s\n", line);
		}
		free(list[i]);
	}
	if (f)
		fclose(f);
	free(list);
	return all;
}

/* folder: of a suite; directory: of a session. */
static char *read_folder(struct store *s, int64_t session, const char *kind)
{
	char **list = read_list(s, session, kind), *folder = list[0];

	free(list);
	return folder;
}

/* A line each of the further sessions: its number, strategy, entry, and what narrows its inputs. */
static char **read_others(struct store *s, const struct store_view *v)
{
	return read_column(s,
	    store_sql(s,
	        "SELECT printf('session %d, %s of %s%s%s', id, strategy, entry,"
	        " iif(narrowing = '', '', ': '), rtrim(replace(narrowing, char(10), '; '), '; '))"
	        " FROM told JOIN session ON id = told.session WHERE id <> ? ORDER BY id",
	        "i", v->session));
}

static void read_figures(struct store *s, struct store_view *v)
{
	struct store_figures *f = &v->figures;
	const struct {
		const char *name;
		double *d;
		uint64_t *u;
	} all[] = {
		{ "seconds", &f->seconds, NULL },
		{ "cpu_run", &f->cpu_run, NULL },
		{ "cpu_solve", &f->cpu_solve, NULL },
		{ "cpu_prove", &f->cpu_prove, NULL },
		{ "cpu_strategy", &f->cpu_strategy, NULL },
		{ "runs", NULL, &f->runs },
		{ "paths", NULL, &f->paths },
		{ "mispredicted", NULL, &f->mispredicted },
		{ "cut", NULL, &f->cut },
		{ "pending", NULL, &f->pending },
		{ "asked", NULL, &f->asked },
		{ "cached", NULL, &f->cached },
		{ "engine", NULL, &f->engine },
		{ "sat", NULL, &f->sat },
		{ "unsat", NULL, &f->unsat },
		{ "unknown", NULL, &f->unknown },
		{ "disagreed", NULL, &f->disagreed },
		{ "confirmed", NULL, &f->confirmed },
		{ "conjuncts", NULL, &f->conjuncts },
		{ "conjuncts_max", NULL, &f->conjuncts_max },
		{ "questions", NULL, &f->questions },
		{ "infeasible", NULL, &f->infeasible },
		{ "pruned", NULL, &f->pruned },
		{ "rounds_max", NULL, &f->rounds_max },
		{ "kept", NULL, &f->kept },
	};
	sqlite3_stmt *st =
	    store_sql(s, "SELECT name, value FROM figure WHERE session = ?", "i", v->session);

	while (store_row(s, st))
		for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
			if (strcmp(store_string(st, 0), all[i].name))
				continue;
			if (all[i].d)
				*all[i].d = sqlite3_column_double(st, 1);
			else
				*all[i].u = (uint64_t)sqlite3_column_double(st, 1);
		}
}
/* Of very many pairs only those have rows of which something is known. */
static void count_unlisted(struct store *s, struct store_view *v)
{
	int64_t all;

	if (!store_get(s, &all, 0,
	        "SELECT max(value) FROM figure JOIN told USING (session) WHERE name = 'pairs'", "")
	    && all > (int64_t)v->pairs)
		v->unlisted = (uint64_t)all - v->pairs;
}

static void read_failures(struct store *s, struct store_view *v)
{
	/* of several sessions a place once, with the first test that shows it */
	sqlite3_stmt *st = store_sql(s,
	    "SELECT kind, file, line, function, message, min(iif(test, before + test, 0)), sum(count)"
	    " FROM failure JOIN told ON told.session = failure.session"
	    " GROUP BY kind, file, line, function, message, iif(file IS NULL, told.session * 1000000 + number, 0)"
	    " ORDER BY min(told.session * 1000000 + number)",
	    "");

	while (store_row(s, st)) {
		*PUSH(v->failure, v->failures) = (struct view_failure){ .kind = view_text(st, 0),
			.file = view_text_or_null(st, 1),
			.line = view_small(st, 2),
			.function = view_text_or_null(st, 3),
			.message = view_text_or_null(st, 4),
			.test = (uint64_t)sqlite3_column_int64(st, 5),
			.count = (uint64_t)sqlite3_column_int64(st, 6) };
	}
	st = store_sql(s,
	    "SELECT reason, file, line, count FROM lost JOIN told ON told.session = lost.session"
	    " ORDER BY told.session, number",
	    "");
	while (store_row(s, st)) {
		*PUSH(v->lost, v->losts) =
		    (struct view_lost){ view_text(st, 0), view_text_or_null(st, 1),
			    view_small(st, 2), (uint64_t)sqlite3_column_int64(st, 3) };
	}
}

/* Of several sessions each limit once, as the last of them had it. */
static void read_limits(struct store *s, struct store_view *v)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT kind, name, value, sum(runs), max(told.session) FROM touched JOIN told ON told.session ="
	    " touched.session GROUP BY kind, name ORDER BY min(told.session), number",
	    "");

	while (store_row(s, st)) {
		struct view_limit *l = PUSH(v->limit, v->limits);
		*l = (struct view_limit){ .kind = view_text(st, 0),
			.name = view_text(st, 1),
			.value = (uint64_t)sqlite3_column_int64(st, 2),
			.runs = (uint64_t)sqlite3_column_int64(st, 3) };
		l->text = limit_sentence(l->kind, l->name, l->value);
		l->option = limit_option(l->kind, l->name);
	}
}

static void read_needs(struct store *s, struct store_view *v)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT kind, name, value, function, file, line, sum(count) FROM need JOIN told ON told.session ="
	    " need.session WHERE NOT test GROUP BY kind, name, function, file, line"
	    " ORDER BY min(told.session), number",
	    "");

	while (store_row(s, st)) {
		struct view_need *n = PUSH(v->need, v->needs);
		*n = (struct view_need){ .kind = view_text(st, 0),
			.name = view_text(st, 1),
			.function = view_text(st, 3),
			.file = view_text_or_null(st, 4),
			.line = view_small(st, 5),
			.value = (uint64_t)sqlite3_column_int64(st, 2),
			.count = (uint64_t)sqlite3_column_int64(st, 6) };
		n->text = need_sentence(n->kind, n->name, n->value);
	}
}

/* With --assume-needs they are assumptions. */
static void assume_needs(struct store_view *v)
{
	bool asked = false;
	char *all;

	for (size_t i = 0; v->parameter[i]; i++)
		asked |= !strcmp(v->parameter[i], "option assume-needs=true");
	for (size_t i = 0; asked && i < v->needs; i++) {
		if (asprintf(&all, "%s%s: %s\n", v->narrowing ? v->narrowing : "",
		        v->need[i].function, v->need[i].text)
		    < 0)
			no_memory();
		free(v->narrowing);
		v->narrowing = all;
	}
}

/* Of several sessions each place once, found if one of them found it. That all paths of a session
 * were run says nothing of other callers: such a place is safe only in the session's own entry, and
 * when that was asked with nothing stated, or no other session left it open (as read_finding). */
static void read_places(struct store *s, struct store_view *v)
{
	sqlite3_stmt *st = store_sql(s,
	    "WITH seen AS (SELECT place.*, before, narrowing, program,"
	    " NOT ?1 OR entry = function AND entry <> 'main' AS own, row_number() OVER"
	    " (PARTITION BY place.session, kind, function, file, line, col ORDER BY number) AS again"
	    " FROM place JOIN told ON told.session = place.session JOIN session ON session.id = place.session"
	    " WHERE NOT instr(kind, ' '))"
	    " SELECT kind, function, file, CASE WHEN max(verdict = 'found') THEN 'found'"
	    " WHEN min(verdict = 'safe' AND own) OR max(verdict = 'safe' AND own AND narrowing = '')"
	    " AND count(DISTINCT program) = 1 THEN 'safe' ELSE 'unknown' END, line, col,"
	    " coalesce(min(iif(test, before + test, NULL)), 0), sum(runs) FROM seen"
	    " GROUP BY kind, function, file, line, col, again ORDER BY min(session), min(number)",
	    "n", (int)v->all);

	while (store_row(s, st)) {
		*PUSH(v->place, v->places) = (struct view_place){ view_text(st, 0),
			view_text(st, 1), view_text(st, 2), view_text(st, 3), view_small(st, 4),
			view_small(st, 5), (uint64_t)sqlite3_column_int64(st, 6),
			(uint64_t)sqlite3_column_int64(st, 7) };
	}
}

static void read_functions(struct store *s, struct store_view *v)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT function.name, function.file, function.line, last, max(runs), function.id"
	    " FROM told CROSS JOIN objective ON objective.session = told.session AND kind = 'branch'"
	    " LEFT JOIN same_branch ON same_branch.id = goal"
	    " JOIN branch ON branch.id = coalesce(first, goal) JOIN function ON branch.function = function.id"
	    " GROUP BY function.id HAVING NOT ?1 OR max(objective.session = ?2) ORDER BY function.id",
	    "ni", (int)(v->folder != NULL), v->session);

	while (store_row(s, st)) {
		*PUSH(v->function, v->functions) =
		    (struct view_function){ sqlite3_column_int64(st, 5), view_text(st, 0),
			    view_text(st, 1), view_small(st, 2), view_small(st, 3),
			    (uint64_t)sqlite3_column_int64(st, 4), NULL, 0 };
	}
}

/* Lines as table `passed` has them, added to those of sessions before. */
static void add_lines(struct view_function *f, const char *text)
{
	char *at = (char *)(uintptr_t)text;
	size_t have = 0;

	while (*(at += strcspn(at, "0123456789"))) {
		uint32_t number = (uint32_t)strtoul(at, &at, 10);
		uint64_t runs = strtoull(at + (*at == ','), &at, 10);
		while (have < f->lines && f->passed[have].number < number)
			have++;
		if (have == f->lines || f->passed[have].number != number) {
			f->passed = grow_one(f->passed, f->lines, sizeof *f->passed);
			memmove(&f->passed[have + 1], &f->passed[have],
			    (f->lines++ - have) * sizeof *f->passed);
			f->passed[have] = (struct view_line){ number, 0 };
		}
		f->passed[have].hits += runs;
		f->hits = f->passed[have].hits > f->hits ? f->passed[have].hits : f->hits;
	}
}

/* Functions come in the order of their rows, those with conditions before. */
static void read_lines(struct store *s, struct store_view *v)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT first, name, file, line, last, lines FROM (SELECT f.*, lines, min(f.id) OVER same"
	    " AS first, max(told.session = ?2) OVER same AS mine FROM told JOIN passed ON passed.session = told.session JOIN function"
	    " AS f ON f.id = function WINDOW same AS (PARTITION BY " SAME
	    ")) WHERE NOT ?1 OR mine ORDER BY first",
	    "ni", (int)(v->folder != NULL), v->session);
	size_t known = v->functions, k = 0;

	while (store_row(s, st)) {
		int64_t row = sqlite3_column_int64(st, 0);
		struct view_function *f =
		    v->functions > known ? &v->function[v->functions - 1] : NULL;
		while (k < known && v->function[k].row < row)
			k++;
		if (k < known && v->function[k].row == row) {
			f = &v->function[k];
		} else if (!f || f->row != row) {
			f = PUSH(v->function, v->functions);
			*f = (struct view_function){ row, view_text(st, 1), view_text(st, 2),
				view_small(st, 3), view_small(st, 4), 0, NULL, 0 };
		}
		add_lines(f, store_string(st, 5));
	}
}

int64_t store_version(struct store *s)
{
	int64_t version;

	return s->write || store_get(s, &version, -1, "PRAGMA data_version", "") ? -1 : version;
}

struct store_view *store_view(struct store *s, int64_t session)
{
	struct store_view *v = calloc(1, sizeof *v);

	if (!v || (s->session && store_flush(s)) || store_do(s, "BEGIN", "")) {
		free(v);
		return NULL;
	}
	v->all = session == STORE_ALL;
	if (read_session(s, v, session) && choose_sessions(s, v)) {
		v->file = read_list(s, v->session, "source");
		v->flag = read_list(s, v->session, "flag");
		v->environment = read_list(s, v->session, "environment");
		v->bound = read_list(s, v->session, "bound");
		v->parameter = read_list(s, v->session, "parameter");
		v->folder = read_folder(s, v->session, "folder");
		v->directory = read_folder(s, v->session, "directory");
		v->proof = read_proofs(s, v->session);
		v->settled = read_settled(s, v->session);
		v->others = read_others(s, v);
		if (v->all) {
			free(v->narrowing);
			v->narrowing = read_assumptions(s);
		}
		read_figures(s, v);
		struct places branch = view_objectives(s, v), pair = view_pairs(s, v);
		count_unlisted(s, v);
		view_tests(s, v, &branch, &pair);
		view_targets(s, v, &branch);
		view_evaluations(s, v, &branch);
		free(branch.at);
		free(pair.at);
		read_failures(s, v);
		read_limits(s, v);
		view_conditions(s, v);
		read_needs(s, v);
		assume_needs(v);
		read_places(s, v);
		read_functions(s, v);
		read_lines(s, v);
	}
	store_do(s, "COMMIT", "");
	if (!s->error)
		return v;
	store_view_free(v);
	return NULL;
}

static void free_list(char **list)
{
	for (size_t i = 0; list && list[i]; i++)
		free(list[i]);
	free(list);
}

static void free_pair(struct view_pair *p)
{
	char *all[] = { p->function, p->variable, p->kind, p->evidence, p->def_file, p->use_file,
		p->path };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
}

void store_view_free(struct store_view *v)
{
	if (!v)
		return;
	for (size_t i = 0; i < v->objectives; i++) {
		free(v->objective[i].function);
		free(v->objective[i].file);
		free(v->objective[i].text);
		free(v->objective[i].evidence);
	}
	for (size_t i = 0; i < v->pairs; i++)
		free_pair(&v->pair[i]);
	for (size_t i = 0; i < v->tests; i++)
		view_free_test(&v->test[i]);
	for (size_t i = 0; i < v->failures; i++) {
		free(v->failure[i].kind);
		free(v->failure[i].file);
		free(v->failure[i].function);
		free(v->failure[i].message);
	}
	for (size_t i = 0; i < v->places; i++) {
		free(v->place[i].kind);
		free(v->place[i].function);
		free(v->place[i].file);
		free(v->place[i].verdict);
	}
	for (size_t i = 0; i < v->targets; i++) {
		char *texts[] = { v->target[i].criterion, v->target[i].name, v->target[i].function,
			v->target[i].file, v->target[i].evidence };
		for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
			free(texts[k]);
	}
	for (size_t i = 0; i < v->evaluations; i++) {
		free(v->evaluation[i].outcome);
		free(v->evaluation[i].evidence);
	}
	for (size_t i = 0; i < v->losts; i++) {
		free(v->lost[i].reason);
		free(v->lost[i].file);
	}
	for (size_t i = 0; i < v->limits; i++) {
		free(v->limit[i].kind);
		free(v->limit[i].name);
		free(v->limit[i].text);
		free(v->limit[i].option);
	}
	for (size_t i = 0; i < v->needs; i++) {
		char *texts[] = { v->need[i].kind, v->need[i].name, v->need[i].text,
			v->need[i].function, v->need[i].file };
		for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
			free(texts[k]);
	}
	for (size_t i = 0; i < v->functions; i++) {
		free(v->function[i].name);
		free(v->function[i].file);
		free(v->function[i].passed);
	}
	char **lists[] = { v->file, v->flag, v->environment, v->bound, v->parameter, v->proof,
		v->others };
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		free_list(lists[i]);
	void *all[] = { v->folder, v->directory, v->strategy, v->search, v->entry, v->plan,
		v->narrowing, v->question, v->ended, v->extra, v->objective, v->pair, v->test,
		v->failure, v->place, v->target, v->evaluation, v->lost, v->limit, v->need,
		v->function };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
	free(v);
}
