/* cobertura: coverage as Cobertura XML (coverage-04.dtd): a package per folder, a class per source
 * file, a method per function. Counts are runs. */
#include "lib/report/lines.h"
#include "lib/base/grow.h"
#include "lib/report/quote.h"
#include "lib/report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct sums {
	size_t lines, reached, outcomes, taken;
};

static void sum(struct sums *s, const struct source_line *line, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		s->lines++;
		s->reached += line[i].hits > 0;
		s->outcomes += line[i].outcomes;
		s->taken += line[i].taken;
	}
}

static void rates(FILE *f, const struct sums *s)
{
	fprintf(f, " line-rate=\"%.4f\" branch-rate=\"%.4f\"",
	    s->lines ? (double)s->reached / (double)s->lines : 1,
	    s->outcomes ? (double)s->taken / (double)s->outcomes : 1);
}

static void attribute(FILE *f, const char *name, const char *value, size_t n)
{
	char *copy = copied_part(value, n);

	fprintf(f, " %s=\"", name);
	quote_xml(f, copy);
	putc('"', f);
	free(copy);
}

static void lines(FILE *f, const struct source_line *line, size_t n, const char *indent)
{
	fprintf(f, "%s<lines>\n", indent);
	for (size_t i = 0; i < n; i++) {
		size_t percent = line[i].outcomes ? 100 * line[i].taken / line[i].outcomes : 0;
		if (!line[i].outcomes) {
			fprintf(f,
			    "%s\t<line number=\"%u\" hits=\"%" PRIu64 "\" branch=\"false\"/>\n",
			    indent, line[i].number, line[i].hits);
			continue;
		}
		fprintf(f,
		    "%s\t<line number=\"%u\" hits=\"%" PRIu64
		    "\" branch=\"true\" condition-coverage=\"%zu%% (%zu/%zu)\">"
		    "<conditions><condition number=\"0\" type=\"jump\" coverage=\"%zu%%\"/></conditions></line>\n",
		    indent, line[i].number, line[i].hits, percent, line[i].taken, line[i].outcomes,
		    percent);
	}
	fprintf(f, "%s</lines>\n", indent);
}

static void method(FILE *f, const struct view_function *o, const struct source_line *line, size_t n)
{
	struct sums s = { 0 };
	size_t from = 0, to;

	while (from < n && line[from].number < o->line)
		from++;
	for (to = from; to < n && line[to].number <= o->end; to++)
		;
	sum(&s, line + from, to - from);
	fputs("\t\t\t\t\t\t<method", f);
	attribute(f, "name", o->name, strlen(o->name));
	fputs(" signature=\"\"", f);
	rates(f, &s);
	fputs(" complexity=\"0\">\n", f);
	lines(f, line + from, to - from, "\t\t\t\t\t\t\t");
	fputs("\t\t\t\t\t\t</method>\n", f);
}

static void class(FILE *f, const struct store_view *v, const char *file)
{
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
	size_t n;
	struct source_line *line = source_lines(v, file, &n);
	struct sums s = { 0 };

	sum(&s, line, n);
	fputs("\t\t\t\t<class", f);
	attribute(f, "name", name, strlen(name));
	attribute(f, "filename", file, strlen(file));
	rates(f, &s);
	fputs(" complexity=\"0\">\n\t\t\t\t\t<methods>\n", f);
	for (size_t i = 0; i < v->functions; i++)
		if (!strcmp(v->function[i].file, file))
			method(f, &v->function[i], line, n);
	fputs("\t\t\t\t\t</methods>\n", f);
	lines(f, line, n, "\t\t\t\t\t");
	fputs("\t\t\t\t</class>\n", f);
	free(line);
}

static size_t folder(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? (size_t)(slash - file) : 0;
}

static bool same_folder(const char *a, const char *b)
{
	return folder(a) == folder(b) && !memcmp(a, b, folder(a));
}

static struct sums sum_of(const struct store_view *v, const char *const *file, const char *within)
{
	struct sums s = { 0 };

	for (; *file; file++) {
		size_t n;
		if (within && !same_folder(*file, within))
			continue;
		struct source_line *line = source_lines(v, *file, &n);
		sum(&s, line, n);
		free(line);
	}
	return s;
}

static void package(FILE *f, const struct store_view *v, const char *const *file, const char *first)
{
	struct sums s = sum_of(v, file, first);

	fputs("\t\t<package", f);
	attribute(f, "name", folder(first) ? first : ".", folder(first) ? folder(first) : 1);
	rates(f, &s);
	fputs(" complexity=\"0\">\n\t\t\t<classes>\n", f);
	for (; *file; file++)
		if (same_folder(*file, first))
			class(f, v, *file);
	fputs("\t\t\t</classes>\n\t\t</package>\n", f);
}

static bool first_of_folder(const char *const *file, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (same_folder(file[k], file[i]))
			return false;
	return true;
}

void report_cobertura(FILE *f, const struct store_view *v)
{
	const char **file = source_files(v);
	struct sums s = sum_of(v, file, NULL);
	char *here = realpath(".", NULL);

	fputs(
	    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	    "<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n<coverage",
	    f);
	rates(f, &s);
	fprintf(f,
	    " lines-covered=\"%zu\" lines-valid=\"%zu\" branches-covered=\"%zu\" branches-valid=\"%zu\" complexity=\"0\""
	    " version=\"duct " DUCT_VERSION "\" timestamp=\"%lld\">\n\t<sources>\n\t\t<source>",
	    s.reached, s.lines, s.taken, s.outcomes, (long long)time(NULL));
	quote_xml(f, v->folder ? v->folder : here ? here : ".");
	fputs("</source>\n\t</sources>\n\t<packages>\n", f);
	for (size_t i = 0; file[i]; i++)
		if (first_of_folder(file, i))
			package(f, v, file, file[i]);
	fputs("\t</packages>\n</coverage>\n", f);
	free(here);
	free(file);
}
