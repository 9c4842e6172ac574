/* criteria: objectives of any criterion as a table, their totals as parts of the summary, and the
 * traceability table. */
#include "lib/criteria/criteria.h"
#include "lib/report/lines.h"
#include "lib/report/report.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

void criteria_visit(const struct store_view *v, uint32_t set,
    void (*visit)(void *to, unsigned criterion, const struct criterion_item *), void *to)
{
	for (unsigned c = 0; c < CRITERIA; c++) {
		struct criterion_list l = { NULL, 0 };
		if (set >> c & 1)
			l = criterion_list(v, (enum criterion)c);
		for (size_t i = 0; i < l.n; i++)
			visit(to, c, &l.at[i]);
		criterion_free(&l);
	}
}

static void line(void *to, unsigned c, const struct criterion_item *o)
{
	FILE *f = to;

	fprintf(f, "%s\t", criterion_name((enum criterion)c));
	field_print(f, o->name);
	field_print(f, o->function);
	field_text(f, o->file);
	fprintf(f, ":%u:%u\t", o->line, o->col);
	field_print(f, o->text);
	fprintf(f, "%s\t", verdict_name(o->verdict));
	field_text(f, *o->evidence ? o->evidence : "-");
	putc('\n', f);
}

void report_criteria(FILE *f, const struct store_view *v, uint32_t set)
{
	fputs("#criterion\tobjective\tfunction\tposition\twhat\tverdict\tevidence\n", f);
	criteria_visit(v, set, line, f);
	narrowing_lines(f, v);
}

void criterion_sentence(FILE *f, unsigned c, const struct criterion_item *o)
{
	fprintf(f, "%s: %s in %s is %s%s%s", criterion_name((enum criterion)c), o->text,
	    o->function, o->verdict == VERDICT_UNKNOWN ? "open" : verdict_name(o->verdict),
	    *o->evidence ? ": " : "", o->evidence);
}

struct store_totals criterion_count(const struct store_view *v, unsigned c)
{
	struct criterion_list l = criterion_list(v, (enum criterion)c);
	struct store_totals t = criterion_totals(&l);

	criterion_free(&l);
	return t;
}

/* Those whose targets a session named. */
static uint32_t with_named_targets(const struct store_view *v)
{
	uint32_t set = 0;

	for (size_t i = 0; i < v->targets; i++) {
		enum criterion c = criterion_of_target(v->target[i].criterion);
		if (c < CRITERIA && criterion_places(c) == PLACES_ASKED)
			set |= 1u << c;
	}
	return set;
}

/* Those that the session or the report was asked for by name. */
static uint32_t named(const struct store_view *v)
{
	uint32_t set = v->criteria | criteria_among((const char *const *)v->parameter, "criteria");

	return set & ~criteria_with(CRITERION_OWN_PART);
}

uint32_t criteria_asked(const struct store_view *v)
{
	return named(v) | with_named_targets(v) | criteria_with(CRITERION_ALWAYS);
}

void criterion_line(FILE *f, const struct store_view *v, unsigned c, const struct store_totals *t)
{
	if (t->total)
		totals_line(f, criterion_name((enum criterion)c), t);
	else if (named(v) >> c & 1)
		fprintf(f, "%s: the code has no objective of this criterion\n",
		    criterion_name((enum criterion)c));
}

static void list(
    FILE *f, const struct criterion_list *l, enum store_verdict verdict, const char *title)
{
	size_t n = 0, total = 0;

	for (size_t i = 0; i < l->n; i++)
		total += l->at[i].verdict == verdict;
	if (total)
		fprintf(f, "  %s:\n", title);
	for (size_t i = 0; i < l->n && n < SUMMARY; i++) {
		const struct criterion_item *o = &l->at[i];
		if (o->verdict != verdict)
			continue;
		fprintf(f, "    %s:%u:%u %s in %s: %s\n", o->file, o->line, o->col, o->text,
		    o->function, o->evidence);
		n++;
	}
	if (total > n)
		fprintf(f, "    ... and %zu more: report --criterion\n", total - n);
}

/* Lists the open and the infeasible objectives of the criteria that were asked for; a criterion
 * without objectives has a line that says so. Errors that were reached are among the failures. */
void criteria_text_parts(FILE *f, const struct store_view *v)
{
	uint32_t set = criteria_asked(v);

	for (unsigned c = 0; c < CRITERIA; c++) {
		struct criterion_list l = { NULL, 0 };
		if (set >> c & 1)
			l = criterion_list(v, (enum criterion)c);
		struct store_totals t = criterion_totals(&l);
		criterion_line(f, v, c, &t);
		list(f, &l, VERDICT_UNKNOWN, "unknown");
		list(f, &l, VERDICT_INFEASIBLE, "infeasible");
		criterion_free(&l);
	}
}
