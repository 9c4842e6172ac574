/* text: the summary for people at the end of a session. */
#include "lib/base/grow.h"
#include "lib/report/aims.h"
#include "lib/report/lines.h"
#include "lib/report/out.h"
#include "lib/report/quote.h"
#include "lib/report/report.h"
#include "lib/report/value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 10 }; /* inputs of a failure */

static const struct {
	const char *kind, *words;
} kinds[] = {
	{ "signal", "killed by a signal" },
	{ "abort", "abort" },
	{ "assert", "assertion failed" },
	{ "division", "division by zero, or of the least number by -1" },
	{ "null", "null pointer dereferenced" },
	{ "segv", "invalid memory access" },
	{ "bounds", "access outside of an object" },
	{ "error", "error function reached" },
	{ "timeout", "time limit of a run" },
	{ "overflow", "signed integer overflow" },
	{ "shift", "shift by too many bits" },
	{ "uninit", "decision on uninitialised memory" },
	{ "leak", "memory is lost" },
	{ "memory", "memory limit of a run" },
	{ "output", "output limit of a run" },
};

const char *failure_words(const char *kind)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(kind, kinds[i].kind))
			return kinds[i].words;
	return kind;
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* Writes bounds of the question, then those of the session. */
static void bounds(FILE *f, const struct store_view *v)
{
	char *const *list[] = { v->bound, v->parameter };
	const char *comma = "bounds: ";

	for (size_t k = 0; k < 2; k++) {
		for (size_t i = 0; list[k] && list[k][i]; i++) {
			if (!strncmp(list[k][i], "option ", 7))
				continue;
			fprintf(f, "%s%s", comma, list[k][i]);
			comma = ", ";
		}
	}
	fputs(*comma == ',' ? "\n" : "", f);
}

/* The heading of a recorded suite. */
static void suite_heading(FILE *f, const struct store_view *v)
{
	const struct store_figures *x = &v->figures;

	fprintf(f, "suite, in %s:\n", v->folder);
	for (size_t i = 0; v->parameter[i]; i++)
		fprintf(f, "  %s\n", v->parameter[i] + strcspn(v->parameter[i], "=") + 1);
	if (!v->ended)
		fputs("still running, or killed: what was recorded so far\n", f);
	fprintf(f, "%zu test%s, %" PRIu64 " process%s, %.2f s\n", v->tests, plural(v->tests),
	    x->runs, x->runs == 1 ? "" : "es", x->seconds);
}

static void heading(FILE *f, const struct store_view *v)
{
	quote_line(f, v->strategy);
	fprintf(f, " of %s", v->entry);
	for (size_t i = 0; v->file[i]; i++) {
		fputs(i ? ", " : " in ", f);
		quote_line(f, v->file[i]);
	}
	fprintf(f, "; search %s, seed %" PRIu64 "\n", *v->search ? v->search : "-", v->seed);
}

static void other_sessions(FILE *f, const struct store_view *v)
{
	size_t n = 0;

	while (v->others[n])
		if (n++ < SUMMARY)
			fprintf(f, "and %s\n", v->others[n - 1]);
	if (n > SUMMARY)
		fprintf(f, "and %zu more session%s: --json\n", n - SUMMARY, plural(n - SUMMARY));
}

static void ending(FILE *f, const struct store_view *v)
{
	if (v->figures.exhausted)
		fputs("ended: every feasible path was run\n", f);
	else if (v->ended && !strcmp(v->ended, "limits"))
		fputs("ended: every path within the limits was run\n", f);
	else if (v->ended)
		fprintf(f, "ended: %s\n", v->ended);
	else
		fputs("still running, or killed: figures so far\n", f);
}

void counters_text(FILE *f, const struct store_view *v)
{
	const struct store_figures *x = &v->figures;

	fprintf(f,
	    "%" PRIu64 " run%s, %" PRIu64 " path%s, %zu test%s kept, %" PRIu64 " misprediction%s",
	    x->runs, plural(x->runs), x->paths, plural(x->paths), v->tests, plural(v->tests),
	    x->mispredicted, plural(x->mispredicted));
	if (x->cut)
		fprintf(f, ", %" PRIu64 " ended by a limit of a run", x->cut);
	putc('\n', f);
	if (x->kept)
		fprintf(f, "%" PRIu64 " verdict%s kept from sessions of the same question\n",
		    x->kept, plural(x->kept));
	fprintf(f,
	    "solver: %" PRIu64 " asked, %" PRIu64 " answered above the engines, %" PRIu64
	    " by engines, %" PRIu64 " unknown; %.1f conditions a query\n",
	    x->asked, x->cached, x->engine, x->unknown,
	    x->asked ? (double)x->conjuncts / (double)x->asked : 0);
	if (x->rounds_max)
		fprintf(f,
		    "partial path constraints: %" PRIu64 " questions, %" PRIu64
		    " infeasible, %" PRIu64 " of them seen without a "
		    "query; at most %" PRIu64 " queries a question, %" PRIu64
		    " conditions a query\n",
		    x->questions, x->infeasible, x->pruned, x->rounds_max, x->conjuncts_max);
	fprintf(f, "time: %.2f s; CPU %.2f s running, %.2f s solving, ", x->seconds, x->cpu_run,
	    x->cpu_solve);
	if (x->cpu_prove > 0)
		fprintf(f, "%.2f s proving, ", x->cpu_prove);
	fprintf(f, "%.2f s strategy\n", x->cpu_strategy);
}

static const struct view_test *test_number(const struct store_view *v, uint64_t number)
{
	for (size_t i = 0; i < v->tests; i++)
		if (v->test[i].number == number)
			return &v->test[i];
	return NULL;
}

void failure_print(
    FILE *f, const struct store_view *v, const struct view_failure *x, const char *store)
{
	const struct view_test *t = test_number(v, x->test);
	size_t rest;

	fprintf(f, "  %s", failure_words(x->kind));
	if (x->file)
		fprintf(f, " at %s:%u", x->file, x->line);
	if (x->function)
		fprintf(f, " in %s", x->function);
	if (x->message && strcmp(x->message, failure_words(x->kind)))
		fprintf(f, ": %s", x->message);
	fprintf(f, " (%" PRIu64 " run%s)\n", x->count, plural(x->count));
	if (t) {
		fprintf(f, "    test %" PRIu64 ": ", t->number);
		if ((rest = values_first(f, &t->input, SHOWN)) && store)
			fprintf(f, ", and %zu more: duct report %s --findings", rest, store);
		else if (rest)
			fprintf(f, ", and %zu more: --json", rest);
		putc('\n', f);
	}
}

static void failures(FILE *f, const struct store_view *v, const char *store)
{
	fprintf(f, "failures:%s\n", v->failures ? "" : " none");
	for (size_t i = 0; i < v->failures; i++)
		failure_print(f, v, &v->failure[i], store);
}

bool lost_is_error(const struct view_lost *x)
{
	return !strncmp(x->reason, "error: ", strlen("error: "));
}

/* Something that was seen at a place, some times. */
struct seen_row {
	const char *function, *what, *file; /* function, file: or NULL */
	uint32_t line;
	uint64_t count;
};

static bool is_same(const struct seen_row *a, const struct seen_row *b)
{
	return !strcmp(a->what, b->what)
	    && (!a->function || !b->function || !strcmp(a->function, b->function));
}

static bool is_repeated(const struct seen_row *r, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (is_same(&r[k], &r[i]))
			return true;
	return false;
}

/* Is row k's place that of an earlier row with the same text? */
static bool is_known_place(const struct seen_row *r, size_t k)
{
	for (size_t i = 0; i < k; i++)
		if (is_same(&r[i], &r[k]) && r[i].file && r[i].line == r[k].line
		    && !strcmp(r[i].file, r[k].file))
			return true;
	return false;
}

/* A line for row i and those behind it that differ in their places alone. */
static void same_rows(FILE *f, const struct seen_row *r, size_t n, size_t i, const char *unit)
{
	const char *file = NULL;
	uint64_t count = 0;
	size_t places = 0;

	if (r[i].function)
		fprintf(f, "%s: ", r[i].function);
	fputs(r[i].what, f);
	for (size_t k = i; k < n; k++) {
		if (!is_same(&r[k], &r[i]))
			continue;
		count += r[k].count;
		if (!r[k].file || is_known_place(r, k) || places++ >= SUMMARY)
			continue;
		fputs(places > 1 ? ", " : " at ", f);
		if (!file || strcmp(file, r[k].file))
			fprintf(f, "%s:", r[k].file);
		fprintf(f, "%u", r[k].line);
		file = r[k].file;
	}
	if (places > SUMMARY)
		fprintf(f, " and %zu more places", places - SUMMARY);
	fprintf(f, " (%" PRIu64 " %s%s)\n", count, unit, plural(count));
}

static void rows(FILE *f, const struct seen_row *r, size_t n, const char *unit, const char *indent)
{
	size_t lines = 0;

	for (size_t i = 0; i < n; i++) {
		if (is_repeated(r, i) || lines++ >= SUMMARY)
			continue;
		fputs(indent, f);
		same_rows(f, r, n, i, unit);
	}
	if (lines > SUMMARY)
		fprintf(f, "  ... and %zu more\n", lines - SUMMARY);
}

/* Lost precision: errors of duct (`errors`), or the rest. */
static void lost(FILE *f, const struct store_view *v, bool errors)
{
	struct seen_row *r = NULL;
	size_t n = 0;

	for (size_t i = 0; i < v->losts; i++) {
		const struct view_lost *x = &v->lost[i];
		if (lost_is_error(x) == errors)
			*PUSH(r, n) =
			    (struct seen_row){ NULL, x->reason, x->file, x->line, x->count };
	}
	if (n && !errors)
		fputs("precision lost (concrete values were used instead):\n", f);
	rows(f, r, n, "time", errors ? "" : "  ");
	free(r);
}

void lost_errors(FILE *f, const struct store_view *v)
{
	lost(f, v, true);
}

/* Number of limits from i on with limit i's kind; 0: an earlier one has it. */
static size_t of_this_kind(const struct store_view *v, size_t i)
{
	size_t n = 0;

	for (size_t k = 0; k < v->limits; k++)
		if (!strcmp(v->limit[k].kind, v->limit[i].kind)) {
			if (k < i)
				return 0;
			n++;
		}
	return n;
}

/* Writes a line per kind of limit. */
static void limits(FILE *f, const struct store_view *v)
{
	size_t shown = 0, hidden = 0;

	if (v->limits)
		fputs("limits (nothing beyond them was explored):\n", f);
	for (size_t i = 0; i < v->limits; i++) {
		size_t n = of_this_kind(v, i);
		if (!n)
			continue;
		if (shown++ >= SUMMARY) {
			hidden += n;
			continue;
		}
		fprintf(f, "  %s", v->limit[i].text);
		if (n > 1)
			fprintf(f, "; and %zu more of this kind", n - 1);
		fputc('\n', f);
	}
	if (hidden)
		fprintf(f, "  ... and %zu more\n", hidden);
}

/* Writes the requirements of functions on their callers. */
static void needs(FILE *f, const struct store_view *v)
{
	struct seen_row *r = NULL;
	size_t n = 0;

	if (v->needs)
		fputs("needs (a run that violates one ends there, which is not a failure):\n", f);
	for (size_t i = 0; i < v->needs; i++) {
		const struct view_need *x = &v->need[i];
		*PUSH(r, n) = (struct seen_row){ x->function, x->text, x->file, x->line, x->count };
	}
	rows(f, r, n, "run", "  ");
	free(r);
}

static void assumptions(FILE *f, const char *text)
{
	char *line;

	if (text && *text)
		fputs("assumed of the inputs:\n", f);
	for (; (line = next_line(&text)); free(line))
		fprintf(f, "  %s\n", line);
}

static void next_steps(FILE *f, const struct store_view *v, const struct report_style *style)
{
	if (style->out)
		fprintf(
		    f, "tests: %zu in %s (make -C %s check)\n", v->tests, style->out, style->out);
	else if (!v->folder && !v->all)
		fputs("tests: not written; --out DIR writes them\n", f);
	if (style->store)
		fprintf(f, "page: duct report %s --html DIR\n", style->store);
}

/* The sections between heading and suggestions. */
static void body(FILE *f, const struct store_view *v, const char *store)
{
	for (unsigned kind = 0; kind < STORE_AIMS; kind++)
		aims_text(f, v, (enum store_aim)kind);
	criteria_text_parts(f, v);
	if (!v->folder || v->failures)
		failures(f, v, store);
	if (v->folder && !v->all)
		return;
	checks_text(f, v);
	lost_errors(f, v);
	lost(f, v, false);
	limits(f, v);
	needs(f, v);
	assumptions(f, v->narrowing);
}

void report_text(FILE *f, const struct store_view *v, const struct report_style *style)
{
	struct out o;

	if (v->folder)
		suite_heading(f, v);
	else if (!style->brief || !v->all)
		heading(f, v);
	if (!style->brief)
		other_sessions(f, v);
	body(out_begin(&o, f, v, style->colour), v, style->store);
	out_end(&o, true);
	if (!style->brief && !v->folder)
		bounds(f, v);
	if (!v->folder && !v->all)
		ending(f, v);
	if (style->stats && !v->folder)
		counters_text(f, v);
	if (!style->brief)
		next_steps(f, v, style);
}
