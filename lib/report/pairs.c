/* pairs: the table of def-use pairs, and their section of the summary. */
#include "lib/base/grow.h"
#include "lib/report/lines.h"
#include "lib/report/report.h"
#include "lib/report/overview.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define UNLISTED \
	" more are unknown, and no search looked for them: of very many pairs only the others are listed"

static bool same_definition(const struct view_pair *a, const struct view_pair *b)
{
	return a->def_line == b->def_line && a->def_col == b->def_col
	    && !strcmp(a->def_file, b->def_file) && !strcmp(a->function, b->function)
	    && !strcmp(a->variable, b->variable);
}

/* The verdict on a definition with pairs of verdicts a and b. */
static enum store_verdict join(enum store_verdict a, enum store_verdict b)
{
	if (a == VERDICT_COVERED || b == VERDICT_COVERED)
		return VERDICT_COVERED;
	return a == b ? a : VERDICT_UNKNOWN;
}

struct store_totals pair_totals(const struct store_view *v)
{
	bool join_all = store_by_definition((const char *const *)v->parameter);
	struct store_totals t = { 0 };

	for (size_t i = 0, k; i < v->pairs; i = k) {
		enum store_verdict verdict = v->pair[i].verdict;
		uint64_t hits = v->pair[i].hits;
		const char *evidence = v->pair[i].evidence;
		for (k = i + 1;
		    join_all && k < v->pairs && same_definition(&v->pair[i], &v->pair[k]); k++) {
			verdict = join(verdict, v->pair[k].verdict);
			hits += v->pair[k].hits;
			if (is_limited(v->pair[k].verdict, v->pair[k].evidence))
				evidence = v->pair[k].evidence;
		}
		totals_add(&t, verdict, hits, evidence);
	}
	t.total += v->unlisted;
	t.unknown += v->unlisted;
	return t;
}

void report_pairs(FILE *f, const struct store_view *v)
{
	fputs("#function\tvariable\tdef\tuse\tkind\tverdict\tevidence\n", f);
	for (size_t i = 0; i < v->pairs; i++) {
		const struct view_pair *p = &v->pair[i];
		field_print(f, p->function);
		field_print(f, p->variable);
		field_text(f, p->def_file);
		fprintf(f, ":%u:%u\t", p->def_line, p->def_col);
		field_text(f, p->use_file);
		fprintf(f, ":%u:%u\t%s\t%s\t", p->use_line, p->use_col, p->kind,
		    verdict_name(p->verdict));
		field_text(f, reason_pair(p));
		putc('\n', f);
	}
	if (v->unlisted)
		fprintf(f, "# %" PRIu64 UNLISTED "\n", v->unlisted);
	narrowing_lines(f, v);
}

static void list(FILE *f, const struct store_view *v, enum store_verdict verdict, size_t most)
{
	struct overview_row *row = NULL;
	size_t n = 0;

	for (size_t i = 0; i < v->pairs; i++) {
		const struct view_pair *p = &v->pair[i];
		struct overview_row *r;
		if (p->verdict != verdict)
			continue;
		r = PUSH(row, n);
		*r = (struct overview_row){ p->function, reason_pair(p), NULL, NULL };
		if (asprintf(&r->place, "%s %s:%u:%u -> %s:%u:%u %s", p->variable, p->def_file,
		        p->def_line, p->def_col, p->use_file, p->use_line, p->use_col, p->kind)
		    < 0)
			no_memory();
	}
	overview_list(f, verdict_name(verdict), row, n, most, "--pairs");
	overview_free(row, n);
}

void pairs_text(FILE *f, const struct store_view *v)
{
	struct store_totals t = pair_totals(v);

	if (!t.total)
		return;
	totals_line(f, "pairs", &t);
	list(f, v, VERDICT_UNKNOWN, SUMMARY);
	if (v->unlisted)
		fprintf(f, "    %" PRIu64 UNLISTED "\n", v->unlisted);
	list(f, v, VERDICT_INFEASIBLE, SUMMARY_INFEASIBLE);
}
