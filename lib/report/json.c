/* json: one object about a session; keys as in duct(7). */
#include "lib/base/grow.h"
#include "lib/criteria/criteria.h"
#include "lib/report/aims.h"
#include "lib/report/lines.h"
#include "lib/report/quote.h"
#include "lib/report/report.h"
#include "lib/report/value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void string(FILE *f, const char *s)
{
	quote_json(f, s, "");
}

static const char option[] = "option ";
#define OPTION (sizeof option - 1)

/* Bounds of the question, then those of the session; or the options that were given. */
static void parameters(FILE *f, const struct store_view *v, const char *key, bool options)
{
	char *const *list[] = { v->bound, v->parameter };
	const char *comma = "";

	fprintf(f, ",\n \"%s\": [", key);
	for (size_t k = 0; k < 2; k++) {
		for (size_t i = 0; list[k] && list[k][i]; i++) {
			bool is_option = !strncmp(list[k][i], option, OPTION);
			if (is_option != options)
				continue;
			fputs(comma, f);
			string(f, list[k][i] + (is_option ? OPTION : 0));
			comma = ", ";
		}
	}
	putc(']', f);
}

static void lines(FILE *f, const char *key, const char *text)
{
	const char *comma = "";
	char *line;

	fprintf(f, ",\n \"%s\": [", key);
	for (; (line = next_line(&text)); free(line)) {
		fputs(comma, f);
		string(f, line);
		comma = ", ";
	}
	putc(']', f);
}

static void objectives(FILE *f, const char *key, const struct store_totals *c)
{
	fprintf(f,
	    ",\n \"%s\": {\"total\": %zu, \"covered\": %zu, \"infeasible\": %zu, \"unknown\": %zu, \"limited\": %zu,"
	    " \"coverage\": ",
	    key, c->total, c->covered, c->infeasible, c->unknown, c->limited);
	if (coverage(c) < 0)
		fputs("null", f);
	else
		fprintf(f, "%.6g", coverage(c));
	fprintf(f, ", \"suite\": %zu}", c->suite);
}

static void criteria(FILE *f, const struct store_view *v)
{
	uint32_t set = criteria_asked(v);

	for (unsigned c = 0; c < CRITERIA; c++) {
		struct store_totals t = { 0 };
		if (set >> c & 1)
			t = criterion_count(v, c);
		if (set >> c & 1)
			objectives(f, criterion_name((enum criterion)c), &t);
	}
}

/* All inputs of a test, if it was kept. */
static void failing_inputs(FILE *f, const struct store_view *v, uint64_t test)
{
	for (size_t i = 0; i < v->tests; i++) {
		char *text = NULL;
		size_t size;
		FILE *to;
		if (v->test[i].number != test)
			continue;
		to = text_stream(&text, &size);
		values_line(to, &v->test[i].input, SIZE_MAX);
		fclose(to);
		fputs(", \"inputs\": ", f);
		string(f, text);
		free(text);
		return;
	}
}

static void failures(FILE *f, const struct store_view *v)
{
	fputs(",\n \"failures\": [", f);
	for (size_t i = 0; i < v->failures; i++) {
		const struct view_failure *x = &v->failure[i];
		fprintf(f, "%s\n  {\"kind\": ", i ? "," : "");
		string(f, x->kind);
		fputs(", \"file\": ", f);
		string(f, x->file);
		fprintf(f, ", \"line\": %u, \"function\": ", x->line);
		string(f, x->function);
		fprintf(f,
		    ", \"test\": %" PRIu64 ", \"count\": %" PRIu64 ", \"message\": ", x->test,
		    x->count);
		string(f, x->message);
		failing_inputs(f, v, x->test);
		putc('}', f);
	}
	putc(']', f);
}

static void lost(FILE *f, const struct store_view *v)
{
	fputs(",\n \"lost\": [", f);
	for (size_t i = 0; i < v->losts; i++) {
		const struct view_lost *x = &v->lost[i];
		fprintf(f, "%s\n  {\"reason\": ", i ? "," : "");
		string(f, x->reason);
		fprintf(f, ", \"count\": %" PRIu64 ", \"file\": ", x->count);
		string(f, x->file);
		fprintf(f, ", \"line\": %u}", x->line);
	}
	putc(']', f);
}

static void limits(FILE *f, const struct store_view *v)
{
	fputs(",\n \"limits\": [", f);
	for (size_t i = 0; i < v->limits; i++) {
		const struct view_limit *l = &v->limit[i];
		fprintf(f, "%s\n  {\"kind\": ", i ? "," : "");
		string(f, l->kind);
		fputs(", \"name\": ", f);
		string(f, l->name);
		fprintf(f, ", \"value\": %" PRIu64 ", \"text\": ", l->value);
		string(f, l->text);
		fputs(", \"option\": ", f);
		string(f, l->option && *l->option ? l->option : NULL);
		fprintf(f, ", \"runs\": %" PRIu64 "}", l->runs);
	}
	putc(']', f);
}

static void needs(FILE *f, const struct store_view *v)
{
	fputs(",\n \"needs\": [", f);
	for (size_t i = 0; i < v->needs; i++) {
		const struct view_need *n = &v->need[i];
		fprintf(f, "%s\n  {\"function\": ", i ? "," : "");
		string(f, n->function);
		fputs(", \"text\": ", f);
		string(f, n->text);
		fputs(", \"kind\": ", f);
		string(f, n->kind);
		fputs(", \"name\": ", f);
		string(f, n->name);
		fprintf(f, ", \"count\": %" PRIu64 ", \"file\": ", n->count);
		string(f, n->file);
		fprintf(f, ", \"line\": %u}", n->line);
	}
	putc(']', f);
}

static double ratio(uint64_t a, uint64_t b)
{
	return b ? (double)a / (double)b : 0;
}

static void figures(FILE *f, const struct store_view *v)
{
	const struct store_figures *x = &v->figures;

	fprintf(f, ",\n \"exhausted\": %s", x->exhausted ? "true" : "false");
	fprintf(f, ",\n \"seconds\": %.3f", x->seconds);
	fprintf(f,
	    ",\n \"cpu\": {\"run\": %.3f, \"solve\": %.3f, \"prove\": %.3f, \"strategy\": %.3f}",
	    x->cpu_run, x->cpu_solve, x->cpu_prove, x->cpu_strategy);
	fprintf(f,
	    ",\n \"runs\": %" PRIu64 ", \"tests\": %zu, \"paths\": %" PRIu64
	    ", \"mispredicted\": %" PRIu64 ", \"cut\": %" PRIu64 ", \"kept\": %" PRIu64,
	    x->runs, v->tests, x->paths, x->mispredicted, x->cut, x->kept);
	fprintf(f,
	    ",\n \"solver\": {\"asked\": %" PRIu64 ", \"cached\": %" PRIu64 ", \"engine\": %" PRIu64
	    ", \"sat\": %" PRIu64 ", \"unsat\": %" PRIu64 ", \"unknown\": %" PRIu64
	    ", \"disagreed\": %" PRIu64 ", \"confirmed\": %" PRIu64
	    ", \"constraints_mean\": %.6g, \"constraints_max\": %" PRIu64
	    ", \"questions\": %" PRIu64 ", \"infeasible\": %" PRIu64 ", \"pruned\": %" PRIu64
	    ", \"rounds_mean\": %.6g, \"rounds_max\": %" PRIu64 "}",
	    x->asked, x->cached, x->engine, x->sat, x->unsat, x->unknown, x->disagreed,
	    x->confirmed, ratio(x->conjuncts, x->asked), x->conjuncts_max, x->questions,
	    x->infeasible, x->pruned, ratio(x->asked, x->questions),
	    x->rounds_max ? x->rounds_max : (uint64_t)(x->questions > 0));
}

/* A member with a list of texts, which ends with NULL; NULL: an empty list. */
static void texts(FILE *f, const char *name, const char *const *list)
{
	const char *comma = "";

	fprintf(f, ",\n \"%s\": [", name);
	for (; list && *list; list++, comma = ", ") {
		fputs(comma, f);
		string(f, *list);
	}
	putc(']', f);
}

void report_json(FILE *f, const struct store_view *v, const char *const *not_counted)
{
	const char *extra = v->extra ? v->extra : "";

	fputs("{\"strategy\": ", f);
	string(f, v->strategy);
	fputs(", \"search\": ", f);
	string(f, v->search);
	fputs(", \"entry\": ", f);
	string(f, v->entry);
	fprintf(f, ", \"seed\": %" PRIu64, v->seed);
	fputs(",\n \"ended\": ", f);
	string(f, v->ended);
	texts(f, "others", (const char *const *)v->others);
	if (not_counted)
		texts(f, "not_counted", not_counted);
	figures(f, v);
	for (unsigned kind = 0; kind < STORE_AIMS; kind++) {
		struct store_totals t = aims_totals(v, (enum store_aim)kind);
		objectives(f, aim_kinds[kind].name, &t);
	}
	criteria(f, v);
	if (!strstr(extra, "\"blocks\""))
		fputs(",\n \"blocks\": []", f);
	if (*extra)
		fprintf(f, ",\n %s", extra);
	failures(f, v);
	checks_json(f, v);
	lost(f, v);
	parameters(f, v, "bounds", false);
	parameters(f, v, "options", true);
	limits(f, v);
	needs(f, v);
	lines(f, "assumptions", v->narrowing);
	fputs("}\n", f);
}
