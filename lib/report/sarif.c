/* sarif: findings as SARIF 2.1.0 (OASIS): failures, with the inputs and conditions that lead to
 * them as a code flow; and, one result a place, what no test covers and what can never be taken.
 * Names of files are relative to the base SRCROOT, the folder that the session ran in. */
#include "lib/criteria/criteria.h"
#include "lib/report/aims.h"
#include "lib/report/lines.h"
#include "lib/report/quote.h"
#include "lib/report/report.h"
#include "lib/report/tests.h"
#include "lib/base/grow.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char never[] = "infeasible", unknown[] = "open";

struct sarif {
	const struct store_view *v;
	char *base;        /* folder that names of files are relative to */
	const char *comma; /* before the next result */
};

static void __attribute__((format(printf, 2, 3))) message(FILE *f, const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = formatted_list(fmt, ap);
	va_end(ap);
	fputs("\"message\": { \"text\": ", f);
	quote_json(f, text, "");
	fputs(" }", f);
	free(text);
}

/* Writes a file name as a URI; relative names stay relative. */
static void uri(FILE *f, const char *file, const char *end)
{
	fputs(*file == '/' ? "\"file://" : "\"", f);
	for (const unsigned char *s = (const unsigned char *)file; *s; s++)
		if (*s > ' ' && *s < 127 && !strchr("\"%<>\\^`{|}?#", *s))
			putc(*s, f);
		else
			fprintf(f, "%%%02X", *s);
	fprintf(f, "%s\"", end);
}

/* The folder that names of files are relative to. Caller frees. */
static char *base_folder(const struct store_view *v)
{
	char *path = v->folder ? copied(v->folder) : realpath(".", NULL);

	if (!path)
		path = copied("/");
	for (size_t n = strlen(path); n && path[n - 1] == '/';)
		path[--n] = '\0';
	return path;
}

/* The file's name below the base; absolute if it is elsewhere. */
static const char *below(const char *base, const char *file)
{
	size_t n = strlen(base);

	return n && !strncmp(file, base, n) && file[n] == '/' ? file + n + 1 : file;
}

static void place(FILE *f, const struct sarif *s, const char *file, uint32_t line, uint32_t col)
{
	const char *name = below(s->base, file);

	fputs("\"physicalLocation\": { \"artifactLocation\": { \"uri\": ", f);
	uri(f, name, "");
	fputs(*name == '/' ? " }" : ", \"uriBaseId\": \"SRCROOT\" }", f);
	if (line)
		fprintf(f, ", \"region\": { \"startLine\": %u", line);
	if (line && col)
		fprintf(f, ", \"startColumn\": %u", col);
	fputs(line ? " } }" : " }", f);
}

/* The output of `print` as a string; caller frees. */
static char *written(void (*print)(FILE *, const void *), const void *what)
{
	char *text = NULL;
	size_t size;
	FILE *f = text_stream(&text, &size);

	print(f, what);
	fclose(f);
	return text;
}

static void print_side(FILE *f, const void *objective)
{
	side_print(f, objective);
}

static void print_inputs(FILE *f, const void *test)
{
	enum { LINE = 1000 };

	values_line(f, &((const struct view_test *)test)->input, LINE);
}

static void entry_step(FILE *f, const struct sarif *s, const struct view_test *t)
{
	char *inputs = written(print_inputs, t);

	fputs("\n      { \"location\": { ", f);
	for (size_t i = 0; i < s->v->functions; i++)
		if (!strcmp(s->v->function[i].name, t->entry)) {
			place(f, s, s->v->function[i].file, s->v->function[i].line, 0);
			fputs(", ", f);
			break;
		}
	message(f, "%s is called with %s", t->entry, *inputs ? inputs : "no inputs");
	fputs(" } }", f);
	free(inputs);
}

static void flow(
    FILE *f, const struct sarif *s, const struct view_failure *x, const struct view_test *t)
{
	fputs(",\n    \"codeFlows\": [ { ", f);
	message(f, "the conditions are those that the run takes, each where it first takes it");
	fputs(", \"threadFlows\": [ { \"locations\": [", f);
	entry_step(f, s, t);
	for (size_t i = 0; i < t->n; i++) {
		const struct view_objective *o = &s->v->objective[t->order[i]];
		char *side = written(print_side, o);
		fputs(",\n      { \"location\": { ", f);
		place(f, s, o->file, o->line, o->col);
		fputs(", ", f);
		message(f, "`%s`: %s", o->text, side + 2);
		fputs(" } }", f);
		free(side);
	}
	if (x->file) {
		fputs(",\n      { \"location\": { ", f);
		place(f, s, x->file, x->line, 0);
		fputs(", ", f);
		message(f, "%s", failure_words(x->kind));
		fputs(" } }", f);
	}
	fputs(" ] } ] } ]", f);
}

static void begin_result(FILE *f, struct sarif *s)
{
	fputs(s->comma, f);
	s->comma = ",\n";
}

static void failure(FILE *f, struct sarif *s, const struct view_failure *x)
{
	const struct store_view *v = s->v;
	bool more = x->message && strcmp(x->message, failure_words(x->kind));

	begin_result(f, s);
	fputs("   { \"ruleId\": ", f);
	quote_json(f, x->kind, "");
	fputs(", \"level\": \"error\", ", f);
	message(f, "%s%s%s%s%s", failure_words(x->kind), x->function ? " in " : "",
	    x->function ? x->function : "", more ? ": " : "", more ? x->message : "");
	if (x->file) {
		fputs(",\n    \"locations\": [ { ", f);
		place(f, s, x->file, x->line, 0);
		fputs(" } ]", f);
	}
	for (size_t i = 0; i < v->tests; i++)
		if (v->test[i].number == x->test && !test_of_suite(&v->test[i]))
			flow(f, s, x, &v->test[i]);
	fprintf(f, ",\n    \"occurrenceCount\": %" PRIu64 " }", x->count ? x->count : 1);
}

static bool same_place(const struct objective *x, const struct objective *y)
{
	return x->line == y->line && x->col == y->col && !strcmp(x->file, y->file);
}

/* Those with a verdict, by place. Caller frees. */
static struct objective *gaps(const struct store_view *v, enum store_verdict verdict, size_t *n)
{
	size_t all;
	struct objective *list = aims_all(v, &all);

	*n = 0;
	for (size_t i = 0; i < all; i++)
		if (list[i].verdict == verdict)
			list[(*n)++] = list[i];
	qsort(list, *n, sizeof *list, aims_by_place);
	return list;
}

static void print_gap(FILE *f, const struct store_view *v, const struct objective *g)
{
	if (g->kind == STORE_PAIRS) {
		const struct view_pair *p = &v->pair[g->i];
		fprintf(f, "no %s brings the value of `%s` from %s:%u here (%s): %s",
		    p->verdict == VERDICT_INFEASIBLE ? "input" : "test", p->variable, p->def_file,
		    p->def_line, p->kind, reason_pair(p));
		return;
	}
	const struct view_objective *o = &v->objective[g->i];
	char *side = written(print_side, o);
	fprintf(f,
	    o->verdict == VERDICT_INFEASIBLE ? "`%s` is never %s: " : "`%s` is %s in no test: ",
	    o->text, side + 2);
	reason_print(f, v, g->i);
	free(side);
}

/* A result for each place. */
static void not_covered(FILE *f, struct sarif *s, enum store_verdict verdict)
{
	size_t n, k;
	struct objective *list = gaps(s->v, verdict, &n);

	for (size_t i = 0; i < n; i = k) {
		char *text = NULL;
		size_t size;
		FILE *m = text_stream(&text, &size);
		for (k = i; k < n && same_place(&list[i], &list[k]); k++) {
			fputs(k > i ? "\n" : "", m);
			print_gap(m, s->v, &list[k]);
		}
		fclose(m);
		begin_result(f, s);
		fprintf(f, "   { \"ruleId\": \"%s\", \"level\": \"note\", ",
		    verdict == VERDICT_INFEASIBLE ? never : unknown);
		message(f, "%s", text);
		fputs(",\n    \"locations\": [ { ", f);
		place(f, s, list[i].file, list[i].line, list[i].col);
		fputs(" } ] }", f);
		free(text);
	}
	free(list);
}

struct notes {
	FILE *f;
	struct sarif *s;
	enum store_verdict verdict;
};

/* An objective of a criterion. */
static void criterion_result(void *to, unsigned c, const struct criterion_item *o)
{
	const struct notes *n = to;
	char *text = NULL;
	size_t size;
	FILE *m;

	if (o->verdict != n->verdict)
		return;
	m = text_stream(&text, &size);
	criterion_sentence(m, c, o);
	fclose(m);
	begin_result(n->f, n->s);
	fprintf(n->f, "   { \"ruleId\": \"%s\", \"level\": \"note\", ",
	    n->verdict == VERDICT_INFEASIBLE ? never : unknown);
	message(n->f, "%s", text);
	fputs(",\n    \"locations\": [ { ", n->f);
	place(n->f, n->s, o->file, o->line, o->col);
	fprintf(n->f, " } ],\n    \"properties\": { \"criterion\": \"%s\", \"objective\": ",
	    criterion_name((enum criterion)c));
	quote_json(n->f, o->name, "");
	fputs(" } }", n->f);
	free(text);
}

static void rules(FILE *f, const struct store_view *v)
{
	fprintf(f,
	    "\n   { \"id\": \"%s\", \"shortDescription\": { \"text\": \"an outcome or objective of a criterion that no input covers\" } },"
	    "\n   { \"id\": \"%s\", \"shortDescription\": { \"text\": \"an outcome, pair or objective of a criterion that no test covers\" } }",
	    never, unknown);
	for (size_t i = 0; i < v->failures; i++) {
		size_t k = 0;
		while (strcmp(v->failure[k].kind, v->failure[i].kind))
			k++;
		if (k < i)
			continue;
		fputs(",\n   { \"id\": ", f);
		quote_json(f, v->failure[i].kind, "");
		fputs(", \"shortDescription\": { \"text\": ", f);
		quote_json(f, failure_words(v->failure[i].kind), "");
		fputs(" } }", f);
	}
}

/* The assumptions that the verdicts depend on. */
static void assumptions(FILE *f, const struct store_view *v)
{
	const char *comma = "";
	char *line;

	fputs("  \"properties\": { \"assumptions\": [", f);
	for (const char *rest = v->narrowing; (line = next_line(&rest)); free(line)) {
		fputs(comma, f);
		quote_json(f, line, "");
		comma = ", ";
	}
	comma = "";
	fputs("], \"limits\": [", f);
	for (size_t i = 0; i < v->limits; i++, comma = ", ") {
		fputs(comma, f);
		quote_json(f, v->limit[i].text, "");
	}
	fputs("] }", f);
}

void report_sarif(FILE *f, const struct store_view *v)
{
	struct sarif s = { v, base_folder(v), "\n" };

	fputs(
	    "{ \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\", \"runs\": [ {\n"
	    "  \"tool\": { \"driver\": { \"name\": \"duct\", \"version\": \"" DUCT_VERSION
	    "\", \"rules\": [",
	    f);
	rules(f, v);
	fputs(" ] } },\n  \"originalUriBaseIds\": { \"SRCROOT\": { \"uri\": ", f);
	uri(f, *s.base ? s.base : "/", *s.base ? "/" : "");
	fputs(" } },\n", f);
	assumptions(f, v);
	fputs(",\n  \"results\": [", f);
	for (size_t i = 0; i < v->failures; i++)
		failure(f, &s, &v->failure[i]);
	not_covered(f, &s, VERDICT_UNKNOWN);
	not_covered(f, &s, VERDICT_INFEASIBLE);
	criteria_visit(
	    v, criteria_asked(v), criterion_result, &(struct notes){ f, &s, VERDICT_UNKNOWN });
	criteria_visit(
	    v, criteria_asked(v), criterion_result, &(struct notes){ f, &s, VERDICT_INFEASIBLE });
	fputs(" ]\n} ] }\n", f);
	free(s.base);
}
