/* session: registers a session, the functions of its program, and its objectives. */
#include "lib/store/db.h"
#include "lib/base/grow.h"
#include "lib/protocol/criterion.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int add_list(struct store *s, const char *kind, const char *const *item)
{
	for (int i = 0; item && item[i]; i++)
		if (store_do(s, "INSERT INTO parameter VALUES (?, ?, ?, ?)", "itnt", s->session,
		        kind, i + 1, item[i]))
			return -1;
	return 0;
}

/* Adds the folder of the session, to which file names are relative. */
static int add_directory(struct store *s)
{
	char *directory = getcwd(NULL, 0);
	int rc = add_list(s, "directory", (const char *const[]){ directory, NULL });

	free(directory);
	return rc;
}

static int add_session(struct store *s, const struct store_start *st)
{
	char seed[24], *assumed = store_assumptions(st->narrowing);
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(seed, sizeof seed, "%llu", (unsigned long long)st->seed);
	if (store_do(s,
	        "INSERT INTO session (program, question, strategy, search, entry, seed, plan, narrowing,"
	        " started) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
	        "iittttttd", s->program, s->question, st->strategy, st->search ? st->search : "",
	        st->entry, seed, s->plan, assumed,
	        (double)now.tv_sec + 1e-9 * (double)now.tv_nsec)) {
		free(assumed);
		return -1;
	}
	free(assumed);
	s->session = sqlite3_last_insert_rowid(s->db);
	return add_directory(s) || add_list(s, "source", st->file) || add_list(s, "flag", st->flag)
	        || add_list(s, "environment", st->environment) || add_list(s, "bound", st->bound)
	        || add_list(s, "parameter", st->parameter)
	    ? -1
	    : 0;
}

static const char *file_name(const struct flow_unit *u, uint32_t file)
{
	return file ? u->file[file - 1] : u->name;
}

/* The objective for a condition's k-th outcome. Its place is that of the case or default label. */
static struct store_objective describe(
    const struct flow *fl, uint32_t unit, uint32_t branch, size_t k)
{
	const struct flow_unit *u = &fl->unit[unit];
	const struct flow_branch *b = &u->branch[branch];
	struct store_objective o = {
		.unit = unit, .branch = branch + 1, .outcome = b->first + (uint32_t)k
	};
	struct flow_pos pos = b->pos, region = b->region;

	if (b->kind == 's') {
		o.side = k < b->cases ? FLOW_CASE : FLOW_DEFAULT;
		o.value = k < b->cases ? b->value[k] : 0;
		struct flow_pos at = k < b->cases ? b->case_pos[k] : b->default_pos;
		if (at.line)
			pos = region = at;
	} else {
		o.side = k ? FLOW_FALSE : FLOW_TRUE;
	}
	o.function = u->func[b->func - 1].name;
	o.file = file_name(u, pos.file);
	o.text = b->text;
	o.line = pos.line;
	o.col = pos.col;
	o.region_file = file_name(u, region.file);
	o.region_line = region.line;
	o.region_col = region.col;
	return o;
}

static void add_objective(struct store *s, struct store_objective o)
{
	struct known_set *k = &s->known[STORE_BRANCHES];

	s->objective = grow_one(s->objective, k->n, sizeof *s->objective);
	s->objective[k->n] = o;
	known_add(k);
	s->by_outcome[o.unit][o.outcome] = (uint32_t)k->n;
}

static bool countable(const struct flow_unit *u, const struct flow_branch *b, const bool *mark)
{
	const struct flow_func *f = &u->func[b->func - 1];

	return b->kind != 'a' && mark[b->func - 1] && !f->is_harness && !f->in_system;
}

static void find_objectives(struct store *s, const char *entry, const char *const *parameter)
{
	const struct flow *fl = s->flow;
	bool **mark = flow_reachable(fl, entry);

	s->by_outcome = zeroed(fl->units + 1, sizeof *s->by_outcome);
	for (uint32_t i = 0; i < fl->units; i++) {
		const struct flow_unit *u = &fl->unit[i];
		s->by_outcome[i] = zeroed(u->outcomes + 1, sizeof **s->by_outcome);
		for (uint32_t j = 0; j < u->branches; j++) {
			const struct flow_branch *b = &u->branch[j];
			size_t sides = b->kind == 's' ? b->cases + 1 : 2;
			for (size_t k = 0; countable(u, b, mark[i]) && k < sides; k++)
				add_objective(s, describe(fl, i, j, k));
		}
	}
	store_find_places(s, mark);
	store_find_targets(s, mark, parameter);
	flow_marks_free(fl, mark);
}

/* The number, in its function, of the condition that is evaluated after the given one; 0, -1: the
 * decision is true, false. Conditions of a decision are numbered in the order of their
 * evaluation. */
static int next_number(
    const struct flow_unit *u, const struct flow_branch *b, int number, uint32_t next)
{
	if (next == FLOW_IS_TRUE || next == FLOW_IS_FALSE)
		return next == FLOW_IS_TRUE ? 0 : -1;
	for (const struct flow_branch *to = &u->branch[next - 1], *at = b; at != to;
	    at += at < to ? 1 : -1)
		number += at < to ? at[1].kind != 'a' : -(at->kind != 'a');
	return number;
}

static int add_branches(
    struct store *s, const struct flow_unit *u, uint32_t unit, uint32_t first, int64_t row)
{
	int number = 0;

	for (uint32_t j = first; j < u->branches && u->branch[j].func == u->branch[first].func;
	    j++) {
		const struct flow_branch *b = &u->branch[j];
		if (b->kind == 'a')
			continue;
		number++;
		for (size_t k = 0; k < (b->kind == 's' ? b->cases + 1 : 2); k++) {
			struct store_objective o = describe(s->flow, unit, j, k);
			if (store_do(s,
			        "INSERT INTO branch (function, number, side, value, condition, file, line, col,"
			        " region_file, region_line, region_col, key, branch, outcome, decision, next)"
			        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, 0), ?)",
			        "intittnntnntnnnn", row, number, store_side_name(o.side), o.value,
			        o.text, o.file, (int)o.line, (int)o.col, o.region_file,
			        (int)o.region_line, (int)o.region_col, u->name, (int)o.branch,
			        (int)o.outcome, (int)b->decision,
			        b->decision ? next_number(u, b, number, b->next[k]) : 0))
				return -1;
		}
	}
	return 0;
}

/* The hash of a file's content, kept for the next call, as functions of one file are consecutive.
 */
static const char *source_hash(struct store *s, const char *file)
{
	struct store_hash h;

	if (s->source && !strcmp(s->source, file))
		return s->source_hash;
	free(s->source);
	s->source = copied(file);
	store_hash_begin(&h);
	if (store_hash_content(&h, file))
		store_hash_print(&h, s->source_hash);
	else
		*s->source_hash = 0;
	return s->source_hash;
}

int store_function_row(struct store *s, uint32_t unit, uint32_t func, int64_t *row, bool *fresh)
{
	const struct flow_unit *u = &s->flow->unit[unit];
	const struct flow_func *f = &u->func[func - 1];
	const char *file = file_name(u, f->pos.file);
	char hash[20];

	snprintf(hash, sizeof hash, "%016llx", (unsigned long long)f->hash);
	if (store_get(s, row, 0,
	        "SELECT id FROM function WHERE program = ? AND name = ? AND unit = ? AND hash = ?"
	        " AND file = ? AND line = ?",
	        "ittttn", s->program, f->name, u->name, hash, file, (int)f->pos.line))
		return -1;
	*fresh = !*row;
	if (*row)
		return 0;
	if (store_do(s,
	        "INSERT INTO function (program, unit, hash, name, file, line, last, source)"
	        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
	        "ittttnnt", s->program, u->name, hash, f->name, file, (int)f->pos.line,
	        (int)f->end.line, source_hash(s, file)))
		return -1;
	*row = sqlite3_last_insert_rowid(s->db);
	return 0;
}

static int branch_ids(struct store *s, uint32_t unit, int64_t row)
{
	sqlite3_stmt *st =
	    store_sql(s, "SELECT id, outcome FROM branch WHERE function = ?", "i", row);

	while (store_row(s, st)) {
		int64_t outcome = sqlite3_column_int64(st, 1);
		uint32_t i = outcome >= 0 && outcome < s->flow->unit[unit].outcomes
		    ? s->by_outcome[unit][outcome]
		    : 0;
		if (i)
			s->known[STORE_BRANCHES].at[i - 1].id = sqlite3_column_int64(st, 0);
	}
	return s->error ? -1 : 0;
}

int store_function_branches(struct store *s, uint32_t unit, uint32_t first, int64_t *row)
{
	const struct flow_unit *u = &s->flow->unit[unit];
	int64_t branches;
	bool fresh;

	return store_function_row(s, unit, u->branch[first].func, row, &fresh)
	        || store_get(
	            s, &branches, 0, "SELECT count(*) FROM branch WHERE function = ?", "i", *row)
	        || (!branches && add_branches(s, u, unit, first, *row))
	    ? -1
	    : 0;
}

/* Lines of functions that the entry reaches, with conditions or without. */
static int add_lines(struct store *s, const char *entry)
{
	const struct flow *fl = s->flow;
	bool **mark = flow_reachable(fl, entry);
	int rc = 0;

	for (uint32_t i = 0; !rc && i < fl->units; i++) {
		for (size_t k = 0; k < fl->unit[i].funcs; k++)
			mark[i][k] = mark[i][k] && !fl->unit[i].func[k].is_harness
			    && !fl->unit[i].func[k].in_system;
		rc = passed_unit(s, i, mark[i]);
	}
	flow_marks_free(fl, mark);
	return rc;
}

static int add_functions(struct store *s)
{
	const struct known_set *k = &s->known[STORE_BRANCHES];
	uint32_t unit = UINT32_MAX, func = 0;
	int64_t row;

	for (size_t i = 0; i < k->n; i++) {
		const struct store_objective *o = &s->objective[i];
		uint32_t f = s->flow->unit[o->unit].branch[o->branch - 1].func;
		if (k->at[i].id || (o->unit == unit && f == func))
			continue;
		unit = o->unit;
		func = f;
		if (store_function_branches(s, unit, o->branch - 1, &row)
		    || branch_ids(s, unit, row))
			return -1;
	}
	for (size_t i = 0; i < k->n; i++)
		if (!k->at[i].id)
			return store_fail(
			    s, "the store knows another version of %s", s->objective[i].file);
	return 0;
}

bool store_by_definition(const char *const *parameter)
{
	return criteria_among(parameter, "criterion") & criteria_with(CRITERION_DEFINITIONS);
}

static void find_entry(struct store *s, const char *entry)
{
	const struct flow_unit *u;
	const struct flow_func *f = flow_find(s->flow, entry, &u);

	if (f) {
		s->entry_unit = (uint32_t)(u - s->flow->unit);
		s->entry_block = f->first_block;
	}
}

int store_begin(struct store *s, const struct store_start *st)
{
	char hash[STORE_HASH_TEXT];

	if (s->session)
		return store_fail(s, "a session is already open");
	s->flow = st->flow;
	s->defuse = st->defuse;
	s->by_definition = store_by_definition(st->parameter);
	s->plan = copied(st->plan ? st->plan : "");
	if (strstr(s->plan,
	        "\nb\t")) /* values written by a function called before are not initial values */
		s->unpaired = copied("what is called first");
	s->others_call = st->linked || store_calls_back(st->flag);
	store_members_begin(s, st);
	find_entry(s, st->entry);
	find_objectives(s, st->entry, st->parameter);
	store_vectors_begin(s, st->parameter);
	store_limits_begin(s, st);
	store_program_hash(st, hash);
	if (store_do(s, "BEGIN IMMEDIATE", ""))
		return -1;
	if (store_ask_targets(s, st->entry, st->target) || store_add_program(s, st, hash)
	    || store_add_question(s, st) || add_session(s, st) || add_functions(s)
	    || add_lines(s, st->entry) || store_add_pairs(s)) {
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
		s->session = 0;
		return -1;
	}
	s->alone = s->session == 1 && !*store_path(s);
	return store_do(s, "COMMIT", "") || store_flush(s) ? -1 : 0;
}

int64_t store_session(const struct store *s)
{
	return s->session;
}

size_t store_objectives(const struct store *s)
{
	return s->known[STORE_BRANCHES].n;
}

const struct store_objective *store_objective(const struct store *s, size_t i)
{
	return i < s->known[STORE_BRANCHES].n ? &s->objective[i] : NULL;
}

size_t store_find(const struct store *s, uint32_t unit, uint32_t outcome)
{
	if (!s->flow || unit >= s->flow->units || outcome >= s->flow->unit[unit].outcomes
	    || !s->by_outcome[unit][outcome])
		return SIZE_MAX;
	return s->by_outcome[unit][outcome] - 1;
}

size_t store_find_key(const struct store *s, uint64_t key, uint32_t outcome)
{
	const struct flow_unit *u = s->flow ? flow_unit_by_key(s->flow, key) : NULL;

	return u ? store_find(s, (uint32_t)(u - s->flow->unit), outcome) : SIZE_MAX;
}

void store_session_free(struct store *s)
{
	store_suite_free(s->suite);
	passed_free(s);
	store_left_free(s->left);
	store_limits_free(s);
	store_needs_free(s);
	if (s->reached)
		flow_marks_free(s->flow, s->reached);
	store_targets_free(s);
	store_vectors_free(s->vectors);
	free(s->source);
	for (int i = 0; i < STORE_AIMS; i++)
		known_free(&s->known[i]);
	for (size_t i = 0; s->by_outcome && i < s->flow->units; i++)
		free(s->by_outcome[i]);
	for (size_t i = 0; i < s->failures; i++) {
		free(s->failure[i].file);
		free(s->failure[i].message);
	}
	for (size_t i = 0; i < s->losts; i++)
		free(s->lost[i].reason);
	for (size_t i = 0; i < s->pending_tests; i++)
		store_test_free(&s->test[i]);
	void *all[] = { s->objective, s->by_outcome, s->failure, s->lost, s->place, s->test,
		s->execution, s->plan, s->function_row, s->ended, s->extra, s->share, s->unpaired,
		s->unit_of, s->unit_key };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
}
