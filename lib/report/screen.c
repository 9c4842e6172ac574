/* screen: the summary of a call that tested many functions, which fits on a screen: the result,
 * then what is open, a line for each reason. */
#include "lib/base/grow.h"
#include "lib/base/texts.h"
#include "lib/criteria/criteria.h"
#include "lib/report/aims.h"
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

static void findings(FILE *f, const struct store_view *v, const char *store)
{
	if (v->failures)
		fputs("findings:\n", f);
	for (size_t i = 0; i < v->failures && i < FINDINGS; i++)
		failure_print(f, v, &v->failure[i], store);
	if (v->failures > FINDINGS)
		fprintf(f, "  ... and %zu more: duct report %s --findings\n",
		    v->failures - FINDINGS, store ? store : "STORE");
}

void report_result(FILE *f, const struct store_view *v, const struct report_style *style)
{
	uint32_t set = criteria_asked(v);
	struct out o;
	FILE *out = out_begin(&o, f, v, style->colour);

	for (unsigned kind = 0; kind < STORE_AIMS; kind++) {
		struct store_totals t = aims_totals(v, (enum store_aim)kind);
		if (t.total || kind == STORE_BRANCHES)
			totals_line(out, aim_kinds[kind].name, &t);
	}
	for (unsigned c = 0; c < CRITERIA; c++) {
		if (!(set >> c & 1))
			continue;
		struct store_totals t = criterion_count(v, c);
		criterion_line(out, v, c, &t);
	}
	findings(out, v, style->store);
	out_end(&o, true);
}

/* Objectives that are open for one reason. */
struct open_reason {
	char *reason, *example;
	size_t n[STORE_AIMS], all;
};

/* One more objective that is open for the reason, in the order of their first ones; takes the
 * reason. *is_new: it needs an example. */
static struct open_reason *count(
    struct open_reason **group, size_t *n, struct texts *t, char *reason, bool *is_new)
{
	uint32_t number = texts_number(t, reason);

	if ((*is_new = number > *n))
		*PUSH(*group, *n) = (struct open_reason){ .reason = reason };
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
	FILE *m = text_stream(&text, &size);

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
	const struct open_reason *x = a, *y = b;

	return x->all != y->all ? (x->all < y->all ? 1 : -1) : strcmp(x->reason, y->reason);
}

static struct open_reason *groups(const struct store_view *v, size_t *n)
{
	struct open_reason *list = NULL;
	struct texts t = { 0 };
	size_t all;
	struct objective *aim = aims_all(v, &all);

	*n = 0;
	for (size_t i = 0; i < all; i++) {
		struct open_reason *g;
		char *reached;
		bool is_new;
		if (aim[i].verdict != VERDICT_UNKNOWN)
			continue;
		reached = aim_reached(v, &aim[i]);
		g = count(&list, n, &t, gist(reached, aim_reason(v, &aim[i])), &is_new);
		g->n[aim[i].kind]++;
		g->all++;
		if (is_new)
			g->example = aim_example(v, &aim[i]);
		free(reached);
	}
	free(aim);
	texts_close(&t);
	if (*n)
		qsort(list, *n, sizeof *list, by_number);
	return list;
}

static void print_group(FILE *f, const struct open_reason *g)
{
	const char *before = "  ";

	for (unsigned kind = 0; kind < STORE_AIMS; kind++)
		if (g->n[kind]) {
			fprintf(f, "%s%zu %s%s", before, g->n[kind], aim_kinds[kind].one,
			    plural(g->n[kind]));
			before = ", ";
		}
	fprintf(f, ": %s; such as %s\n", g->reason, g->example);
}

/* Writes a text, of a long one the words that have room. */
static void print_cut(FILE *f, const char *text)
{
	size_t n = strlen(text);

	if (n > WIDTH) {
		for (n = WIDTH; n && text[n] != ' '; n--)
			;
		n = n ? n : WIDTH;
	}
	fprintf(f, "%.*s%s", (int)n, text, text[n] ? " ..." : "");
}

/* A line about things that the whole report lists. file: where the example was seen; NULL. */
static void summed(
    FILE *f, const char *what, size_t n, const char *example, const char *file, uint32_t line)
{
	if (!n)
		return;
	fprintf(f, "%s: %s", what, n > 1 ? "such as " : "");
	print_cut(f, example);
	if (file)
		fprintf(f, " at %s:%u", file, line);
	if (n > 1)
		fprintf(f, "; %zu in all", n);
	fputc('\n', f);
}

/* Lost precision, but errors. */
static void losses(FILE *f, const struct store_view *v)
{
	const struct view_lost *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < v->losts; i++)
		if (!lost_is_error(&v->lost[i]) && !n++)
			first = &v->lost[i];
	if (first)
		summed(f, "precision lost", n, first->reason, first->file, first->line);
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
	struct open_reason *group = groups(v, &n);
	struct out o;
	FILE *out = out_begin(&o, f, v, style->colour);

	if (n)
		fputs("open:\n", out);
	for (size_t i = 0; i < n; i++) {
		if (i < REASONS)
			print_group(out, &group[i]);
		else
			rest += group[i].all;
		free(group[i].reason);
		free(group[i].example);
	}
	if (rest)
		fprintf(out, "  %zu for other reasons\n", rest);
	free(group);
	lost_errors(out, v);
	losses(out, v);
	summed(out, "limits", v->limits, v->limits ? v->limit[0].text : "", NULL, 0);
	summed(out, "needs of callers", v->needs, v->needs ? v->need[0].text : "", NULL, 0);
	assumptions(out, v);
	out_end(&o, false);
	if (style->stats)
		counters_text(f, v);
	if (style->store)
		fprintf(f, "all of it: duct report %s\n", style->store);
}
