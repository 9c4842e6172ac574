/* lcov: a tracefile with function, line and branch records, a section per source file. Counts are
 * runs, not executions of the line. Infeasible outcomes are omitted, so that coverage agrees with
 * the other reports. Objectives of the criteria that the report was asked for are branches of
 * blocks of their own, as the format has no other record for them. */
#include "lib/criteria/criteria.h"
#include "lib/report/lines.h"
#include "lib/report/quote.h"
#include "lib/report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void name(FILE *f, uint64_t number, const char *tag, const char *of)
{
	fprintf(f, "%s%" PRIu64 ",", tag, number);
	quote_line(f, of);
	putc('\n', f);
}

static void functions(FILE *f, const struct store_view *v, const char *file)
{
	size_t found = 0, hit = 0;

	for (size_t i = 0; i < v->functions; i++)
		if (!strcmp(v->function[i].file, file))
			name(f, v->function[i].line, "FN:", v->function[i].name);
	for (size_t i = 0; i < v->functions; i++) {
		if (strcmp(v->function[i].file, file))
			continue;
		name(f, v->function[i].hits, "FNDA:", v->function[i].name);
		found++;
		hit += v->function[i].hits > 0;
	}
	fprintf(f, "FNF:%zu\nFNH:%zu\n", found, hit);
}

enum { BLOCKS = 1000000 }; /* the block of a criterion's objectives: so much, and its number */

struct section {
	FILE *f;
	const char *file;
	size_t found, hit;
};

static void objective(void *to, unsigned c, const struct criterion_item *o)
{
	struct section *s = to;
	bool covered = o->verdict == VERDICT_COVERED;

	if (o->verdict == VERDICT_INFEASIBLE || strcmp(o->file, s->file) != 0)
		return;
	fprintf(s->f, "BRDA:%u,%u,%zu,%d\n", o->line, BLOCKS + c, s->found++, covered);
	s->hit += covered;
}

static void branches(FILE *f, const struct store_view *v, const char *file)
{
	struct section s = { f, file, 0, 0 };
	size_t found = 0, hit = 0, begin = 0, end = 0;

	for (size_t i = 0; i < v->objectives; i++) {
		const struct view_objective *o = &v->objective[i];
		if (strcmp(o->file, file))
			continue;
		if (i >= end)
			criterion_siblings(v, i, &begin, &end);
		if (o->verdict == VERDICT_INFEASIBLE)
			continue;
		fprintf(f, "BRDA:%u,%u,%zu,", o->line, o->branch, i - begin);
		if (criterion_reached(v, i))
			fprintf(f, "%" PRIu64 "\n", o->hits);
		else
			fputs("-\n", f);
		found++;
		hit += o->hits > 0;
	}
	criteria_visit(v, v->criteria & ~criteria_with(CRITERION_OWN_PART), objective, &s);
	fprintf(f, "BRF:%zu\nBRH:%zu\n", found + s.found, hit + s.hit);
}

static void lines(FILE *f, const struct store_view *v, const char *file)
{
	size_t n, hit = 0;
	struct source_line *line = source_lines(v, file, &n);

	for (size_t i = 0; i < n; i++) {
		fprintf(f, "DA:%u,%" PRIu64 "\n", line[i].number, line[i].hits);
		hit += line[i].hits > 0;
	}
	fprintf(f, "LF:%zu\nLH:%zu\n", n, hit);
	free(line);
}

void report_lcov(FILE *f, const struct store_view *v)
{
	const char **file = source_files(v);

	for (size_t i = 0; file[i]; i++) {
		char *near = source_path(v, file[i]), *path = realpath(near, NULL);
		fputs("TN:duct\nSF:", f);
		quote_line(f, path ? path : near);
		putc('\n', f);
		free(near);
		free(path);
		functions(f, v, file[i]);
		branches(f, v, file[i]);
		lines(f, v, file[i]);
		fputs("end_of_record\n", f);
	}
	free(file);
}
