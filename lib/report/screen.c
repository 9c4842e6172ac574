/* screen: the summary of a call that tested many functions, which fits on a screen: the result,
 * then what is open, a line for each reason. */
#include "lib/base/grow.h"
#include "lib/base/texts.h"
#include "lib/criteria/criteria.h"
#include "lib/report/lines.h"
#include "lib/report/out.h"
#include "lib/report/report.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FINDINGS = 4, REASONS = 4, ASSUMED = 3, WIDTH = 100 };

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void findings(FILE *f, const struct store_view *v)
{
	if (v->failures)
		fputs("findings:\n", f);
	for (size_t i = 0; i < v->failures && i < FINDINGS; i++)
		failure_print(f, v, &v->failure[i], WIDTH);
	if (v->failures > FINDINGS)
		fprintf(f, "  ... and %zu more: report --findings\n", v->failures - FINDINGS);
}

void report_result(FILE *f, const struct store_view *v, const struct report_style *style)
{
	struct store_totals t = branch_totals(v), p = pair_totals(v);
	uint32_t set = criteria_asked(v);
	struct out o;
	FILE *out = out_begin(&o, f, v, style->colour);

	totals_line(out, "branches", &t);
	if (p.total)
		totals_line(out, "pairs", &p);
	for (unsigned c = 0; c < CRITERIA; c++) {
		if (!(set >> c & 1))
			continue;
		t = criterion_count(v, c);
		criterion_line(out, v, c, &t);
	}
	findings(out, v);
	out_end(&o, true);
}

/* Objectives that are open for one reason. */
struct group {
	char *reason, *example;
	size_t outcomes, pairs;
};

/* One more objective that is open for the reason, in the order of their first ones; takes the
 * reason. *is_new: it needs an example. */
static struct group *count(
    struct group **group, size_t *n, struct texts *t, char *reason, bool *is_new)
{
	uint32_t number = texts_number(t, reason);

	if ((*is_new = number > *n))
		*PUSH(*group, *n) = (struct group){ .reason = reason };
	else
		free(reason);
	return &(*group)[number - 1];
}

/* The first thing that evidence says, for objectives of any function: without its entry, with any
 * number of steps; malloc'ed. */
static char *gist(const char *before, const char *evidence)
{
	char *text = NULL;
	size_t size;
	FILE *m = open_memstream(&text, &size);

	if (!m)
		no_memory();
	if (!strncmp(evidence, "from ", strlen("from ")) && strstr(evidence, ": "))
		evidence = strstr(evidence, ": ") + 2;
	if (*before)
		fprintf(m, "%s; ", reason_common(before));
	if (!strncmp(evidence, STORE_LIMITS, strlen(STORE_LIMITS)))
		evidence = "limits";
	if (!strncmp(evidence, "time ran out ", strlen("time ran out "))
	    && isdigit((unsigned char)evidence[strlen("time ran out ")]))
		evidence = "time ran out some steps before the use";
	fprintf(m, "%.*s", (int)strcspn(evidence, ";"), evidence);
	fclose(m);
	return text;
}

static int by_number(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	size_t n = x->outcomes + x->pairs, m = y->outcomes + y->pairs;

	return n != m ? (n < m ? 1 : -1) : strcmp(x->reason, y->reason);
}

static struct group *groups(const struct store_view *v, size_t *n)
{
	struct group *list = NULL;
	struct texts t = { 0 };
	bool is_new;

	*n = 0;
	for (size_t i = 0; i < v->objectives; i++) {
		const struct view_objective *o = &v->objective[i];
		struct group *g;
		char *reached;
		if (o->verdict != VERDICT_UNKNOWN)
			continue;
		reached = reason_reached(v, i);
		g = count(&list, n, &t, gist(reached, reason_evidence(o)), &is_new);
		g->outcomes++;
		if (is_new)
			g->example = formatted("%s:%u `%s`", o->file, o->line, o->text);
		free(reached);
	}
	for (size_t i = 0; i < v->pairs; i++) {
		const struct view_pair *p = &v->pair[i];
		struct group *g;
		if (p->verdict != VERDICT_UNKNOWN)
			continue;
		g = count(&list, n, &t, gist("", reason_pair(p)), &is_new);
		g->pairs++;
		if (is_new)
			g->example = formatted("%s %s:%u -> %s:%u", p->variable, p->def_file,
			    p->def_line, p->use_file, p->use_line);
	}
	texts_close(&t);
	if (*n)
		qsort(list, *n, sizeof *list, by_number);
	return list;
}

static void print_group(FILE *f, const struct group *g)
{
	fputs("  ", f);
	if (g->outcomes)
		fprintf(f, "%zu outcome%s", g->outcomes, plural(g->outcomes));
	if (g->pairs)
		fprintf(f, "%s%zu pair%s", g->outcomes ? ", " : "", g->pairs, plural(g->pairs));
	fprintf(f, ": %s; such as %.*s\n", g->reason, WIDTH, g->example);
}

/* A line about things that the whole report lists. */
static void summed(FILE *f, const char *what, size_t n, const char *example)
{
	if (n)
		fprintf(f, "%s: %s%.*s%s", what, n > 1 ? "such as " : "", WIDTH, example,
		    n > 1 ? "" : "\n");
	if (n > 1)
		fprintf(f, "; %zu in all\n", n);
}

/* The assumptions about inputs that the user stated. */
static void assumptions(FILE *f, const struct store_view *v)
{
	const char *rest = v->narrowing;
	size_t n = 0;

	for (char *line; (line = next_line(&rest)); free(line)) {
		if (!n++)
			fputs("assumed of the inputs:\n", f);
		if (n <= ASSUMED)
			fprintf(f, "  %s\n", line);
	}
	if (n > ASSUMED)
		fprintf(f, "  ... and %zu more\n", n - ASSUMED);
}

void report_open(FILE *f, const struct store_view *v, const struct report_style *style)
{
	size_t n, rest = 0;
	struct group *group = groups(v, &n);
	struct out o;
	FILE *out = out_begin(&o, f, v, style->colour);

	if (n)
		fputs("open:\n", out);
	for (size_t i = 0; i < n; i++) {
		if (i < REASONS)
			print_group(out, &group[i]);
		else
			rest += group[i].outcomes + group[i].pairs;
		free(group[i].reason);
		free(group[i].example);
	}
	if (rest)
		fprintf(out, "  %zu for other reasons\n", rest);
	free(group);
	lost_errors(out, v);
	summed(out, "precision lost", v->losts, v->losts ? v->lost[0].reason : "");
	summed(out, "limits", v->limits, v->limits ? v->limit[0].text : "");
	summed(out, "needs of callers", v->needs, v->needs ? v->need[0].text : "");
	assumptions(out, v);
	out_end(&o, false);
	if (style->stats)
		counters_text(f, v);
	if (style->store)
		fprintf(f, "all of it: duct report %s\n", style->store);
}
