/* sarif: findings as SARIF 2.1.0 (OASIS): failures, with the inputs and conditions that lead to
 * them as a code flow; and outcomes of conditions that can never be taken. */
#include "lib/report/lines.h"
#include "lib/report/quote.h"
#include "lib/report/report.h"
#include "lib/report/tests.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char never[] = "infeasible";

static void __attribute__((format(printf, 2, 3))) message(FILE *f, const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		abort();
	va_end(ap);
	fputs("\"message\": { \"text\": ", f);
	quote_json(f, text, "");
	fputs(" }", f);
	free(text);
}

/* Writes a file name as a URI; relative names stay relative. */
static void uri(FILE *f, const char *file)
{
	fputs(*file == '/' ? "\"file://" : "\"", f);
	for (const unsigned char *s = (const unsigned char *)file; *s; s++)
		if (*s > ' ' && *s < 127 && !strchr("\"%<>\\^`{|}?#", *s))
			putc(*s, f);
		else
			fprintf(f, "%%%02X", *s);
	putc('"', f);
}

static void place(FILE *f, const char *file, uint32_t line, uint32_t col)
{
	fputs("\"physicalLocation\": { \"artifactLocation\": { \"uri\": ", f);
	uri(f, file);
	fputs(" }", f);
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
	FILE *f = open_memstream(&text, &size);

	if (!f)
		abort();
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

static void entry_step(FILE *f, const struct store_view *v, const struct view_test *t)
{
	char *inputs = written(print_inputs, t);

	fputs("\n      { \"location\": { ", f);
	for (size_t i = 0; i < v->functions; i++)
		if (!strcmp(v->function[i].name, v->entry)) {
			place(f, v->function[i].file, v->function[i].line, 0);
			fputs(", ", f);
			break;
		}
	message(f, "%s is called with %s", v->entry, inputs);
	fputs(" } }", f);
	free(inputs);
}

static void flow(
    FILE *f, const struct store_view *v, const struct view_failure *x, const struct view_test *t)
{
	fputs(",\n    \"codeFlows\": [ { ", f);
	message(f, "the conditions are those that the run takes, as they stand in the source");
	fputs(", \"threadFlows\": [ { \"locations\": [", f);
	entry_step(f, v, t);
	for (size_t i = 0; i < t->n; i++) {
		const struct view_objective *o = &v->objective[t->covers[i]];
		char *side = written(print_side, o);
		fputs(",\n      { \"location\": { ", f);
		place(f, o->file, o->line, o->col);
		fputs(", ", f);
		message(f, "`%s`: %s", o->text, side + 2);
		fputs(" } }", f);
		free(side);
	}
	if (x->file) {
		fputs(",\n      { \"location\": { ", f);
		place(f, x->file, x->line, 0);
		fputs(", ", f);
		message(f, "%s", failure_words(x->kind));
		fputs(" } }", f);
	}
	fputs(" ] } ] } ]", f);
}

static void failure(FILE *f, const struct store_view *v, const struct view_failure *x)
{
	bool more = x->message && strcmp(x->message, failure_words(x->kind));

	fputs("   { \"ruleId\": ", f);
	quote_json(f, x->kind, "");
	fputs(", \"level\": \"error\", ", f);
	message(f, "%s%s%s%s%s", failure_words(x->kind), x->function ? " in " : "",
	    x->function ? x->function : "", more ? ": " : "", more ? x->message : "");
	if (x->file) {
		fputs(",\n    \"locations\": [ { ", f);
		place(f, x->file, x->line, 0);
		fputs(" } ]", f);
	}
	for (size_t i = 0; i < v->tests; i++)
		if (v->test[i].number == x->test && !v->folder)
			flow(f, v, x, &v->test[i]);
	fprintf(f, ",\n    \"occurrenceCount\": %" PRIu64 " }", x->count ? x->count : 1);
}

static void infeasible(FILE *f, const struct view_objective *o)
{
	char *side = written(print_side, o);

	fprintf(f, "   { \"ruleId\": \"%s\", \"level\": \"note\", ", never);
	message(f, "`%s` is never %s: %s", o->text, side + 2, o->evidence ? o->evidence : "");
	fputs(",\n    \"locations\": [ { ", f);
	place(f, o->file, o->line, o->col);
	fputs(" } ] }", f);
	free(side);
}

static void rules(FILE *f, const struct store_view *v)
{
	fprintf(f,
	    "\n   { \"id\": \"%s\", \"shortDescription\": { \"text\": \"an outcome of a condition that no input takes\" } }",
	    never);
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
	const char *comma = "\n";

	fputs(
	    "{ \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\", \"runs\": [ {\n"
	    "  \"tool\": { \"driver\": { \"name\": \"duct\", \"version\": \"" DUCT_VERSION
	    "\", \"rules\": [",
	    f);
	rules(f, v);
	fputs(" ] } },\n", f);
	assumptions(f, v);
	fputs(",\n  \"results\": [", f);
	for (size_t i = 0; i < v->failures; i++, comma = ",\n") {
		fputs(comma, f);
		failure(f, v, &v->failure[i]);
	}
	for (size_t i = 0; i < v->objectives; i++)
		if (v->objective[i].verdict == VERDICT_INFEASIBLE) {
			fputs(comma, f);
			infeasible(f, &v->objective[i]);
			comma = ",\n";
		}
	fputs(" ]\n} ] }\n", f);
}
