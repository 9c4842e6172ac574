/* store: a session written and read back, verdicts by question, replay, kill -9, bad files. */
#include "lib/base/home.h"
#include "lib/store/db.h"
#include "lib/store/store.h"
#include "tests/unit/tap.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char model[] = "#flow 1 test\n"
                            "unit\t00000000000000aa\tf.c\t3\t7\t3\n"
                            "file\t1\tf.c\n"
                            "type\t1\ti\t4\t0\t0\tint %s\n"
                            "type\t2\te\t0\t1\t1\tint (%s)(int)\n"
                            "func\t1\tf\t2\t1\t1\t5\t9\t1\t-\t1\t2\n"
                            "var\t1\t1\tp\t1\t1\t1\t13\t1\tx\n"
                            "block\t1\t1\t1\t2\t5\n"
                            "block\t2\t1\t1\t3\t7\n"
                            "branch\t1\t1\t1\tb\t0\t1\t2\t6\t0\t0\tx < 3\n"
                            "branch\t2\t1\t2\ts\t2\t1\t3\t6\t32\t0\tx\n"
                            "case\t2\t7\t1\t4\t7\n"
                            "case\t2\t-8\t1\t5\t8\n"
                            "func\t2\tunused\t2\t1\t20\t5\t29\t1\t-\t3\t1\n"
                            "block\t3\t2\t1\t21\t5\n"
                            "branch\t3\t2\t3\tb\t5\t1\t22\t6\t0\t0\tx\n"
                            "end\t15\n";

static struct flow *load(void)
{
	char *error;
	FILE *f = fmemopen((char *)model, strlen(model), "r");
	struct flow *fl = flow_read(f, "model", &error);

	if (!fl)
		printf("# %s\n", error);
	fclose(f);
	return fl;
}

static struct store *open_store(const char *path, struct flow *fl, const char *bound)
{
	const char *const files[] = { "f.c", NULL }, *const bounds[] = { bound, NULL };
	struct store_start st = { .strategy = "concolic",
		.search = "dfs",
		.entry = "f",
		.seed = UINT64_MAX,
		.flow = fl,
		.file = files,
		.plan = "plan 1\nx\tf\t\t\t0\n",
		.narrowing = "x: any\n",
		.bound = bounds };
	char *error;
	struct store *s = store_open(path, STORE_WRITE, &error);

	if (!s || store_begin(s, &st)) {
		printf("# %s\n", s ? store_error(s) : error);
		exit(1);
	}
	return s;
}

/* A run of f(x) that took the outcomes. */
static struct store_added run(
    struct store *s, uint64_t id, uint64_t x, const uint32_t *outcome, size_t n, enum trace_end end)
{
	static char name[] = "x", message[] = "say \"what\"\n";
	static struct trace_unit unit = { 0xaa, 3, 7, 3, 0 };
	static struct trace_lost lost = { 0, 2, (char *)"float" };
	struct trace_cover cover[8];
	struct trace_block block = { 0, 1 };
	struct trace_var var = { name, 'i', 32, 0, { x, 0 } };
	struct trace t = { .id = id,
		.var = &var,
		.vars = 1,
		.unit = &unit,
		.units = 1,
		.cover = cover,
		.covers = n,
		.block = &block,
		.blocks = 1,
		.end = end,
		.lost = &lost,
		.losts = 1,
		.has_result = true,
		.result = -1,
		.fault_unit = 0,
		.fault_block = 2,
		.fault_message = end == END_ASSERT ? message : NULL };
	struct store_added added;

	for (size_t i = 0; i < n; i++)
		cover[i] = (struct trace_cover){ 0, outcome[i] };
	if (store_add(s, &(struct store_run){ .trace = &t, .origin = "solved" }, &added))
		printf("# %s\n", store_error(s));
	return added;
}

static void read_back(struct store *s)
{
	struct store_view *v = store_view(s, 0);

	ok(v, "a view");
	if (!v) {
		printf("# %s\n", store_error(s));
		return;
	}
	ok(!strcmp(v->strategy, "concolic") && v->seed == UINT64_MAX && !strcmp(v->file[0], "f.c")
	        && !v->file[1],
	    "parameters");
	ok(v->objectives == 5 && v->tests == 2 && v->failures == 1 && v->losts == 1, "numbers");
	ok(v->objective[0].verdict == VERDICT_COVERED && v->objective[0].test == 1
	        && v->objective[0].hits == 3,
	    "covered by the first test");
	ok(v->objective[2].side == FLOW_CASE && v->objective[2].value == 7
	        && v->objective[2].line == 4,
	    "a case stands at its label");
	ok(v->objective[3].verdict == VERDICT_INFEASIBLE
	        && !strcmp(v->objective[3].evidence, "exhaustion"),
	    "exhaustion proves");
	ok(v->test[1].failure && !strcmp(v->test[1].end, "assert") && v->test[1].n == 2
	        && v->test[1].covers[1] == 1,
	    "a failing test");
	ok(v->test[0].input.n == 1 && v->test[0].input.v[0].value.lo == 0xfffffff8, "its input");
	ok(v->test[0].has_result && v->test[0].result == -1, "its result");
	ok(!strcmp(v->failure[0].function, "f") && v->failure[0].line == 3
	        && v->failure[0].test == 2 && v->failure[0].count == 2
	        && !strcmp(v->failure[0].message, "say \"what\"\n"),
	    "the failure");
	ok(v->lost[0].count == 4 && v->lost[0].line == 3 && !strcmp(v->lost[0].file, "f.c"),
	    "lost precision");
	ok(v->figures.runs == 4 && v->figures.asked == 3 && v->figures.exhausted, "figures");
	store_view_free(v);
}

static void session(const char *path, struct flow *fl)
{
	struct store *s = open_store(path, fl, "depth=0");
	struct store_added a;

	ok(store_objectives(s) == 5, "outcomes of the functions that the entry reaches");
	ok(store_find_key(s, 0xaa, 4) == 4 && store_find(s, 0, 5) == SIZE_MAX,
	    "objective of an outcome");
	a = run(s, 1, 0xfffffff8, (const uint32_t[]){ 0 }, 1, END_EXIT);
	ok(a.covered == 1 && a.kept && a.test == 1, "a run that covers something is kept");
	a = run(s, 2, 5, (const uint32_t[]){ 0 }, 1, END_EXIT);
	ok(a.covered == 0 && !a.kept, "one that covers nothing new is not");
	a = run(s, 3, 6, (const uint32_t[]){ 0, 1 }, 2, END_ASSERT);
	ok(a.covered == 1 && a.kept && a.failure && a.test == 2, "a failure is kept");
	a = run(s, 4, 6, (const uint32_t[]){ 1 }, 1, END_ASSERT);
	ok(!a.kept && !a.failure, "the same failure once");
	ok(store_totals(s, STORE_BRANCHES).covered == 2
	        && store_totals(s, STORE_BRANCHES).unknown == 3,
	    "counts");
	store_finish(
	    s, &(struct store_figures){ .asked = 3, .exhausted = true, .ended = "exhausted" });
	ok(store_totals(s, STORE_BRANCHES).infeasible == 3
	        && store_totals(s, STORE_BRANCHES).unknown == 0,
	    "exhausted: no unknown");
	read_back(s);
	ok(store_close(s) == 0, "closed");
}

static void inherit(const char *path, struct flow *fl)
{
	struct store *s = open_store(path, fl, "depth=0");
	struct input *in;
	size_t n = store_replay(s, &in);

	ok(n == 2 && in[0].v[0].value.lo == 0xfffffff8 && !strcmp(in[1].v[0].name, "x"),
	    "tests to replay");
	store_inputs_free(in, n);
	ok(store_inherit(s) == 3 && store_totals(s, STORE_BRANCHES).infeasible == 3,
	    "the same question inherits infeasible");
	run(s, 1, 7, (const uint32_t[]){ 2 }, 1, END_EXIT);
	ok(store_known(s, STORE_BRANCHES, 2).verdict == VERDICT_COVERED
	        && store_totals(s, STORE_BRANCHES).infeasible == 2,
	    "what is covered is not infeasible");
	store_close(s);
	s = open_store(path, fl, "depth=9");
	ok(store_inherit(s) == 0, "another question inherits nothing");
	store_close(s);
	s = open_store(path, fl, "depth=0");
	ok(store_inherit(s) == 2, "covered replaced the wrong verdict");
	store_close(s);
}

/* Writers are killed at odd moments; what is left must be whole. */
static void killed(const char *path, struct flow *fl)
{
	char *error;
	int status;
	bool whole = true;

	for (int i = 0; i < 5; i++) {
		pid_t pid = fork();
		if (!pid) {
			struct store *s = open_store(path, fl, "depth=0");
			for (uint64_t k = 1;; k++) {
				run(s, k, k, (const uint32_t[]){ 0, 1 }, 2,
				    k % 2 ? END_ASSERT : END_EXIT);
				if (k % 7 == 0)
					store_flush(s);
			}
		}
		usleep(30000 + 9000 * (unsigned)i);
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		struct store *s = store_open(path, STORE_READ, &error);
		struct store_view *v = s ? store_view(s, 0) : NULL;
		whole &= v && v->figures.runs >= v->tests && !v->ended;
		for (size_t k = 0; v && k < v->failures; k++)
			whole &= v->failure[k].test >= 1 && v->failure[k].test <= v->tests;
		store_view_free(v);
		store_close(s);
	}
	ok(whole, "kill -9 leaves a consistent store");
	char *command;
	if (asprintf(&command,
	        "test \"$(sqlite3 %s 'PRAGMA integrity_check; PRAGMA foreign_key_check;"
	        " SELECT * FROM test WHERE NOT (json_valid(inputs) AND json_valid(branches) AND json_valid(pairs))'"
	        ")\" = ok",
	        path)
	    < 0)
		exit(1);
	ok(system(command) == 0, "sqlite3 finds it sound, and lists in its tests");
	free(command);
}

static void bad(const char *path, const char *content, const char *message)
{
	char *error = NULL;
	FILE *f = content ? fopen(path, "w") : NULL;

	if (f) {
		fputs(content, f);
		fclose(f);
	}
	struct store *s = store_open(path, STORE_READ, &error);
	ok(!s && error && strstr(error, message), message);
	if (error && !strstr(error, message))
		printf("# %s\n", error);
	store_close(s);
	free(error);
}

/* Inputs of a test: as text and back. */
static void inputs(void)
{
	static const struct trace_var var[] = {
		{ (char *)"a[10]", 'i', 32, 0, { 0xffffffff, 0 } },
		{ (char *)"say \"\\\x01\"", 'c', 8, 4294967295, { 0, 0 } },
		{ (char *)"wide", 'u', 128, 8, { 0xab, 0x1 } },
		{ (char *)"", 'u', 1, 0, { 0x8000000000000000, 0 } },
	};
	size_t n = sizeof var / sizeof *var, same = 0;
	char *text = store_inputs_print(var, n), *none = store_inputs_print(var, 0);
	struct input in = { 0 };

	ok(!strcmp(text,
	       "[[\"a[10]\",\"i\",32,\"ffffffff\"],[\"say \\\"\\\\\\u0001\\\"\",\"c\",8,\"0\",4294967295],"
	       "[\"wide\",\"u\",128,\"100000000000000ab\",8],[\"\",\"u\",1,\"8000000000000000\"]]"),
	    "inputs as text");
	ok(!strcmp(none, "[]"), "no inputs");
	ok(store_inputs_parse(text, &in) && in.n == n, "inputs read back");
	for (size_t i = 0; i < in.n; i++)
		same += !strcmp(in.v[i].name, var[i].name) && in.v[i].kind == var[i].kind
		    && in.v[i].width == var[i].width && in.v[i].offset == var[i].offset
		    && in.v[i].value.lo == var[i].value.lo && in.v[i].value.hi == var[i].value.hi;
	ok(same == n, "they are the same");
	input_clear(&in);
	free(text);
	free(none);
}

/* Scripts may ask for any. */
static void no_such_block(struct flow *fl)
{
	char *error;
	struct store *begun = open_store(":memory:", fl, "time");
	struct store *empty = store_open(":memory:", STORE_WRITE, &error);
	size_t n = 1;

	ok(!store_ways(begun, 0, 0, &n) && !store_ways(begun, 0, 4, &n)
	        && !store_ways(begun, 9, 1, &n),
	    "no such block");
	ok(empty && !store_ways(empty, 0, 1, &n), "nor in a store without a session");
	store_close(empty);
	store_close(begun);
}

/* All that SQLite knows of the tables, as one text; "" on errors. */
static char *tables_of(sqlite3 *db)
{
	sqlite3_stmt *st = NULL;
	char *text = NULL;

	if (sqlite3_prepare_v2(db,
	        "SELECT (SELECT group_concat(type || name || tbl_name || sql, char(10)) FROM"
	        " (SELECT * FROM sqlite_master ORDER BY name)) || application_id || user_version"
	        " FROM pragma_application_id, pragma_user_version",
	        -1, &st, NULL)
	        == SQLITE_OK
	    && sqlite3_step(st) == SQLITE_ROW && sqlite3_column_text(st, 0))
		text = strdup((const char *)sqlite3_column_text(st, 0));
	sqlite3_finalize(st);
	return text ? text : strdup("");
}

/* The empty store that new ones are copied from has the tables of the schema. */
static void fresh(const char *path)
{
	char *schema = home_path("share", "schema.sql"), *text = NULL, *a, *b = NULL, mark[100];
	FILE *f = schema ? fopen(schema, "r") : NULL;
	sqlite3 *copy = NULL, *made = NULL, *file = NULL;
	size_t size = 0;

	snprintf(mark, sizeof mark, "PRAGMA application_id = %d; PRAGMA user_version = %d",
	    STORE_APPLICATION, STORE_VERSION);
	ok(f && getdelim(&text, &size, 0, f) > 0 && sqlite3_open(":memory:", &made) == SQLITE_OK
	        && sqlite3_exec(made, text, NULL, NULL, NULL) == SQLITE_OK
	        && sqlite3_exec(made, mark, NULL, NULL, NULL) == SQLITE_OK,
	    "the schema's statements are run");
	a = tables_of(made);
	ok(sqlite3_open(":memory:", &copy) == SQLITE_OK && store_fresh_memory(copy),
	    "a store in memory is a copy");
	ok(*a && !strcmp(a, b = tables_of(copy)), "with the schema's tables and version");
	free(b);
	ok(store_fresh_file(path) && sqlite3_open(path, &file) == SQLITE_OK, "so is a file");
	ok(!strcmp(a, b = tables_of(file)), "with the same tables and version");
	ok(!store_fresh_file(path), "nothing is put over a file that is there");
	sqlite3_close(copy);
	sqlite3_close(made);
	sqlite3_close(file);
	unlink(path);
	if (f)
		fclose(f);
	free(schema);
	free(text);
	free(a);
	free(b);
}

int main(void)
{
	char dir[] = "/tmp/store-XXXXXX", *path, *other;
	struct flow *fl = load();

	if (!fl || !mkdtemp(dir) || asprintf(&path, "%s/s", dir) < 0
	    || asprintf(&other, "%s/o", dir) < 0)
		return 1;
	inputs();
	fresh(path);
	no_such_block(fl);
	session(":memory:", fl);
	session(path, fl);
	inherit(path, fl);
	killed(path, fl);
	bad(other, NULL, "No such file");
	bad(other,
	    "this is no database, but long enough to be taken for the header of one, is it not? so "
	    "that it cannot be a short file",
	    "not a store of duct");
	bad(other, "", "not a store of duct");
	char *command;
	if (asprintf(&command, "rm -rf %s", dir) < 0 || system(command))
		return 1;
	free(command);
	free(path);
	free(other);
	flow_free(fl);
	return finish();
}
