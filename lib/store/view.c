/* view: all of one session, or of all together, read back, in one transaction so that it is of one
 * moment. */
#include "lib/limits/limits.h"
#include "lib/store/db.h"
#include "lib/base/grow.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of a column that can be NULL. */
static char *text_or_null(sqlite3_stmt *st, int col)
{
	return sqlite3_column_type(st, col) == SQLITE_NULL ? NULL : strdup(store_string(st, col));
}

/* Of one that cannot: in a damaged store it is empty. */
static char *text(sqlite3_stmt *st, int col)
{
	return strdup(store_string(st, col));
}

static uint32_t small(sqlite3_stmt *st, int col)
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

static bool is_end(const char *name)
{
	for (int i = 0; i < END_COUNT; i++)
		if (!strcmp(name, trace_end_name((enum trace_end)i)))
			return true;
	return !strcmp(name, "unknown"); /* of a recorded process that was killed */
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
	v->strategy = text(st, 1);
	v->search = text(st, 2);
	v->entry = text(st, 3);
	v->plan = text(st, 4);
	v->narrowing = text(st, 5);
	v->question = text(st, 6);
	v->figures.ended = v->ended = text_or_null(st, 7);
	v->figures.extra = v->extra = text_or_null(st, 8);
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

/* Fills tables of this connection: `told` has the sessions that the view tells of, and how many
 * tests come before those of each; `same_branch` and `same_pair` have for rows of objectives the
 * first that means the same, when there can be more than one. Of all sessions from the view's on,
 * each question's last is told. */
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
	           " AND " STORE_CURRENT " GROUP BY question",
	           "i", v->session)
	    && !store_do(s,
	        "UPDATE told SET before = (SELECT count(*) FROM test JOIN told AS t ON t.session = test.session"
	        " WHERE t.session < told.session)",
	        "")
	    && !store_do(s,
	        "INSERT INTO same_branch SELECT b.id, min(b.id) OVER (PARTITION BY " SAME
	        ", number, side, b.value)"
	        " FROM branch AS b JOIN function AS f ON b.function = f.id WHERE b.id IN"
	        " (SELECT branch FROM objective JOIN told ON told.session = objective.session)",
	        "")
	    && !store_do(s,
	        "INSERT INTO same_pair SELECT p.id, min(p.id) OVER (PARTITION BY " SAME
	        ", rules, key)"
	        " FROM pair AS p JOIN function AS f ON p.function = f.id WHERE p.id IN"
	        " (SELECT pair FROM pair_objective AS o JOIN told ON told.session = o.session)",
	        "");
}

/* The finding of a view about an objective. `open`: some strategy left it unknown. */
struct finding {
	enum store_verdict *verdict;
	char **evidence;
	uint64_t *hits;
	bool *open;
	struct scope *scope;
};

/* Of the rows of an objective so far: the program that it is infeasible in whoever calls its
 * function, 0: none; the one that it was left open in, -1: several. */
struct scope {
	int64_t general, asked;
};

/* The columns that read_finding needs, behind those of the objective. */
#define FINDING \
	"verdict, runs, evidence, session.id, strategy, entry, narrowing, session.program, before"

/* Evidence of a session for the view, in which its tests have numbers from before + 1; the
 * caller's. */
static char *renumber(const char *evidence, int64_t before)
{
	const char *at = strstr(evidence, STORE_CLOSEST);
	char *end, *text;

	if (!at || !before)
		return strdup(evidence);
	at += strlen(STORE_CLOSEST);
	unsigned long long number = strtoull(at, &end, 10);
	if (asprintf(&text, "%.*s%llu%s", (int)(at - evidence), evidence,
	        number + (unsigned long long)before, end)
	    < 0)
		abort();
	return text;
}

/* What a session found out about an objective: columns from `col` on are FINDING; column 1 is the
 * function. An answer holds for the question that it was given to, with all that the user stated
 * there, so what a session calls infeasible is unknown when another one left it open. But an entry
 * other than main about which nothing was stated may be called by anybody: what is infeasible there
 * is so for all questions about the same program. That all paths of a session were run says nothing
 * of other functions' callers. */
static void read_finding(const struct store_view *v, struct finding have, sqlite3_stmt *st, int col)
{
	enum store_verdict verdict = store_verdict_find(store_string(st, col));
	const char *evidence = store_string(st, col + 2), *entry = store_string(st, col + 5);
	bool strategy = strcmp(store_string(st, col + 4), "cover");
	bool own = !strcmp(entry, store_string(st, 1)) && strcmp(entry, "main");
	bool narrow = v->all && !own && verdict == VERDICT_INFEASIBLE
	    && !strncmp(evidence, "exhaustion", strlen("exhaustion"));
	bool stated = *store_string(st, col + 6);
	int64_t program = sqlite3_column_int64(st, col + 7);
	struct scope *scope = have.scope;

	if (narrow)
		verdict = VERDICT_UNKNOWN;
	*have.hits += (uint64_t)sqlite3_column_int64(st, col + 1);
	if (strategy && verdict == VERDICT_UNKNOWN) {
		*have.open = true;
		scope->asked = scope->asked && scope->asked != program ? -1 : program;
	}
	bool general = verdict == VERDICT_INFEASIBLE && own && !stated
	    && (!scope->asked || scope->asked == program);
	if (*have.verdict == VERDICT_COVERED
	    || (verdict == VERDICT_INFEASIBLE && *have.open && !general)
	    || (*have.evidence && verdict == VERDICT_UNKNOWN && !strategy)
	    || (*have.verdict == VERDICT_INFEASIBLE && scope->general == program
	        && verdict != VERDICT_COVERED))
		return;
	scope->general = general ? program : 0;
	*have.verdict = verdict;
	free(*have.evidence);
	if (!v->all || !strategy || !evidence || !*evidence) {
		*have.evidence = strdup(evidence ? evidence : "");
		return;
	}
	char *text = renumber(evidence, sqlite3_column_int64(st, col + 8));
	if (asprintf(have.evidence, "%s, session %lld: %s%s", entry,
	        (long long)sqlite3_column_int64(st, col + 3), narrow ? "not for its inputs, " : "",
	        text)
	    < 0)
		abort();
	free(text);
}

/* Is the row of an objective that no row before was of? Of functions that a suite does not have
 * none is told. */
static bool is_new(
    const struct store_view *v, int64_t first, int64_t last, int64_t session, bool *told)
{
	if (first != last)
		*told = !v->folder || session == v->session;
	return first != last && *told;
}

/* The first column of all rows. */
static char **read_column(struct store *s, sqlite3_stmt *st)
{
	char **list = grow_one(NULL, 0, sizeof *list);
	size_t n = 0;

	while (store_row(s, st)) {
		list[n++] = text(st, 0);
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

static enum flow_side side_of(const char *name)
{
	for (int i = FLOW_TRUE; i < FLOW_DEFAULT; i++)
		if (!strcmp(name, store_side_name((enum flow_side)i)))
			return (enum flow_side)i;
	return FLOW_DEFAULT;
}

/* Where the objectives with some ids are in the view, by id. */
struct place_of {
	int64_t id;
	size_t at;
};
struct places {
	struct place_of *at;
	size_t n;
};

static int by_id(const void *a, const void *b)
{
	const struct place_of *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static void add_place(struct places *p, int64_t id, size_t at)
{
	*PUSH(p->at, p->n) = (struct place_of){ id, at };
}

static void sort_places(struct places *p)
{
	if (p->n)
		qsort(p->at, p->n, sizeof *p->at, by_id);
}

static struct places read_objectives(struct store *s, struct store_view *v)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT coalesce(first, objective.branch), function.name, branch.file, condition,"
	    " branch.line, col, branch.branch, outcome, number, function.line, side, branch.value, objective.branch,"
	    " " FINDING
	    ", decision, next FROM told CROSS JOIN objective ON objective.session = told.session JOIN session ON session.id = told.session"
	    " LEFT JOIN same_branch ON same_branch.id = objective.branch"
	    " JOIN branch ON branch.id = coalesce(first, objective.branch)"
	    " JOIN function ON branch.function = function.id ORDER BY 1, objective.session",
	    "");
	struct places places = { 0 };
	struct scope scope = { 0 };
	bool told = false;

	for (int64_t last = 0; store_row(s, st); last = sqlite3_column_int64(st, 0)) {
		if (is_new(v, sqlite3_column_int64(st, 0), last, sqlite3_column_int64(st, 16),
		        &told)) {
			scope = (struct scope){ 0 };
			v->objective = grow_one(v->objective, v->objectives, sizeof *v->objective);
			struct view_objective *o = &v->objective[v->objectives++];
			*o = (struct view_objective){ .id = sqlite3_column_int64(st, 0),
				.function = text(st, 1),
				.file = text(st, 2),
				.text = text(st, 3),
				.line = small(st, 4),
				.col = small(st, 5),
				.branch = small(st, 6),
				.outcome = small(st, 7),
				.ordinal = small(st, 8),
				.func_line = small(st, 9),
				.side = side_of(store_string(st, 10)),
				.value = sqlite3_column_int64(st, 11),
				.decision = small(st, 22),
				.next = sqlite3_column_int(st, 23) };
		}
		if (!told)
			continue;
		struct view_objective *o = &v->objective[v->objectives - 1];
		read_finding(v,
		    (struct finding){ &o->verdict, &o->evidence, &o->hits, &o->open, &scope }, st,
		    13);
		add_place(&places, sqlite3_column_int64(st, 12), v->objectives - 1);
	}
	sort_places(&places);
	return places;
}

static struct places read_pairs(struct store *s, struct store_view *v)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT coalesce(first, o.pair), function.name, variable, kind, def_file, use_file,"
	    " def_line, def_col, use_line, use_col, o.pair, " FINDING ", path"
	    " FROM told CROSS JOIN pair_objective AS o ON o.session = told.session JOIN session ON session.id = told.session"
	    " LEFT JOIN same_pair ON same_pair.id = o.pair JOIN pair ON pair.id = coalesce(first, o.pair)"
	    " JOIN function ON pair.function = function.id ORDER BY pair.number, 1, o.session",
	    "");
	struct places places = { 0 };
	struct scope scope = { 0 };
	bool told = false;

	for (int64_t last = 0; store_row(s, st); last = sqlite3_column_int64(st, 0)) {
		if (is_new(v, sqlite3_column_int64(st, 0), last, sqlite3_column_int64(st, 14),
		        &told)) {
			scope = (struct scope){ 0 };
			*PUSH(v->pair, v->pairs) =
			    (struct view_pair){ .id = sqlite3_column_int64(st, 0),
				    .function = text(st, 1),
				    .variable = text(st, 2),
				    .kind = text(st, 3),
				    .def_file = text(st, 4),
				    .use_file = text(st, 5),
				    .def_line = small(st, 6),
				    .def_col = small(st, 7),
				    .use_line = small(st, 8),
				    .use_col = small(st, 9),
				    .path = text_or_null(st, 20) };
		}
		if (!told)
			continue;
		struct view_pair *p = &v->pair[v->pairs - 1];
		read_finding(v,
		    (struct finding){ &p->verdict, &p->evidence, &p->hits, &p->open, &scope }, st,
		    11);
		add_place(&places, sqlite3_column_int64(st, 10), v->pairs - 1);
	}
	sort_places(&places);
	return places;
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

static int by_value(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Sorts them and leaves one of each. */
static size_t unique(size_t *list, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(list, n, sizeof *list, by_value);
	for (size_t i = 0; i < n; i++)
		if (!i || list[i] != list[i - 1])
			list[kept++] = list[i];
	return kept;
}

/* The objectives that a test covers, from its JSON list of ids, by their places. */
static size_t *read_covers(const struct places *places, const char *json, size_t *found)
{
	size_t *list = NULL;
	char *end;

	*found = 0;
	for (json += *json != 0; *json && *json != ']'; json = *end == ',' ? end + 1 : end) {
		struct place_of key = { strtoll(json, &end, 10), 0 }, *p;
		if (end == json)
			break;
		if (!places->n
		    || !(p = bsearch(&key, places->at, places->n, sizeof *places->at, by_id)))
			continue;
		list = grow_one(list, *found, sizeof *list);
		list[(*found)++] = p->at;
	}
	*found = unique(list, *found);
	return list;
}

static void find_first_tests(struct store_view *v)
{
	for (size_t i = v->tests; i-- > 0;) {
		const struct view_test *t = &v->test[i];
		for (size_t k = 0; k < t->n; k++)
			v->objective[t->covers[k]].test = t->number;
		for (size_t k = 0; k < t->pairs; k++)
			v->pair[t->pair[k]].test = t->number;
	}
}

static void read_tests(
    struct store *s, struct store_view *v, const struct places *branch, const struct places *pair)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT test.id, before + number, run, origin, test.ending, message, file, line, status,"
	    " signal, result, failure, fresh, ub, output, inputs, branches, pairs,"
	    " CASE WHEN name IS NULL AND ? THEN printf('%s, session %d: test %d', entry, session.id, number) ELSE name END,"
	    " processes, wrote, told.session, entry FROM told JOIN test ON test.session = told.session JOIN session ON session.id = told.session"
	    " LEFT JOIN suite ON test.id = suite.test ORDER BY told.session, number",
	    "n", (int)v->all);

	while (store_row(s, st)) {
		struct view_test *t = PUSH(v->test, v->tests);
		t->number = (uint64_t)sqlite3_column_int64(st, 1);
		t->run = (uint64_t)sqlite3_column_int64(st, 2);
		t->origin = text(st, 3);
		t->end = text(st, 4);
		if (!is_end(t->end))
			store_fail(s, "test %" PRIu64 ": no such ending", t->number);
		t->message = text_or_null(st, 5);
		t->file = text_or_null(st, 6);
		t->line = small(st, 7);
		t->exit_status = sqlite3_column_int(st, 8);
		t->signal = sqlite3_column_int(st, 9);
		t->has_result = sqlite3_column_type(st, 10) != SQLITE_NULL;
		t->result = sqlite3_column_int64(st, 10);
		t->failure = sqlite3_column_int(st, 11);
		t->fresh = sqlite3_column_int(st, 12);
		t->ub = text_or_null(st, 13);
		t->output_size = (size_t)sqlite3_column_bytes(st, 14);
		t->output = malloc(t->output_size + 1);
		memcpy(
		    t->output, t->output_size ? sqlite3_column_blob(st, 14) : "", t->output_size);
		t->output[t->output_size] = 0;
		t->input.id = t->run;
		if (!store_inputs_parse(store_string(st, 15), &t->input)
		    || !store_inputs_parse(store_string(st, 20), &t->wrote))
			store_fail(s, "test %llu: malformed inputs", (unsigned long long)t->number);
		t->covers = read_covers(branch, store_string(st, 16), &t->n);
		t->pair = read_covers(pair, store_string(st, 17), &t->pairs);
		t->name = text_or_null(st, 18);
		t->processes = (uint64_t)sqlite3_column_int64(st, 19);
		t->session = sqlite3_column_int64(st, 21);
		t->entry = text(st, 22);
	}
	find_first_tests(v);
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
		*PUSH(v->failure, v->failures) = (struct view_failure){ .kind = text(st, 0),
			.file = text_or_null(st, 1),
			.line = small(st, 2),
			.function = text_or_null(st, 3),
			.message = text_or_null(st, 4),
			.test = (uint64_t)sqlite3_column_int64(st, 5),
			.count = (uint64_t)sqlite3_column_int64(st, 6) };
	}
	st = store_sql(s,
	    "SELECT reason, file, line, count FROM lost JOIN told ON told.session = lost.session"
	    " ORDER BY told.session, number",
	    "");
	while (store_row(s, st)) {
		*PUSH(v->lost, v->losts) = (struct view_lost){ text(st, 0), text_or_null(st, 1),
			small(st, 2), (uint64_t)sqlite3_column_int64(st, 3) };
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
		*l = (struct view_limit){ .kind = text(st, 0),
			.name = text(st, 1),
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
		*n = (struct view_need){ .kind = text(st, 0),
			.name = text(st, 1),
			.function = text(st, 3),
			.file = text_or_null(st, 4),
			.line = small(st, 5),
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
			abort();
		free(v->narrowing);
		v->narrowing = all;
	}
}

static void read_places(struct store *s, struct store_view *v)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT kind, function, file, iif(verdict = 'share', 'unknown', verdict), line, col, test, runs FROM place"
	    " WHERE session = ? AND NOT instr(kind, ' ') ORDER BY number",
	    "i", v->session);

	while (store_row(s, st)) {
		*PUSH(v->place, v->places) =
		    (struct view_place){ text(st, 0), text(st, 1), text(st, 2), text(st, 3),
			    small(st, 4), small(st, 5), (uint64_t)sqlite3_column_int64(st, 6),
			    (uint64_t)sqlite3_column_int64(st, 7) };
	}
}

/* NULL: they are not known, or not all of them are in the view. */
static size_t *read_ways(const struct places *branch, const char *json, size_t *n)
{
	size_t *list = NULL;
	char *end;

	*n = 0;
	for (json += *json != 0; *json && *json != ']'; json = *end == ',' ? end + 1 : end) {
		struct place_of key = { strtoll(json, &end, 10), 0 }, *p;
		p = branch->n ? bsearch(&key, branch->at, branch->n, sizeof *branch->at, by_id)
		              : NULL;
		if (end == json || !p) {
			free(list);
			*n = 0;
			return NULL;
		}
		list = grow_one(list, *n, sizeof *list);
		list[(*n)++] = p->at;
	}
	*n = unique(list, *n);
	return list;
}

/* What a proof says, in columns verdict and evidence from that one on; text NULL: there is none.
 * It holds for the question of one session alone. */
struct proof {
	enum store_verdict verdict;
	char *text;
};
static struct proof proof_in(const struct store_view *v, sqlite3_stmt *st, int column)
{
	struct proof p = { VERDICT_UNKNOWN, NULL };

	if (v->all || sqlite3_column_type(st, column) == SQLITE_NULL)
		return p;
	p.text = text(st, column + 1);
	if (!strcmp(store_string(st, column), "infeasible"))
		p.verdict = VERDICT_INFEASIBLE;
	return p;
}

/* Covered by a test alone; infeasible when none of its ways is feasible. */
static void judge_target(const struct store_view *v, struct view_target *t, const size_t *way,
    size_t ways, const struct proof *p)
{
	const char *limits = NULL;
	size_t size, closed = 0;
	FILE *f = open_memstream(&t->evidence, &size);
	bool proved = p->verdict == VERDICT_INFEASIBLE;

	for (size_t i = 0; i < ways; i++) {
		const struct view_objective *o = &v->objective[way[i]];
		closed += o->verdict == VERDICT_INFEASIBLE;
		if (o->verdict == VERDICT_UNKNOWN && o->evidence
		    && !strncmp(o->evidence, STORE_LIMITS, strlen(STORE_LIMITS)))
			limits = o->evidence;
	}
	t->verdict = t->test                     ? VERDICT_COVERED
	    : proved || (ways && closed == ways) ? VERDICT_INFEASIBLE
	                                         : VERDICT_UNKNOWN;
	if (t->test)
		fprintf(f, "test %" PRIu64, t->test);
	else if (p->text)
		fputs(p->text, f);
	else if (t->verdict == VERDICT_UNKNOWN)
		fputs(limits   ? limits
		        : ways ? "no run came there"
		               : "no run came there; what leads there is not known",
		    f);
	for (size_t i = 0; t->verdict == VERDICT_INFEASIBLE && !proved && i < ways; i++) {
		const struct view_objective *o = &v->objective[way[i]];
		fprintf(f, "%s%s:%u:%u %s of `%s`",
		    i ? ", " : "no way there is feasible: ", o->file, o->line, o->col,
		    store_side_name(o->side), o->text);
	}
	fclose(f);
}

/* Of several sessions a target once, with the first test that comes there. */
static void read_targets(struct store *s, struct store_view *v, const struct places *branch)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT criterion, name, function, file, line, col, ways, min(iif(test, before + test, NULL)),"
	    " sum(runs), min(p.verdict), evidence FROM target AS t JOIN told USING (session) LEFT JOIN proved AS p ON p.session = t.session"
	    " AND p.target = t.number GROUP BY criterion, name, function, file, line, col, ways ORDER BY min(t.session), t.number",
	    "");

	while (store_row(s, st)) {
		struct view_target *t = PUSH(v->target, v->targets);
		*t = (struct view_target){ .criterion = text(st, 0),
			.name = text(st, 1),
			.function = text(st, 2),
			.file = text(st, 3),
			.line = small(st, 4),
			.col = small(st, 5),
			.test = (uint64_t)sqlite3_column_int64(st, 7),
			.hits = (uint64_t)sqlite3_column_int64(st, 8) };
		size_t ways, *way = read_ways(branch, store_string(st, 6), &ways);
		struct proof p = proof_in(v, st, 9);
		judge_target(v, t, way, ways, &p);
		free(p.text);
		free(way);
	}
}

/* That something never happens says something of the question of one session alone. */
static void read_evaluations(struct store *s, struct store_view *v, const struct places *branch)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT outcomes, evidence FROM proved WHERE session = ? AND outcomes <> '' AND verdict = 'infeasible'",
	    "i", v->all ? 0 : v->session);

	while (store_row(s, st)) {
		struct view_evaluation e = { .evidence = text(st, 1) };
		if (!(e.outcome = read_ways(branch, store_string(st, 0), &e.n))) {
			free(e.evidence);
			continue;
		}
		*PUSH(v->evaluation, v->evaluations) = e;
	}
}

/* Why no run of the session showed it. */
static char *unshown(const struct store_view *v)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	fputs(v->ended && !strcmp(v->ended, "limits") && v->limits ? STORE_LIMITS
	                                                           : "no run showed it",
	    f);
	for (size_t i = 0; v->ended && !strcmp(v->ended, "limits") && i < v->limits; i++)
		fprintf(f, "%s%s", i ? "; " : "", v->limit[i].text);
	fclose(f);
	return text;
}

/* Objectives at instructions, likewise; that all paths were run says something of the question of
 * one session alone. */
static void read_conditions(struct store *s, struct store_view *v)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT substr(kind, 1, instr(kind, ' ') - 1), substr(kind, instr(kind, ' ') + 1), function, file, line, col,"
	    " min(iif(t.test, before + t.test, NULL)), sum(runs), max(t.verdict = 'safe'), min(p.verdict), evidence FROM place AS t"
	    " JOIN told USING (session) LEFT JOIN proved AS p ON p.session = t.session AND p.place = t.number"
	    " WHERE instr(kind, ' ') GROUP BY kind, function, file, line, col ORDER BY min(t.session), t.number",
	    "");

	while (store_row(s, st)) {
		struct proof p = proof_in(v, st, 9);
		bool safe = sqlite3_column_int(st, 8) && !v->all,
		     closed = safe || p.verdict == VERDICT_INFEASIBLE;
		struct view_target *t = PUSH(v->target, v->targets);
		*t = (struct view_target){ .criterion = text(st, 0),
			.name = text(st, 1),
			.function = text(st, 2),
			.file = text(st, 3),
			.line = small(st, 4),
			.col = small(st, 5),
			.test = (uint64_t)sqlite3_column_int64(st, 6),
			.hits = (uint64_t)sqlite3_column_int64(st, 7) };
		t->verdict = t->test ? VERDICT_COVERED
		    : closed         ? VERDICT_INFEASIBLE
		                     : VERDICT_UNKNOWN;
		if (t->test && asprintf(&t->evidence, "test %" PRIu64, t->test) < 0)
			abort();
		if (!t->test)
			t->evidence = safe ? strdup("exhaustion")
			    : p.text       ? strdup(p.text)
			                   : unshown(v);
		free(p.text);
	}
}

static void read_functions(struct store *s, struct store_view *v)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT function.name, function.file, function.line, last, max(runs), function.id"
	    " FROM told CROSS JOIN objective ON objective.session = told.session"
	    " LEFT JOIN same_branch ON same_branch.id = objective.branch"
	    " JOIN branch ON branch.id = coalesce(first, objective.branch) JOIN function ON branch.function = function.id"
	    " GROUP BY function.id HAVING NOT ?1 OR max(objective.session = ?2) ORDER BY function.id",
	    "ni", (int)(v->folder != NULL), v->session);

	while (store_row(s, st)) {
		*PUSH(v->function, v->functions) =
		    (struct view_function){ sqlite3_column_int64(st, 5), text(st, 0), text(st, 1),
			    small(st, 2), small(st, 3), (uint64_t)sqlite3_column_int64(st, 4), NULL,
			    0 };
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
			*f = (struct view_function){ row, text(st, 1), text(st, 2), small(st, 3),
				small(st, 4), 0, NULL, 0 };
		}
		add_lines(f, store_string(st, 5));
	}
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
		struct places branch = read_objectives(s, v), pair = read_pairs(s, v);
		count_unlisted(s, v);
		read_tests(s, v, &branch, &pair);
		read_targets(s, v, &branch);
		read_evaluations(s, v, &branch);
		free(branch.at);
		free(pair.at);
		read_failures(s, v);
		read_limits(s, v);
		read_conditions(s, v);
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

static void free_test(struct view_test *t)
{
	char *all[] = { t->name, t->entry, t->origin, t->end, t->message, t->file, t->ub,
		t->output };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
	input_clear(&t->input);
	input_clear(&t->wrote);
	free(t->covers);
	free(t->pair);
}

void store_view_keep(struct store_view *v, const bool *kept)
{
	size_t n = 0;

	for (size_t i = 0; i < v->tests; i++) {
		if (kept[i])
			v->test[n++] = v->test[i];
		else
			free_test(&v->test[i]);
	}
	v->tests = n;
	find_first_tests(v);
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
		free_test(&v->test[i]);
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
