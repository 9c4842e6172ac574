/* view_lists: failures, limits, needs, checked places, functions and their lines of a view. */
#include "lib/limits/limits.h"
#include "lib/store/view.h"
#include "lib/base/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void view_failures(struct store *s, struct store_view *v)
{
	/* for several sessions, each place appears once, with the first test that shows it */
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

/* For several sessions, each limit appears once, as the last of them had it. */
void view_limits(struct store *s, struct store_view *v)
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

void view_needs(struct store *s, struct store_view *v)
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
void view_assume_needs(struct store_view *v)
{
	bool asked = false;
	char *all;

	for (size_t i = 0; v->parameter[i]; i++)
		asked |= !strcmp(v->parameter[i], "option assume-needs=true");
	for (size_t i = 0; asked && i < v->needs; i++) {
		all = formatted("%s%s: %s\n", v->narrowing ? v->narrowing : "", v->need[i].function,
		    v->need[i].text);
		free(v->narrowing);
		v->narrowing = all;
	}
}

/* For several sessions, each place appears once; it is found if one of them found it. That all
 * paths of one session were run says nothing about other callers: such a place is safe only in the
 * session's own entry, and only if that session had no assumptions or no other session left the
 * place open (as in read_finding). */
void view_places(struct store *s, struct store_view *v)
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

void view_functions(struct store *s, struct store_view *v)
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

/* Adds the lines of a row of table `passed` to those of earlier sessions. */
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
void view_lines(struct store *s, struct store_view *v)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT first, name, file, line, last, lines FROM (SELECT f.*, lines, min(f.id) OVER same"
	    " AS first, max(told.session = ?2) OVER same AS mine FROM told JOIN passed ON passed.session = told.session JOIN function"
	    " AS f ON f.id = function WINDOW same AS (PARTITION BY " VIEW_SAME
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
