/* view: all of one session read back, in one transaction so that it is of one moment. */
#include "lib/store/db.h"

#include <stdlib.h>
#include <string.h>

static char *
text(sqlite3_stmt *st, int col)
{
	const unsigned char *s = sqlite3_column_text(st, col);

	return s ? strdup((const char *)s) : NULL;
}

static char *
text_or_empty(sqlite3_stmt *st, int col)
{
	char *s = text(st, col);

	return s ? s : strdup("");
}

static uint32_t
small(sqlite3_stmt *st, int col)
{
	return (uint32_t)sqlite3_column_int64(st, col);
}

static bool
read_session(struct store *s, struct store_view *v, int64_t id)
{
	sqlite3_stmt *st = id
		? store_sql(s, "SELECT session.id, strategy, search, entry, plan, narrowing, question.text, ended,"
		            " extra, seed, exhausted FROM session JOIN question ON question = question.id"
		            " WHERE session.id = ?", "i", id)
		: store_sql(s, "SELECT session.id, strategy, search, entry, plan, narrowing, question.text, ended,"
		            " extra, seed, exhausted FROM session JOIN question ON question = question.id"
		            " ORDER BY session.id DESC LIMIT 1", "");

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
	v->figures.ended = v->ended = text(st, 7);
	v->figures.extra = v->extra = text(st, 8);
	v->seed = strtoull((const char *)sqlite3_column_text(st, 9), NULL, 10);
	v->figures.exhausted = sqlite3_column_int(st, 10);
	sqlite3_reset(st);
	return true;
}

/* The first column of all rows. */
static char **
read_column(struct store *s, sqlite3_stmt *st)
{
	char **list = store_more(NULL, 0, sizeof *list);
	size_t n = 0;

	while (store_row(s, st)) {
		list[n++] = text(st, 0);
		list = store_more(list, n, sizeof *list);
	}
	return list;
}

static char **
read_list(struct store *s, int64_t session, const char *kind)
{
	return read_column(s, store_sql(s, "SELECT value FROM parameter WHERE session = ? AND kind = ?"
	                                " ORDER BY position", "it", session, kind));
}

static char **
read_proofs(struct store *s, int64_t session)
{
	return read_column(s, store_sql(s, "SELECT verdicts FROM proof JOIN session ON proof.session = session.id"
	                                " WHERE question = (SELECT question FROM session WHERE id = ?)"
	                                " ORDER BY proof.session, proof.number", "i", session));
}

static char *
read_folder(struct store *s, int64_t session)
{
	char **list = read_list(s, session, "folder"), *folder = list[0];

	free(list);
	return folder;
}

static void
read_figures(struct store *s, struct store_view *v)
{
	struct store_figures *f = &v->figures;
	const struct { const char *name; double *d; uint64_t *u; } all[] = {
		{ "seconds", &f->seconds, NULL }, { "cpu_run", &f->cpu_run, NULL },
		{ "cpu_solve", &f->cpu_solve, NULL }, { "cpu_prove", &f->cpu_prove, NULL },
		{ "cpu_strategy", &f->cpu_strategy, NULL }, { "runs", NULL, &f->runs },
		{ "paths", NULL, &f->paths }, { "mispredicted", NULL, &f->mispredicted },
		{ "cut", NULL, &f->cut },
		{ "pending", NULL, &f->pending }, { "asked", NULL, &f->asked },
		{ "cached", NULL, &f->cached }, { "engine", NULL, &f->engine }, { "sat", NULL, &f->sat },
		{ "unsat", NULL, &f->unsat }, { "unknown", NULL, &f->unknown },
		{ "disagreed", NULL, &f->disagreed }, { "conjuncts", NULL, &f->conjuncts },
		{ "conjuncts_max", NULL, &f->conjuncts_max }, { "questions", NULL, &f->questions },
		{ "infeasible", NULL, &f->infeasible }, { "pruned", NULL, &f->pruned },
		{ "rounds_max", NULL, &f->rounds_max },
	};
	sqlite3_stmt *st = store_sql(s, "SELECT name, value FROM figure WHERE session = ?", "i", v->session);

	while (store_row(s, st))
		for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
			if (strcmp((const char *)sqlite3_column_text(st, 0), all[i].name))
				continue;
			if (all[i].d)
				*all[i].d = sqlite3_column_double(st, 1);
			else
				*all[i].u = (uint64_t)sqlite3_column_double(st, 1);
		}
}

static enum flow_side
side_of(const char *name)
{
	for (int i = FLOW_TRUE; i < FLOW_DEFAULT; i++)
		if (!strcmp(name, store_side_name((enum flow_side)i)))
			return (enum flow_side)i;
	return FLOW_DEFAULT;
}

static void
read_objectives(struct store *s, struct store_view *v)
{
	sqlite3_stmt *st = store_sql(s, "SELECT branch.id, function.name, branch.file, condition, evidence,"
		" branch.line, col, branch.branch, outcome, number, function.line, side, value, verdict, runs"
		" FROM objective JOIN branch ON objective.branch = branch.id"
		" JOIN function ON branch.function = function.id WHERE session = ? ORDER BY branch.id",
		"i", v->session);

	while (store_row(s, st)) {
		v->objective = store_more(v->objective, v->objectives, sizeof *v->objective);
		struct view_objective *o = &v->objective[v->objectives++];
		o->id = sqlite3_column_int64(st, 0);
		o->function = text(st, 1);
		o->file = text(st, 2);
		o->text = text(st, 3);
		o->evidence = text(st, 4);
		o->line = small(st, 5);
		o->col = small(st, 6);
		o->branch = small(st, 7);
		o->outcome = small(st, 8);
		o->ordinal = small(st, 9);
		o->func_line = small(st, 10);
		o->side = side_of((const char *)sqlite3_column_text(st, 11));
		o->value = sqlite3_column_int64(st, 12);
		o->verdict = store_verdict_find((const char *)sqlite3_column_text(st, 13));
		o->hits = (uint64_t)sqlite3_column_int64(st, 14);
	}
}

static void
read_pairs(struct store *s, struct store_view *v)
{
	sqlite3_stmt *st = store_sql(s, "SELECT pair.id, function.name, variable, kind, evidence, def_file, use_file,"
		" def_line, def_col, use_line, use_col, verdict, runs FROM pair_objective JOIN pair ON pair = pair.id"
		" JOIN function ON function = function.id WHERE session = ? ORDER BY number", "i", v->session);

	while (store_row(s, st)) {
		v->pair = store_more(v->pair, v->pairs, sizeof *v->pair);
		v->pair[v->pairs++] = (struct view_pair){ sqlite3_column_int64(st, 0), text(st, 1), text(st, 2), text(st, 3),
			text(st, 4), text(st, 5), text(st, 6), small(st, 7), small(st, 8), small(st, 9), small(st, 10),
			store_verdict_find((const char *)sqlite3_column_text(st, 11)), 0,
			(uint64_t)sqlite3_column_int64(st, 12) };
	}
}

/* Where the objective with an id is in the view. */
struct place_of { int64_t id; size_t at; };

static int
by_id(const void *a, const void *b)
{
	const struct place_of *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/* What a test covers, from its JSON list of ids, by their places. */
static size_t *
read_covers(const struct place_of *places, size_t n, const char *json, size_t *found)
{
	size_t *list = NULL;
	char *end;

	*found = 0;
	for (json++; *json && *json != ']'; json = *end == ',' ? end + 1 : end) {
		struct place_of key = { strtoll(json, &end, 10), 0 }, *p;
		if (end == json)
			break;
		if (!n || !(p = bsearch(&key, places, n, sizeof *places, by_id)))
			continue;
		list = store_more(list, *found, sizeof *list);
		list[(*found)++] = p->at;
	}
	return list;
}

static void
find_first_tests(struct store_view *v)
{
	for (size_t i = v->tests; i-- > 0; ) {
		const struct view_test *t = &v->test[i];
		for (size_t k = 0; k < t->n; k++)
			v->objective[t->covers[k]].test = t->number;
		for (size_t k = 0; k < t->pairs; k++)
			v->pair[t->pair[k]].test = t->number;
	}
}

static void
read_tests(struct store *s, struct store_view *v)
{
	sqlite3_stmt *st = store_sql(s, "SELECT id, number, run, origin, ending, message, file, line, status,"
		" signal, result, failure, fresh, ub, output, inputs, branches, pairs, name, processes FROM test"
		" LEFT JOIN suite ON test.id = suite.test WHERE session = ? ORDER BY number", "i", v->session);
	struct place_of *branch = calloc(v->objectives + 1, sizeof *branch);
	struct place_of *pair = calloc(v->pairs + 1, sizeof *pair);

	if (!branch || !pair)
		abort();
	for (size_t i = 0; i < v->objectives; i++)
		branch[i] = (struct place_of){ v->objective[i].id, i };
	for (size_t i = 0; i < v->pairs; i++)
		pair[i] = (struct place_of){ v->pair[i].id, i };
	qsort(branch, v->objectives, sizeof *branch, by_id);
	qsort(pair, v->pairs, sizeof *pair, by_id);

	while (store_row(s, st)) {
		v->test = store_more(v->test, v->tests, sizeof *v->test);
		struct view_test *t = &v->test[v->tests++];
		t->number = (uint64_t)sqlite3_column_int64(st, 1);
		t->run = (uint64_t)sqlite3_column_int64(st, 2);
		t->origin = text(st, 3);
		t->end = text(st, 4);
		t->message = text(st, 5);
		t->file = text(st, 6);
		t->line = small(st, 7);
		t->exit_status = sqlite3_column_int(st, 8);
		t->signal = sqlite3_column_int(st, 9);
		t->has_result = sqlite3_column_type(st, 10) != SQLITE_NULL;
		t->result = sqlite3_column_int64(st, 10);
		t->failure = sqlite3_column_int(st, 11);
		t->fresh = sqlite3_column_int(st, 12);
		t->ub = text(st, 13);
		t->output_size = (size_t)sqlite3_column_bytes(st, 14);
		t->output = malloc(t->output_size + 1);
		memcpy(t->output, t->output_size ? sqlite3_column_blob(st, 14) : "", t->output_size);
		t->output[t->output_size] = 0;
		t->input.id = t->run;
		if (!store_inputs_parse((const char *)sqlite3_column_text(st, 15), &t->input))
			store_fail(s, "test %llu: malformed inputs", (unsigned long long)t->number);
		t->covers = read_covers(branch, v->objectives, (const char *)sqlite3_column_text(st, 16), &t->n);
		t->pair = read_covers(pair, v->pairs, (const char *)sqlite3_column_text(st, 17), &t->pairs);
		t->name = text(st, 18);
		t->processes = (uint64_t)sqlite3_column_int64(st, 19);
	}
	free(branch);
	free(pair);
	find_first_tests(v);
}

static void
read_failures(struct store *s, struct store_view *v)
{
	sqlite3_stmt *st = store_sql(s, "SELECT kind, file, line, function, message, test, count FROM failure"
	                             " WHERE session = ? ORDER BY number", "i", v->session);

	while (store_row(s, st)) {
		v->failure = store_more(v->failure, v->failures, sizeof *v->failure);
		v->failure[v->failures++] = (struct view_failure){ .kind = text(st, 0), .file = text(st, 1),
			.line = small(st, 2), .function = text(st, 3), .message = text(st, 4),
			.test = (uint64_t)sqlite3_column_int64(st, 5), .count = (uint64_t)sqlite3_column_int64(st, 6) };
	}
	st = store_sql(s, "SELECT reason, file, line, count FROM lost WHERE session = ? ORDER BY number", "i",
	               v->session);
	while (store_row(s, st)) {
		v->lost = store_more(v->lost, v->losts, sizeof *v->lost);
		v->lost[v->losts++] = (struct view_lost){ text_or_empty(st, 0), text(st, 1), small(st, 2),
		                                          (uint64_t)sqlite3_column_int64(st, 3) };
	}
}

static void
read_places(struct store *s, struct store_view *v)
{
	sqlite3_stmt *st = store_sql(s, "SELECT kind, function, file, verdict, line, col, test, runs FROM place"
	                             " WHERE session = ? ORDER BY number", "i", v->session);

	while (store_row(s, st)) {
		v->place = store_more(v->place, v->places, sizeof *v->place);
		v->place[v->places++] = (struct view_place){ text(st, 0), text(st, 1), text(st, 2), text(st, 3),
			small(st, 4), small(st, 5), (uint64_t)sqlite3_column_int64(st, 6),
			(uint64_t)sqlite3_column_int64(st, 7) };
	}
}

static void
read_functions(struct store *s, struct store_view *v)
{
	sqlite3_stmt *st = store_sql(s, "SELECT function.name, function.file, function.line, last, max(runs)"
		" FROM function JOIN branch ON branch.function = function.id"
		" JOIN objective ON objective.branch = branch.id WHERE session = ? GROUP BY function.id"
		" ORDER BY function.id", "i", v->session);

	while (store_row(s, st)) {
		v->function = store_more(v->function, v->functions, sizeof *v->function);
		v->function[v->functions++] = (struct view_function){ text(st, 0), text(st, 1), small(st, 2),
			small(st, 3), (uint64_t)sqlite3_column_int64(st, 4) };
	}
}

struct store_view *
store_view(struct store *s, int64_t session)
{
	struct store_view *v = calloc(1, sizeof *v);

	if (!v || (s->session && store_flush(s)) || store_do(s, "BEGIN", "")) {
		free(v);
		return NULL;
	}
	if (read_session(s, v, session)) {
		v->file = read_list(s, v->session, "source");
		v->flag = read_list(s, v->session, "flag");
		v->environment = read_list(s, v->session, "environment");
		v->bound = read_list(s, v->session, "bound");
		v->parameter = read_list(s, v->session, "parameter");
		v->folder = read_folder(s, v->session);
		v->proof = read_proofs(s, v->session);
		read_figures(s, v);
		read_objectives(s, v);
		read_pairs(s, v);
		read_tests(s, v);
		read_failures(s, v);
		read_places(s, v);
		read_functions(s, v);
	}
	store_do(s, "COMMIT", "");
	if (!s->error)
		return v;
	store_view_free(v);
	return NULL;
}

static void
free_list(char **list)
{
	for (size_t i = 0; list && list[i]; i++)
		free(list[i]);
	free(list);
}

static void
free_pair(struct view_pair *p)
{
	char *all[] = { p->function, p->variable, p->kind, p->evidence, p->def_file, p->use_file };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
}

static void
free_test(struct view_test *t)
{
	char *all[] = { t->name, t->origin, t->end, t->message, t->file, t->ub, t->output };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
	input_clear(&t->input);
	free(t->covers);
	free(t->pair);
}

void
store_view_keep(struct store_view *v, const bool *kept)
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

void
store_view_free(struct store_view *v)
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
	for (size_t i = 0; i < v->losts; i++) {
		free(v->lost[i].reason);
		free(v->lost[i].file);
	}
	for (size_t i = 0; i < v->functions; i++) {
		free(v->function[i].name);
		free(v->function[i].file);
	}
	char **lists[] = { v->file, v->flag, v->environment, v->bound, v->parameter, v->proof };
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		free_list(lists[i]);
	void *all[] = { v->folder, v->strategy, v->search, v->entry, v->plan, v->narrowing, v->question, v->ended,
	                v->extra, v->objective, v->pair, v->test, v->failure, v->place, v->lost, v->function };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
	free(v);
}
