/* view_tests: reads the tests of a view. */
#include "lib/store/view.h"

#include "lib/base/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_end(const char *name)
{
	for (int i = 0; i < END_COUNT; i++)
		if (!strcmp(name, trace_end_name((enum trace_end)i)))
			return true;
	return !strcmp(name, "unknown"); /* how a recorded process that was killed ended */
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

void view_tests(
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
		bool all;
		struct view_test *t = PUSH(v->test, v->tests);
		t->number = (uint64_t)sqlite3_column_int64(st, 1);
		t->run = (uint64_t)sqlite3_column_int64(st, 2);
		t->origin = view_text(st, 3);
		t->end = view_text(st, 4);
		if (!is_end(t->end))
			store_fail(s, "test %" PRIu64 ": no such ending", t->number);
		t->message = view_text_or_null(st, 5);
		t->file = view_text_or_null(st, 6);
		t->line = view_small(st, 7);
		t->exit_status = sqlite3_column_int(st, 8);
		t->signal = sqlite3_column_int(st, 9);
		t->has_result = sqlite3_column_type(st, 10) != SQLITE_NULL;
		t->result = sqlite3_column_int64(st, 10);
		t->failure = sqlite3_column_int(st, 11);
		t->fresh = sqlite3_column_int(st, 12);
		t->ub = view_text_or_null(st, 13);
		t->output_size = (size_t)sqlite3_column_bytes(st, 14);
		t->output = reserved(t->output_size + 1, 1);
		memcpy(
		    t->output, t->output_size ? sqlite3_column_blob(st, 14) : "", t->output_size);
		t->output[t->output_size] = 0;
		t->input.id = t->run;
		if (!store_inputs_parse(store_string(st, 15), &t->input)
		    || !store_inputs_parse(store_string(st, 20), &t->wrote))
			store_fail(s, "test %llu: malformed inputs", (unsigned long long)t->number);
		t->order = view_listed(branch, store_string(st, 16), &t->n);
		t->covers = view_placed(branch, store_string(st, 16), &t->n, &all);
		t->pair = view_placed(pair, store_string(st, 17), &t->pairs, &all);
		t->name = view_text_or_null(st, 18);
		t->processes = (uint64_t)sqlite3_column_int64(st, 19);
		t->session = sqlite3_column_int64(st, 21);
		t->entry = view_text(st, 22);
	}
	find_first_tests(v);
}

void view_free_test(struct view_test *t)
{
	char *all[] = { t->name, t->entry, t->origin, t->end, t->message, t->file, t->ub,
		t->output };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
	input_clear(&t->input);
	input_clear(&t->wrote);
	free(t->covers);
	free(t->order);
	free(t->pair);
}

void store_view_keep(struct store_view *v, const bool *kept)
{
	size_t n = 0;

	for (size_t i = 0; i < v->tests; i++) {
		if (kept[i])
			v->test[n++] = v->test[i];
		else
			view_free_test(&v->test[i]);
	}
	v->tests = n;
	find_first_tests(v);
}
