/* markdown: a summary for a comment on a pull request. */
#include "lib/criteria/criteria.h"
#include "lib/report/aims.h"
#include "lib/report/lines.h"
#include "lib/report/report.h"
#include "lib/report/value.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { LISTED = 20 }; /* maximum number of open outcomes and findings */

/* Writes text between backquotes, safe in tables and lists. */
static void code(FILE *f, const char *s)
{
	putc('`', f);
	for (; *s; s++)
		putc(strchr("`|\n\r", *s) ? ' ' : *s, f);
	putc('`', f);
}

/* The head of the table is written with its first row. */
static void row(FILE *f, const char *what, const struct store_totals *t, size_t *rows)
{
	if (!t->total)
		return;
	if (!(*rows)++)
		fputs("| | covered | open | infeasible | coverage |\n|---|---|---|---|---|\n", f);
	fprintf(f, "| %s | %zu of %zu | %zu | %zu | ", what, t->covered, t->total, t->unknown,
	    t->infeasible);
	if (t->total > t->infeasible)
		fprintf(f, "%.1f %% |\n",
		    100.0 * (double)t->covered / (double)(t->total - t->infeasible));
	else
		fputs("- |\n", f);
}

static void findings(FILE *f, const struct store_view *v)
{
	if (v->failures)
		fputs("\n**Findings**\n\n", f);
	for (size_t i = 0; i < v->failures && i < LISTED; i++) {
		const struct view_failure *x = &v->failure[i];
		fprintf(f, "- %s", failure_words(x->kind));
		if (x->file)
			fprintf(f, " at %s:%u", x->file, x->line);
		for (size_t k = 0; k < v->tests; k++)
			if (v->test[k].number == x->test && v->test[k].input.n) {
				char *line = NULL;
				size_t size;
				FILE *to = text_stream(&line, &size);
				values_line(to, &v->test[k].input, 120);
				fclose(to);
				fputs(", with ", f);
				code(f, line);
				free(line);
			}
		putc('\n', f);
	}
}

struct open_list {
	FILE *f;
	size_t n; /* so far */
};

static void open_item(void *to, unsigned c, const struct criterion_item *o)
{
	struct open_list *l = to;
	char *text = NULL;
	size_t size;
	FILE *m;

	if (o->verdict != VERDICT_UNKNOWN || l->n++ >= LISTED)
		return;
	if (l->n == 1)
		fputs("\n**Open objectives of criteria**\n\n", l->f);
	m = text_stream(&text, &size);
	criterion_sentence(m, c, o);
	fclose(m);
	fprintf(l->f, "- %s:%u ", o->file, o->line);
	for (char *s = text; *s; s++)
		putc(strchr("|\n\r", *s) ? ' ' : *s, l->f);
	putc('\n', l->f);
	free(text);
}

static void criteria(FILE *f, const struct store_view *v)
{
	struct open_list l = { f, 0 };

	criteria_visit(v, criteria_asked(v), open_item, &l);
	if (l.n > LISTED)
		fprintf(f, "- ... and %zu more\n", l.n - LISTED);
}

/* Open pairs are too many for a comment. */
static void open_outcomes(FILE *f, const struct store_view *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->objectives; i++) {
		const struct view_objective *o = &v->objective[i];
		if (o->verdict != VERDICT_UNKNOWN || n++ >= LISTED)
			continue;
		fprintf(f, "%s- %s:%u ", n == 1 ? "\n**Open**\n\n" : "", o->file, o->line);
		side_print(f, o);
		fputs(" of ", f);
		code(f, o->text);
		fputs(": ", f);
		reason_print(f, v, i);
		putc('\n', f);
	}
	if (n > LISTED)
		fprintf(f, "- ... and %zu more\n", n - LISTED);
}

void report_markdown(FILE *f, const struct store_view *v)
{
	size_t rows = 0;

	fputs("### duct\n\n", f);
	for (unsigned kind = 0; kind < STORE_AIMS; kind++) {
		struct store_totals t = aims_totals(v, (enum store_aim)kind);
		row(f, aim_kinds[kind].title, &t, &rows);
	}
	for (unsigned c = 0; c < CRITERIA; c++)
		if (criteria_asked(v) >> c & 1) {
			struct store_totals t = criterion_count(v, c);
			row(f, criterion_name((enum criterion)c), &t, &rows);
		}
	if (!rows && !v->failures)
		fputs("No condition, pair or finding of a session is there.\n", f);
	findings(f, v);
	open_outcomes(f, v);
	criteria(f, v);
}
