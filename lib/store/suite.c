/* suite: sessions of strategy `cover`, which record the outcomes that the tests of an existing
 * suite take, for branches of all units of its programs. */
#include "lib/store/db.h"
#include "lib/base/grow.h"
#include "lib/store/suite_targets.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Rows of a unit's branches by outcome; 0: no objective. */
struct suite_unit {
	uint64_t key;
	uint32_t outcomes, first_line, first_call; /* facts of lines and calls begin there */
	int64_t *branch, program;
	size_t unit;
	struct suite_targets targets;
};

struct suite {
	struct suite_unit *unit;
	size_t units,
	    met;       /* met: the unit looked up last, as outcomes of a test come unit by unit */
	double before; /* the suite's seconds in earlier recordings */
	uint32_t criteria;
	struct suite_rows rows;
};

/* Runs `work` in a transaction; undone when it fails. */
static int transaction(struct store *s, int (*work)(struct store *, void *), void *data)
{
	if (store_do(s, "BEGIN IMMEDIATE", ""))
		return -1;
	if (!work(s, data) && !store_do(s, "COMMIT", ""))
		return 0;
	sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return -1;
}

static int add_program(struct store *s, const char *hash, const char *name)
{
	return store_do(
	           s, "INSERT OR IGNORE INTO program (hash, name) VALUES (?, ?)", "tt", hash, name)
	        || store_get(s, &s->program, 0, "SELECT id FROM program WHERE hash = ?", "t", hash)
	    ? -1
	    : 0;
}

static int add_question(struct store *s, const char *hash, const char *text)
{
	return store_do(
	           s, "INSERT OR IGNORE INTO question (hash, text) VALUES (?, ?)", "tt", hash, text)
	        || store_get(
	            s, &s->question, 0, "SELECT id FROM question WHERE hash = ?", "t", hash)
	    ? -1
	    : 0;
}

static int new_session(struct store *s, const struct store_suite *o)
{
	struct timespec now;
	struct store_hash h;
	char *text = NULL, hash[STORE_HASH_TEXT];
	int rc;

	text = formatted("suite %s\nfolder %s\n", o->command, o->folder);
	store_hash_begin(&h);
	store_hash_text(&h, text);
	store_hash_print(&h, hash);
	clock_gettime(CLOCK_REALTIME, &now);
	rc = add_question(s, hash, text) || add_program(s, hash, o->command)
	    || store_do(s,
	        "INSERT INTO session (program, question, strategy, search, entry, seed, plan, narrowing,"
	        " started) VALUES (?, ?, 'cover', '', 'main', '0', '', '', ?)",
	        "iid", s->program, s->question, (double)now.tv_sec + 1e-9 * (double)now.tv_nsec);
	s->session = sqlite3_last_insert_rowid(s->db);
	free(text);
	return rc
	        || store_do(s, "INSERT INTO parameter VALUES (?, 'folder', 1, ?)", "it", s->session,
	            o->folder)
	        || store_do(s, "INSERT INTO parameter VALUES (?, 'parameter', 1, 'command=' || ?)",
	            "it", s->session, o->command)
	    ? -1
	    : 0;
}

static int begin(struct store *s, void *data)
{
	const struct store_suite *o = data;
	sqlite3_stmt *st;

	if (o->append
	    && store_get(
	        s, &s->session, 0, "SELECT max(id) FROM session WHERE strategy = 'cover'", ""))
		return -1;
	if (!s->session)
		return new_session(s, o);
	st = store_sql(s,
	    "SELECT program, question, value FROM session JOIN figure ON session = session.id AND"
	    " name = 'seconds' WHERE session.id = ?",
	    "i", s->session);
	if (store_row(s, st)) {
		s->program = sqlite3_column_int64(st, 0);
		s->question = sqlite3_column_int64(st, 1);
		s->suite->before = sqlite3_column_double(st, 2);
		sqlite3_reset(st);
	}
	return store_do(s,
	    "INSERT INTO parameter SELECT ?, 'parameter', max(position) + 1, 'command=' || ? FROM"
	    " parameter WHERE session = ? AND kind = 'parameter'",
	    "iti", s->session, o->command, s->session);
}

int store_suite_begin(struct store *s, const struct store_suite *o)
{
	struct store_suite copy = *o;

	if (s->session)
		return store_fail(s, "a session is already open");
	s->suite = zeroed(1, sizeof *s->suite);
	s->plan = copied("");
	s->suite->criteria = o->criteria;
	if (!transaction(s, begin, &copy))
		return 0;
	s->session = 0;
	return -1;
}

/* A unit is a program of its own: suites share units between programs. */
static int unit_program(struct store *s, const struct flow_unit *u)
{
	char hash[STORE_HASH_TEXT], key[20];
	struct store_hash h;

	snprintf(key, sizeof key, "%016llx", (unsigned long long)u->key);
	store_hash_begin(&h);
	store_hash_text(&h, "unit");
	store_hash_text(&h, key);
	for (size_t i = 0; i < u->files; i++)
		store_hash_file(&h, u->file[i], u->key);
	store_hash_print(&h, hash);
	return add_program(s, hash, u->name);
}

/* Makes all branches of a function objectives. */
static int add_function(struct store *s, struct suite_unit *to, int64_t row)
{
	sqlite3_stmt *st =
	    store_sql(s, "SELECT id, outcome FROM branch WHERE function = ?", "i", row);

	while (store_row(s, st)) {
		int64_t outcome = sqlite3_column_int64(st, 1);
		if (outcome >= 0 && outcome < to->outcomes)
			to->branch[outcome] = sqlite3_column_int64(st, 0);
	}
	return s->error
	    ? -1
	    : store_do(s,
	          "INSERT OR IGNORE INTO objective SELECT ?, 'branch', id, 'unknown', '', 0 FROM branch"
	          " WHERE function = ?",
	          "ii", s->session, row);
}

struct new_unit {
	uint32_t unit;
	bool (*wants)(void *, const char *file);
	void *data;
	struct suite_unit *to;
};

/* The functions that are wanted; the caller's. */
static bool *wanted(struct store *s, const struct new_unit *n)
{
	const struct flow_unit *u = &s->flow->unit[n->unit];
	bool *mark = zeroed(u->funcs + 1, sizeof *mark);

	for (size_t i = 0; i < u->funcs; i++) {
		const struct flow_func *f = &u->func[i];
		mark[i] = !f->in_system && !f->is_harness
		    && (!f->pos.file || n->wants(n->data, u->file[f->pos.file - 1]));
	}
	return mark;
}

static int add_parts(struct store *s, const struct new_unit *n)
{
	bool *mark = wanted(s, n);
	int rc = passed_unit(s, n->unit, mark)
	    || suite_targets_add(
	        s, &s->suite->rows, n->unit, mark, s->suite->criteria, &n->to->targets);

	free(mark);
	return rc ? -1 : 0;
}

static int add_unit(struct store *s, void *data)
{
	const struct new_unit *n = data;
	const struct flow_unit *u = &s->flow->unit[n->unit];
	int64_t program = s->program, row;
	uint32_t last = 0;
	int rc = unit_program(s, u);

	n->to->program = s->program;
	n->to->unit = s->suite->units - 1;
	rc = rc || add_parts(s, n) ? -1 : 0;

	for (uint32_t i = 0; !rc && i < u->branches; i++) {
		const struct flow_func *f = &u->func[u->branch[i].func - 1];
		if (u->branch[i].func == last || u->branch[i].kind == 'a' || f->in_system
		    || f->is_harness)
			continue;
		last = u->branch[i].func;
		if (f->pos.file && !n->wants(n->data, u->file[f->pos.file - 1]))
			continue;
		rc = store_function_branches(s, n->unit, i, &row) || add_function(s, n->to, row)
		    ? -1
		    : 0;
	}
	s->program = program;
	return rc;
}

static struct suite_unit *find_unit(struct suite *suite, uint64_t key)
{
	if (suite->met < suite->units && suite->unit[suite->met].key == key)
		return &suite->unit[suite->met];
	for (size_t i = 0; i < suite->units; i++)
		if (suite->unit[i].key == key) {
			suite->met = i;
			return &suite->unit[i];
		}
	return NULL;
}

int store_suite_units(
    struct store *s, const struct flow *fl, bool (*wants)(void *, const char *file), void *data)
{
	struct suite *suite = s->suite;
	int rc = 0;

	s->flow = fl;
	for (uint32_t i = 0; !rc && i < fl->units; i++) {
		const struct flow_unit *u = &fl->unit[i];
		if (find_unit(suite, u->key))
			continue;
		struct suite_unit *to = PUSH(suite->unit, suite->units);
		*to = (struct suite_unit){ .key = u->key,
			.outcomes = u->outcomes,
			.first_line = store_fact(u, FACT_LINE, 0),
			.first_call = store_fact(u, FACT_CALL, 0),
			.branch = zeroed(u->outcomes + 1, sizeof *to->branch) };
		rc = transaction(s, add_unit, &(struct new_unit){ i, wants, data, to });
	}
	s->flow = NULL;
	return rc;
}

struct new_pairs {
	const struct defuse *d;
	bool (*wants)(void *, const char *file);
	void *data;
	int64_t *row;
};

/* The row of the function that has the definition of pair i; 0: it is not wanted. */
static int function_of_pair(struct store *s, const struct new_pairs *n, uint32_t i, int64_t *row)
{
	uint32_t unit, id;
	const struct flow_func *f =
	    alias_function_of(n->d->alias, n->d->access[n->d->pair[i].def].func, &unit, &id);
	const struct flow_unit *u = &s->flow->unit[unit];
	const struct suite_unit *known = find_unit(s->suite, u->key);
	bool fresh;

	*row = 0;
	if (!known || f->in_system || f->is_harness
	    || (f->pos.file && !n->wants(n->data, u->file[f->pos.file - 1])))
		return 0;
	s->program = known->program;
	return store_function_row(s, unit, id, row, &fresh);
}

static int add_pairs(struct store *s, void *data)
{
	const struct new_pairs *n = data;
	struct defuse_paths *paths = store_paths(n->d);
	struct store_pair_turn turn = { 0 };
	int64_t program = s->program;
	uint32_t last = UINT32_MAX;
	int rc = 0;

	for (uint32_t i = 0; !rc && i < n->d->pairs; i++) {
		uint32_t func = n->d->access[n->d->pair[i].def].func;
		if (func != last)
			rc = function_of_pair(s, n, i, &turn.function);
		last = func;
		if (!rc && turn.function)
			rc = store_pair_row(s, n->d, paths, i, &turn, &n->row[i])
			        || store_do(s,
			            "INSERT OR IGNORE INTO objective VALUES (?, 'pair', ?, 'unknown', '', 0)",
			            "ii", s->session, n->row[i])
			    ? -1
			    : 0;
	}
	s->program = program;
	defuse_paths_free(paths);
	return rc;
}

int64_t *store_suite_pairs(
    struct store *s, const struct defuse *d, bool (*wants)(void *, const char *file), void *data)
{
	int64_t *row = zeroed(d->pairs + 1, sizeof *row);
	int rc;

	s->flow = d->flow;
	rc = transaction(s, add_pairs, &(struct new_pairs){ d, wants, data, row });
	s->flow = NULL;
	if (!rc)
		return row;
	free(row);
	return NULL;
}

struct new_test {
	struct store_suite_test *t;
	const struct store_taken *taken;
	size_t n;
};

static int64_t branch_of(struct suite *suite, const struct store_taken *taken)
{
	const struct suite_unit *u = find_unit(suite, taken->key);

	return u && taken->fact < u->outcomes ? u->branch[taken->fact] : 0;
}

static char *branches_text(struct suite *suite, const struct new_test *n)
{
	char *text = NULL;
	size_t size;
	const char *comma = "";
	FILE *f = text_stream(&text, &size);

	putc('[', f);
	for (size_t i = 0; i < n->n; i++) {
		int64_t branch = branch_of(suite, &n->taken[i]);
		if (branch)
			fprintf(f, "%s%lld", comma, (long long)branch);
		comma = branch ? "," : comma;
	}
	putc(']', f);
	fclose(f);
	return text;
}

/* Records that a test of the suite covers an objective. *fresh: no earlier test did. */
static int add_covered(
    struct store *s, const char *kind, int64_t goal, const char *test, bool *fresh)
{
	char *evidence;
	int rc;

	evidence = formatted(STORE_SUITE "%s", test);
	rc = store_do(s,
	    "UPDATE objective SET verdict = 'covered', evidence = ?, runs = 1 WHERE session = ?"
	    " AND kind = ? AND goal = ? AND verdict <> 'covered'",
	    "titi", evidence, s->session, kind, goal);
	free(evidence);
	if (!rc && sqlite3_changes(s->db) > 0)
		*fresh = true;
	else if (!rc)
		rc = store_do(s,
		    "UPDATE objective SET runs = runs + 1 WHERE session = ? AND kind = ? AND goal = ?",
		    "iti", s->session, kind, goal);
	return rc ? -1 : 0;
}

/* Records outcomes that the test was not known to take; *fresh: the number of those that no test
 * took before. */
static int add_taken(struct store *s, const struct new_test *n, bool *fresh)
{
	int rc = 0;

	for (size_t i = n->t->known; !rc && i < n->n; i++) {
		int64_t branch = branch_of(s->suite, &n->taken[i]);
		if (branch)
			rc = add_covered(s, "branch", branch, n->t->name, fresh);
	}
	return rc;
}

/* Adds the lines that the test executed, each once, even if it belongs to several blocks. */
static void add_blocks(struct store *s, const struct new_test *n)
{
	passed_run(s);
	for (size_t i = 0; i < n->n; i++) {
		const struct suite_unit *u = find_unit(s->suite, n->taken[i].key);
		uint32_t fact = n->taken[i].fact,
		         blocks = u ? (u->first_line - u->outcomes) / 3 : 0;
		if (!u || fact < u->outcomes + FACT_PASSED * blocks)
			continue;
		if (fact < u->outcomes + FACT_ABORTED * blocks)
			passed_block(s, u->unit, fact - u->outcomes - FACT_PASSED * blocks + 1,
			    i >= n->t->known);
		else if (fact >= u->first_line && fact < u->first_call)
			passed_line(s, u->unit, fact - u->first_line, i >= n->t->known);
	}
}

static int add_reached(struct store *s, const struct new_test *n, int64_t number, bool *fresh)
{
	int rc = 0;

	for (size_t i = n->t->known; !rc && i < n->n; i++) {
		const struct suite_unit *u = find_unit(s->suite, n->taken[i].key);
		if (u && n->taken[i].fact >= u->outcomes)
			rc = suite_targets_reach(s, &u->targets, n->taken[i].fact, number, fresh);
	}
	return rc;
}

static char *pairs_text(const struct store_suite_test *t)
{
	char *text = NULL;
	size_t size;
	FILE *f = text_stream(&text, &size);

	putc('[', f);
	for (size_t i = 0; i < t->pairs; i++)
		fprintf(f, "%s%lld", i ? "," : "", (long long)t->pair[i]);
	putc(']', f);
	fclose(f);
	return text;
}

static int add_covered_pairs(struct store *s, const struct store_suite_test *t, bool *fresh)
{
	int rc = 0;

	for (size_t i = t->known_pairs; !rc && i < t->pairs; i++)
		rc = add_covered(s, "pair", t->pair[i], t->name, fresh);
	return rc;
}

static int insert_test(struct store *s, struct store_suite_test *t, int64_t number,
    const char *branches, const char *pairs, bool fresh)
{
	if (store_do(s,
	        "INSERT INTO test (session, number, run, origin, ending, line, status, signal, failure,"
	        " fresh, output, inputs, pairs, branches) VALUES (?, ?, ?, 'suite', ?, 0, ?, 0, ?, ?, '', '[]', ?, ?)",
	        "iiitnnntt", s->session, number, number, t->ending, t->status, (int)t->failure,
	        (int)fresh, pairs, branches)
	    || store_do(s, "INSERT INTO suite VALUES (last_insert_rowid(), ?, ?)", "tu", t->name,
	        t->processes))
		return -1;
	t->number = (uint64_t)number;
	return 0;
}

static int write_test(struct store *s, void *data)
{
	struct new_test *n = data;
	struct store_suite_test *t = n->t;
	char *branches = branches_text(s->suite, n), *pairs = pairs_text(t);
	bool fresh = false;
	int64_t number = (int64_t)t->number;
	int rc = !number
	    && store_get(s, &number, 0,
	        "SELECT 1 + coalesce(max(number), 0) FROM test WHERE session = ?", "i", s->session);

	if (!rc && number > INT64_C(1) << 53)
		rc = store_fail(s, "a test has an impossible number");
	rc = rc || add_taken(s, n, &fresh) || add_covered_pairs(s, t, &fresh)
	    || add_reached(s, n, number, &fresh);
	add_blocks(s, n);
	rc = rc || passed_write(s);
	if (!rc && !t->number)
		rc = insert_test(s, t, number, branches, pairs, fresh);
	else if (!rc)
		rc =
		    store_do(s,
		        "UPDATE test SET branches = ?, pairs = ?, ending = ?, status = ?, failure = ?,"
		        " fresh = fresh OR ? WHERE session = ? AND number = ?",
		        "tttnnniu", branches, pairs, t->ending, t->status, (int)t->failure,
		        (int)fresh, s->session, t->number)
		    || store_do(s,
		        "UPDATE suite SET processes = ? WHERE test = (SELECT id FROM test WHERE session = ?"
		        " AND number = ?)",
		        "uiu", t->processes, s->session, t->number);
	free(branches);
	free(pairs);
	return rc ? -1 : 0;
}

int store_suite_test(
    struct store *s, struct store_suite_test *t, const struct store_taken *taken, size_t n)
{
	uint64_t number = t->number;

	if (transaction(s, write_test, &(struct new_test){ t, taken, n })) {
		t->number = number;
		return -1;
	}
	passed_written(s);
	t->known = n;
	t->known_pairs = t->pairs;
	return 0;
}

struct ending {
	double seconds;
	const char *ended;
};

static int end(struct store *s, void *data)
{
	const struct ending *e = data;

	return store_do(s, "INSERT OR REPLACE INTO figure VALUES (?, 'seconds', ?)", "id",
	           s->session, s->suite->before + e->seconds)
	        || store_do(s,
	            "INSERT OR REPLACE INTO figure SELECT ?, 'runs', coalesce(sum(processes), 0) FROM suite JOIN"
	            " test ON test = test.id WHERE session = ?",
	            "ii", s->session, s->session)
	        || store_do(
	            s, "UPDATE session SET ended = ? WHERE id = ?", "ti", e->ended, s->session)
	    ? -1
	    : 0;
}

int store_suite_end(struct store *s, double seconds, const char *ended)
{
	return transaction(s, end, &(struct ending){ seconds, ended });
}

void store_suite_free(struct suite *suite)
{
	if (!suite)
		return;
	for (size_t i = 0; i < suite->units; i++) {
		free(suite->unit[i].branch);
		suite_targets_free(&suite->unit[i].targets);
	}
	suite_rows_free(&suite->rows);
	free(suite->unit);
	free(suite);
}
