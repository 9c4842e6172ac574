/* view_targets: targets, evaluations of decisions, and conditions at instructions of a view. */
#include "lib/store/view.h"

#include "lib/base/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The ways of a target as indices; NULL: they are not known, or the view lacks some. */
static size_t *read_ways(const struct places *branch, const char *json, size_t *n)
{
	bool all;
	size_t *list = view_placed(branch, json, n, &all);

	if (all)
		return list;
	free(list);
	*n = 0;
	return NULL;
}

/* The verdict of a proof, in two columns from the given one on: verdict and evidence; text NULL:
 * there is none. It holds only for the question of its session. */
struct proof {
	enum store_verdict verdict;
	char *text;
};
static struct proof proof_in(const struct store_view *v, sqlite3_stmt *st, int column)
{
	struct proof p = { VERDICT_UNKNOWN, NULL };

	if (v->all || sqlite3_column_type(st, column) == SQLITE_NULL)
		return p;
	p.text = view_text(st, column + 1);
	if (!strcmp(store_string(st, column), "infeasible"))
		p.verdict = VERDICT_INFEASIBLE;
	return p;
}

/* Writes, for an open target, the outcomes that lead to it and were not taken: the list of branches
 * says why. Nothing if runs took them all. */
static void tell_open(FILE *f, const struct store_view *v, const size_t *way, size_t ways)
{
	enum { SHOWN = 3 };
	size_t n = 0;

	for (size_t i = 0; i < ways; i++) {
		const struct view_objective *o = &v->objective[way[i]];
		if (o->verdict != VERDICT_UNKNOWN)
			continue;
		if (n++ < SHOWN)
			fprintf(f, "%s%s:%u:%u %s of `%s`", n == 1 ? ": none takes " : " or ",
			    o->file, o->line, o->col, store_side_name(o->side), o->text);
	}
	if (n > SHOWN)
		fprintf(f, ", nor %zu more", n - SHOWN);
}

/* Sets the verdict of a target: covered only by a test that reached it; infeasible when none of its
 * ways is feasible. */
static void judge_target(const struct store_view *v, struct view_target *t, const size_t *way,
    size_t ways, const struct proof *p)
{
	const char *limits = NULL;
	size_t size, closed = 0;
	FILE *f = text_stream(&t->evidence, &size);
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
		        : ways ? "no run reached it"
		               : "no run reached it; the ways to it are not known",
		    f);
	if (!t->test && !p->text && t->verdict == VERDICT_UNKNOWN && !limits)
		tell_open(f, v, way, ways);
	for (size_t i = 0; t->verdict == VERDICT_INFEASIBLE && !proved && i < ways; i++) {
		const struct view_objective *o = &v->objective[way[i]];
		fprintf(f, "%s%s:%u:%u %s of `%s`",
		    i ? ", " : "no way to it is feasible: ", o->file, o->line, o->col,
		    store_side_name(o->side), o->text);
	}
	fclose(f);
}

/* Adds a target from a row: six columns criterion, name, function, file, line and column; column
 * `test` has the first test, the next one the number of runs. */
static struct view_target *add_target(struct store_view *v, sqlite3_stmt *st, int test)
{
	struct view_target *t = PUSH(v->target, v->targets);
	*t = (struct view_target){ .criterion = view_text(st, 0),
		.name = view_text(st, 1),
		.function = view_text(st, 2),
		.file = view_text(st, 3),
		.line = view_small(st, 4),
		.col = view_small(st, 5),
		.test = (uint64_t)sqlite3_column_int64(st, test),
		.hits = (uint64_t)sqlite3_column_int64(st, test + 1) };
	return t;
}

/* For several sessions, each target appears once, with the first test that reaches it. */
void view_targets(struct store *s, struct store_view *v, const struct places *branch)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT criterion, name, function, file, line, col, ways, min(iif(test, before + test, NULL)),"
	    " sum(runs), min(p.verdict), evidence FROM target AS t JOIN told USING (session) LEFT JOIN proved AS p ON p.session = t.session"
	    " AND p.target = t.number GROUP BY criterion, name, function, file, line, col, ways ORDER BY min(t.session), t.number",
	    "");

	while (store_row(s, st)) {
		struct view_target *t = add_target(v, st, 7);
		size_t ways, *way = read_ways(branch, store_string(st, 6), &ways);
		struct proof p = proof_in(v, st, 9);
		judge_target(v, t, way, ways, &p);
		free(p.text);
		free(way);
	}
}

/* Proofs about evaluations hold only for the question of one session. */
void view_evaluations(struct store *s, struct store_view *v, const struct places *branch)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT outcomes, evidence FROM proved WHERE session = ? AND outcomes <> '' AND verdict = 'infeasible'",
	    "i", v->all ? 0 : v->session);

	while (store_row(s, st)) {
		struct view_evaluation e = { .evidence = view_text(st, 1) };
		if (!(e.outcome = read_ways(branch, store_string(st, 0), &e.n))) {
			free(e.evidence);
			continue;
		}
		*PUSH(v->evaluation, v->evaluations) = e;
	}
}

/* The reason why no run of the session covered an objective at an instruction. */
static char *unshown(const struct store_view *v)
{
	char *text;
	size_t size;
	FILE *f = text_stream(&text, &size);

	fputs(v->ended && !strcmp(v->ended, "limits") && v->limits ? STORE_LIMITS
	                                                           : "no run showed it",
	    f);
	for (size_t i = 0; v->ended && !strcmp(v->ended, "limits") && i < v->limits; i++)
		fprintf(f, "%s%s", i ? "; " : "", v->limit[i].text);
	fclose(f);
	return text;
}

/* For several sessions, each objective at an instruction appears once; exhaustion of a session's
 * paths counts only in a view of that session. */
void view_conditions(struct store *s, struct store_view *v)
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
		struct view_target *t = add_target(v, st, 6);
		t->verdict = t->test ? VERDICT_COVERED
		    : closed         ? VERDICT_INFEASIBLE
		                     : VERDICT_UNKNOWN;
		if (t->test)
			t->evidence = formatted("test %" PRIu64, t->test);
		if (!t->test)
			t->evidence = safe ? copied("exhaustion")
			    : p.text       ? copied(p.text)
			                   : unshown(v);
		free(p.text);
	}
}
