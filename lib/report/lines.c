/* lines: wording shared by several reports; the branch table. */
#include "lib/harness/harness.h"
#include "lib/report/aims.h"
#include "lib/report/lines.h"
#include "lib/report/report.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

char *side_text(const struct view_objective *o)
{
	switch (o->side) {
	case FLOW_TRUE: return copied("p:true");
	case FLOW_FALSE: return copied("p:false");
	case FLOW_CASE: return formatted("p:case %lld", (long long)o->value);
	case FLOW_DEFAULT: break;
	}
	return copied("p:default");
}

void side_print(FILE *f, const struct view_objective *o)
{
	char *text = side_text(o);

	fputs(text, f);
	free(text);
}

const char *verdict_name(enum store_verdict v)
{
	static const char *const names[] = { "unknown", "covered", "infeasible" };

	return names[v];
}

const char **source_files(const struct store_view *v)
{
	const char **file = zeroed(v->objectives + v->functions + 1, sizeof *file);
	size_t n = 0, k;

	for (size_t i = 0; i < v->objectives + v->functions; i++) {
		const char *name =
		    i < v->objectives ? v->objective[i].file : v->function[i - v->objectives].file;
		for (k = n; k > 0 && strcmp(file[k - 1], name); k--)
			;
		if (!k)
			file[n++] = name;
	}
	return file;
}

static int by_number(const void *a, const void *b)
{
	const struct source_line *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return y->is_code - x->is_code;
}

struct source_line *source_lines(const struct store_view *v, const char *file, size_t *n)
{
	struct source_line *line;
	size_t found = v->objectives, kept = 0;

	for (size_t i = 0; i < v->functions; i++)
		found += v->function[i].lines;
	line = zeroed(found + 1, sizeof *line);
	found = 0;
	for (size_t i = 0; i < v->functions; i++)
		for (size_t k = 0; k < v->function[i].lines && !strcmp(v->function[i].file, file);
		    k++)
			line[found++] = (struct source_line){ v->function[i].passed[k].number,
				v->function[i].passed[k].hits, 0, 0, true };
	for (size_t i = 0; i < v->objectives; i++)
		if (!strcmp(v->objective[i].file, file))
			line[found++] =
			    (struct source_line){ v->objective[i].line, criterion_reached(v, i),
				    v->objective[i].verdict != VERDICT_INFEASIBLE,
				    v->objective[i].hits > 0, false };
	qsort(line, found, sizeof *line, by_number);
	for (size_t i = 0; i < found; i++) {
		struct source_line *l = kept ? &line[kept - 1] : NULL;
		if (!l || l->number != line[i].number) {
			line[kept++] = line[i];
			continue;
		}
		if (line[i].hits > l->hits && (line[i].is_code || !l->is_code))
			l->hits = line[i].hits;
		l->outcomes += line[i].outcomes;
		l->taken += line[i].taken;
	}
	*n = kept;
	return line;
}

double coverage(const struct store_totals *t)
{
	return t->total == t->infeasible ? -1
	                                 : (double)t->covered / (double)(t->total - t->infeasible);
}

void coverage_print(FILE *f, const struct store_totals *t)
{
	if (coverage(t) < 0)
		putc('-', f);
	else
		fprintf(f, "%.1f %%", 100 * coverage(t));
}

void totals_line(FILE *f, const char *what, const struct store_totals *t)
{
	fprintf(f, "%s: %zu of %zu covered, %zu infeasible, %zu unknown", what, t->covered,
	    t->total, t->infeasible, t->unknown);
	if (t->limited)
		fprintf(f, " (%zu by limits)", t->limited);
	fputs("; coverage ", f);
	coverage_print(f, t);
	putc('\n', f);
}

static void qualify(char **evidence, const char *under)
{
	char *text = formatted("%s, under: %s", *evidence ? *evidence : "", under);

	free(*evidence);
	*evidence = text;
}

void report_qualify(struct store_view *v)
{
	char *error = NULL, *under = NULL;
	struct harness_plan *p = *v->plan ? harness_plan_parse(v->plan, &error) : NULL;

	free(error); /* an unreadable plan is reported where tests are written */
	if (p)
		under = harness_assumptions(p);
	for (unsigned kind = 0; under && kind < STORE_AIMS; kind++)
		for (size_t i = 0; i < aims_count(v, (enum store_aim)kind); i++) {
			struct objective a = aim_at(v, (enum store_aim)kind, i);
			if (a.verdict == VERDICT_INFEASIBLE)
				qualify(a.evidence, under);
		}
	for (size_t i = 0; under && i < v->targets; i++)
		if (v->target[i].verdict == VERDICT_INFEASIBLE)
			qualify(&v->target[i].evidence, under);
	for (size_t i = 0; under && i < v->evaluations; i++)
		qualify(&v->evaluation[i].evidence, under);
	free(under);
	harness_plan_free(p);
}

char *next_line(const char **rest)
{
	const char *s = *rest, *end;

	if (!s || !*s)
		return NULL;
	end = strchrnul(s, '\n');
	*rest = *end ? end + 1 : end;
	return copied_part(s, (size_t)(end - s));
}

bool test_of_suite(const struct view_test *t)
{
	return t->processes > 0;
}

/* Replaces TABs and newlines, which would break the table. Conditions have none, but file names
 * may. */
void field_text(FILE *f, const char *s)
{
	for (; *s; s++)
		putc(*s == '\t' || *s == '\n' ? ' ' : *s, f);
}

void field_print(FILE *f, const char *s)
{
	field_text(f, s);
	putc('\t', f);
}

void narrowing_lines(FILE *f, const struct store_view *v)
{
	const char *rest = v->narrowing;

	for (char *line; (line = next_line(&rest)); free(line)) {
		fputs("# assumed: ", f);
		field_text(f, line);
		putc('\n', f);
	}
	for (size_t i = 0; i < v->limits; i++) {
		fputs("# limit: ", f);
		field_text(f, v->limit[i].text);
		putc('\n', f);
	}
}

void report_branches(FILE *f, const struct store_view *v)
{
	fputs("#function\tcondition\tnumber\tposition\tkind\tverdict\tevidence\n", f);
	for (size_t i = 0; i < v->objectives; i++) {
		const struct view_objective *o = &v->objective[i];
		field_print(f, o->function);
		field_print(f, *o->text ? o->text : "-");
		fprintf(f, "%u\t%s:%u:%u\t", o->ordinal, o->file, o->line, o->col);
		side_print(f, o);
		fprintf(f, "\t%s\t", verdict_name(o->verdict));
		if (o->verdict == VERDICT_UNKNOWN)
			reason_print(f, v, i);
		else
			fputs(o->evidence && *o->evidence ? o->evidence : "-", f);
		putc('\n', f);
	}
	narrowing_lines(f, v);
}
