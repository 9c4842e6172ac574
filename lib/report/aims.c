#include "lib/report/aims.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/grow.h"
#include "lib/report/lines.h"
#include "lib/report/overview.h"

const struct aim_kind aim_kinds[STORE_AIMS] = {
	[STORE_BRANCHES] = { "branches", "outcomes of conditions", "outcome" },
	[STORE_PAIRS] = { "pairs", "def-use pairs", "pair" },
};

size_t aims_count(const struct store_view *v, enum store_aim kind)
{
	return kind == STORE_BRANCHES ? v->objectives : v->pairs;
}

struct objective aim_at(const struct store_view *v, enum store_aim kind, size_t i)
{
	if (kind == STORE_BRANCHES) {
		struct view_objective *o = &v->objective[i];
		return (struct objective){ kind, i, o->function, o->file, o->line, o->col,
			o->verdict, o->hits, &o->evidence };
	}
	struct view_pair *p = &v->pair[i];
	return (struct objective){ kind, i, p->function, p->use_file, p->use_line, p->use_col,
		p->verdict, p->hits, &p->evidence };
}

struct objective *aims_all(const struct store_view *v, size_t *n)
{
	struct objective *list = zeroed(v->objectives + v->pairs + 1, sizeof *list);

	*n = 0;
	for (unsigned kind = 0; kind < STORE_AIMS; kind++)
		for (size_t i = 0; i < aims_count(v, (enum store_aim)kind); i++)
			list[(*n)++] = aim_at(v, (enum store_aim)kind, i);
	return list;
}

static int by_number(const struct objective *x, const struct objective *y)
{
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return (x->i > y->i) - (x->i < y->i);
}

/* columns: do they count, too? */
static int by_position(const struct objective *x, const struct objective *y, bool columns)
{
	int order = strcmp(x->file, y->file);

	if (order)
		return order;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (columns && x->col != y->col)
		return x->col < y->col ? -1 : 1;
	return by_number(x, y);
}

int aims_by_line(const void *a, const void *b)
{
	return by_position(a, b, false);
}

int aims_by_place(const void *a, const void *b)
{
	return by_position(a, b, true);
}

/* Where one pair of a definition is enough, the objective is the definition: those of its pairs,
 * which follow one another, as one. */
static bool is_same(
    const struct store_view *v, const struct objective *x, const struct objective *y)
{
	const struct view_pair *a = &v->pair[x->i], *b = &v->pair[y->i];

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

struct store_totals aims_totals(const struct store_view *v, enum store_aim kind)
{
	bool join_all =
	    kind == STORE_PAIRS && store_by_definition((const char *const *)v->parameter);
	struct store_totals t = { .total = kind == STORE_PAIRS ? v->unlisted : 0 };

	t.unknown = t.total;
	for (size_t i = 0, k, n = aims_count(v, kind); i < n; i = k) {
		struct objective a = aim_at(v, kind, i);
		const char *evidence = *a.evidence;
		for (k = i + 1; join_all && k < n; k++) {
			struct objective b = aim_at(v, kind, k);
			if (!is_same(v, &a, &b))
				break;
			a.verdict = join(a.verdict, b.verdict);
			a.hits += b.hits;
			if (reason_is_limited(b.verdict, *b.evidence))
				evidence = *b.evidence;
		}
		t.total++;
		t.covered += a.verdict == VERDICT_COVERED;
		t.suite += a.verdict == VERDICT_COVERED && !a.hits;
		t.infeasible += a.verdict == VERDICT_INFEASIBLE;
		t.unknown += a.verdict == VERDICT_UNKNOWN;
		t.limited += reason_is_limited(a.verdict, evidence);
	}
	return t;
}

char *aim_text(const struct store_view *v, const struct objective *a)
{
	char *side, *text;

	if (a->kind == STORE_PAIRS) {
		const struct view_pair *p = &v->pair[a->i];
		return formatted("%s %s:%u:%u -> %s:%u:%u %s", p->variable, p->def_file,
		    p->def_line, p->def_col, p->use_file, p->use_line, p->use_col, p->kind);
	}
	side = side_text(&v->objective[a->i]);
	text = formatted(
	    "%s:%u:%u %s of `%s`", a->file, a->line, a->col, side, v->objective[a->i].text);
	free(side);
	return text;
}

char *aim_example(const struct store_view *v, const struct objective *a)
{
	if (a->kind == STORE_PAIRS) {
		const struct view_pair *p = &v->pair[a->i];
		return formatted("%s %s:%u -> %s:%u", p->variable, p->def_file, p->def_line,
		    p->use_file, p->use_line);
	}
	const char *text = v->objective[a->i].text;
	const int most = 60;
	return formatted("%s:%u `%.*s%s`", a->file, a->line, most, text,
	    strlen(text) > (size_t)most ? " ..." : "");
}

char *aim_reached(const struct store_view *v, const struct objective *a)
{
	return a->kind == STORE_BRANCHES ? reason_reached(v, a->i) : copied("");
}

const char *aim_reason(const struct store_view *v, const struct objective *a)
{
	return a->kind == STORE_BRANCHES ? reason_evidence(&v->objective[a->i])
	                                 : reason_pair(&v->pair[a->i]);
}

void aims_unlisted(FILE *f, const struct store_view *v, const char *before)
{
	if (v->unlisted)
		fprintf(f,
		    "%s%" PRIu64
		    " more are unknown, and no search looked for them: of very many pairs only the others are listed\n",
		    before, v->unlisted);
}

static void list(FILE *f, const struct store_view *v, enum store_aim kind,
    enum store_verdict verdict, size_t most)
{
	struct overview_row *row = NULL;
	char *option = formatted("--%s", aim_kinds[kind].name);
	size_t n = 0;

	for (size_t i = 0; i < aims_count(v, kind); i++) {
		struct objective a = aim_at(v, kind, i);
		if (a.verdict == verdict)
			*PUSH(row, n) = (struct overview_row){ a.function, aim_reason(v, &a),
				aim_text(v, &a), aim_reached(v, &a) };
	}
	overview_list(f, verdict_name(verdict), row, n, most, option);
	overview_free(row, n);
	free(option);
}

void aims_text(FILE *f, const struct store_view *v, enum store_aim kind)
{
	struct store_totals t = aims_totals(v, kind);

	if (!t.total && kind == STORE_PAIRS)
		return;
	totals_line(f, aim_kinds[kind].name, &t);
	if (t.suite && !v->folder && kind == STORE_BRANCHES)
		fprintf(f,
		    "  %zu of them by tests of a recorded suite only, which are not run again\n",
		    t.suite);
	list(f, v, kind, VERDICT_UNKNOWN, SUMMARY);
	if (kind == STORE_PAIRS)
		aims_unlisted(f, v, "    ");
	list(f, v, kind, VERDICT_INFEASIBLE, SUMMARY_INFEASIBLE);
}
