/* lcov: a tracefile with function, line and branch records, a section a source file. Counts are
 * runs, not executions of the line. Lines known are those that conditions stand on. */
#include "lib/report/lines.h"
#include "lib/report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t
reached(const struct store_view *v, size_t i)
{
	size_t begin, end;
	uint64_t hits = 0;

	siblings(v, i, &begin, &end);
	for (size_t k = begin; k < end; k++)
		hits += v->objective[k].hits;
	return hits;
}

static void
functions(FILE *f, const struct store_view *v, const char *file)
{
	size_t found = 0, hit = 0;

	for (size_t i = 0; i < v->functions; i++)
		if (!strcmp(v->function[i].file, file))
			fprintf(f, "FN:%u,%s\n", v->function[i].line, v->function[i].name);
	for (size_t i = 0; i < v->functions; i++) {
		if (strcmp(v->function[i].file, file))
			continue;
		fprintf(f, "FNDA:%" PRIu64 ",%s\n", v->function[i].hits, v->function[i].name);
		found++;
		hit += v->function[i].hits > 0;
	}
	fprintf(f, "FNF:%zu\nFNH:%zu\n", found, hit);
}

static void
branches(FILE *f, const struct store_view *v, const char *file)
{
	size_t found = 0, hit = 0, begin = 0, end = 0;

	for (size_t i = 0; i < v->objectives; i++) {
		const struct view_objective *o = &v->objective[i];
		if (strcmp(o->file, file))
			continue;
		if (i >= end)
			siblings(v, i, &begin, &end);
		fprintf(f, "BRDA:%u,%u,%zu,", o->line, o->branch, i - begin);
		if (reached(v, i))
			fprintf(f, "%" PRIu64 "\n", o->hits);
		else
			fputs("-\n", f);
		found++;
		hit += o->hits > 0;
	}
	fprintf(f, "BRF:%zu\nBRH:%zu\n", found, hit);
}

struct line { uint32_t number; uint64_t hits; };

static int
by_number(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

static void
lines(FILE *f, const struct store_view *v, const char *file)
{
	struct line *line = calloc(v->objectives + 1, sizeof *line);
	size_t n = 0, found = 0, hit = 0;

	for (size_t i = 0; i < v->objectives; i++)
		if (!strcmp(v->objective[i].file, file))
			line[n++] = (struct line){ v->objective[i].line, reached(v, i) };
	qsort(line, n, sizeof *line, by_number);
	for (size_t i = 0; i < n; i++) {
		if (i + 1 < n && line[i + 1].number == line[i].number) {
			if (line[i + 1].hits < line[i].hits)
				line[i + 1].hits = line[i].hits;
			continue;
		}
		fprintf(f, "DA:%u,%" PRIu64 "\n", line[i].number, line[i].hits);
		found++;
		hit += line[i].hits > 0;
	}
	fprintf(f, "LF:%zu\nLH:%zu\n", found, hit);
	free(line);
}

/* Is objective i the first of its file? */
static bool
first_of_file(const struct store_view *v, size_t i)
{
	for (size_t k = i; k-- > 0; )
		if (!strcmp(v->objective[k].file, v->objective[i].file))
			return false;
	return true;
}

void
report_lcov(FILE *f, const struct store_view *v)
{
	const char *last = NULL;

	for (size_t i = 0; i < v->objectives; i++) {
		const char *file = v->objective[i].file;
		if (last && !strcmp(last, file))
			continue;
		last = file;
		if (!first_of_file(v, i))
			continue;
		char *near = source_path(v, file), *path = realpath(near, NULL);
		fprintf(f, "TN:duct\nSF:%s\n", path ? path : near);
		free(near);
		free(path);
		functions(f, v, file);
		branches(f, v, file);
		lines(f, v, file);
		fputs("end_of_record\n", f);
	}
}
