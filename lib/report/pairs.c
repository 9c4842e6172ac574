/* pairs: the table of def-use pairs, and their part of the summary. */
#include "lib/report/lines.h"
#include "lib/report/report.h"

#include <string.h>

struct store_totals
pair_totals(const struct store_view *v)
{
	struct store_totals t = { 0 };

	for (size_t i = 0; i < v->pairs; i++)
		totals_add(&t, v->pair[i].verdict, v->pair[i].hits);
	return t;
}

/* Why it has its verdict, or "-". */
static const char *
evidence(const struct view_pair *p)
{
	return p->evidence && *p->evidence ? p->evidence : "-";
}

void
report_pairs(FILE *f, const struct store_view *v)
{
	fputs("#function\tvariable\tdef\tuse\tkind\tverdict\tevidence\n", f);
	for (size_t i = 0; i < v->pairs; i++) {
		const struct view_pair *p = &v->pair[i];
		field_print(f, p->function);
		field_print(f, p->variable);
		field_text(f, p->def_file);
		fprintf(f, ":%u:%u\t", p->def_line, p->def_col);
		field_text(f, p->use_file);
		fprintf(f, ":%u:%u\t%s\t%s\t", p->use_line, p->use_col, p->kind, verdict_name(p->verdict));
		field_text(f, evidence(p));
		putc('\n', f);
	}
}

static void
list(FILE *f, const struct store_view *v, enum store_verdict verdict, size_t total)
{
	const char *function = NULL;
	size_t n = 0;

	if (total)
		fprintf(f, "  %s:\n", verdict_name(verdict));
	for (size_t i = 0; i < v->pairs && n < SUMMARY; i++) {
		const struct view_pair *p = &v->pair[i];
		if (p->verdict != verdict)
			continue;
		if (!function || strcmp(function, p->function))
			fprintf(f, "    %s\n", function = p->function);
		fprintf(f, "      %s %s:%u:%u -> %s:%u:%u %s: %s\n", p->variable, p->def_file, p->def_line, p->def_col,
		        p->use_file, p->use_line, p->use_col, p->kind, evidence(p));
		n++;
	}
	if (total > n)
		fprintf(f, "      ... and %zu more: report --pairs\n", total - n);
}

void
pairs_text(FILE *f, const struct store_view *v)
{
	struct store_totals t = pair_totals(v);

	if (!t.total)
		return;
	totals_line(f, "pairs", &t);
	list(f, v, VERDICT_UNKNOWN, t.unknown);
	list(f, v, VERDICT_INFEASIBLE, t.infeasible);
}
