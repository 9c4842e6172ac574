/* view: reads all results of one session, or of all sessions together, in one transaction, so that
 * they are consistent. */
#include "lib/store/view.h"
#include "lib/base/grow.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

char *view_text_or_null(sqlite3_stmt *st, int col)
{
	return sqlite3_column_type(st, col) == SQLITE_NULL ? NULL : copied(store_string(st, col));
}

char *view_text(sqlite3_stmt *st, int col)
{
	return copied(store_string(st, col));
}

uint32_t view_small(sqlite3_stmt *st, int col)
{
	return (uint32_t)sqlite3_column_int64(st, col);
}

/* The session that the others continue: the suite that was recorded last, or else the first
 * session. */
static int64_t base_session(struct store *s)
{
	int64_t id;

	store_get(s, &id, 0,
	    "SELECT coalesce(max(id) FILTER (WHERE strategy = 'cover'), min(id)) FROM session WHERE " STORE_CURRENT,
	    "");
	return id;
}

/* Can the text be the name of a file or function in generated tests? */
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
	store_fail(
	    s, "session %lld: its entry is not the name of a function", (long long)v->session);
	return false;
}

/* SQL: a function f that may be the same as one of another program. Most stores have none. */
#define SEVERAL "f.name IN (SELECT name FROM function GROUP BY name HAVING count(*) > 1)"

/* Fills temporary tables. `told` has the sessions of the view, and how many tests come before those
 * of each; `same_branch` and `same_pair` map rows of objectives to the first row with the same
 * meaning, if there can be several. A view of all sessions has, from its session on, the last
 * complete session of each question. */
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
	        "INSERT INTO same_branch SELECT b.id, min(b.id) OVER (PARTITION BY " VIEW_SAME
	        ", number, side, b.value)"
	        " FROM branch AS b JOIN function AS f ON b.function = f.id WHERE " SEVERAL
	        " AND b.id IN"
	        " (SELECT goal FROM objective AS o JOIN told ON told.session = o.session AND o.kind = 'branch')",
	        "")
	    && !store_do(s,
	        "INSERT INTO same_pair SELECT p.id, min(p.id) OVER (PARTITION BY " VIEW_SAME
	        ", rules, key)"
	        " FROM pair AS p JOIN function AS f ON p.function = f.id WHERE " SEVERAL
	        " AND p.id IN"
	        " (SELECT goal FROM objective AS o JOIN told ON told.session = o.session AND o.kind = 'pair')",
	        "");
}

/* The texts of the first column of all rows. */
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
	FILE *f = text_stream(&all, &size);

	for (size_t i = 0; list[i]; i++) {
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
	fclose(f);
	free(list);
	return all;
}

/* The folder of a session, of the given kind: `folder` for a suite, `directory` for another
 * session. */
static char *read_folder(struct store *s, int64_t session, const char *kind)
{
	char **list = read_list(s, session, kind), *folder = list[0];

	free(list);
	return folder;
}

/* One line for each further session: its number, strategy, entry, and assumptions about its
 * inputs. */
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
/* If there are very many pairs, only those about which something is known have rows. */
static void count_unlisted(struct store *s, struct store_view *v)
{
	int64_t all;

	if (!store_get(s, &all, 0,
	        "SELECT max(value) FROM figure JOIN told USING (session) WHERE name = 'pairs'", "")
	    && all > (int64_t)v->pairs)
		v->unlisted = (uint64_t)all - v->pairs;
}

int64_t store_version(struct store *s)
{
	int64_t version;

	return s->write || store_get(s, &version, -1, "PRAGMA data_version", "") ? -1 : version;
}

struct store_view *store_view(struct store *s, int64_t session)
{
	struct store_view *v = zeroed(1, sizeof *v);

	if ((s->session && store_flush(s)) || store_do(s, "BEGIN", "")) {
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
		view_failures(s, v);
		view_limits(s, v);
		view_conditions(s, v);
		view_needs(s, v);
		view_assume_needs(v);
		view_places(s, v);
		view_functions(s, v);
		view_lines(s, v);
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
