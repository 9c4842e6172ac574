/* records: lists of a report as JSON Lines (one object per line); the table of findings. */
#include "lib/criteria/criteria.h"
#include "lib/base/grow.h"
#include "lib/report/lines.h"
#include "lib/report/quote.h"
#include "lib/report/report.h"
#include "lib/report/value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 2000 }; /* maximum bytes of a test's inputs in an object; of a finding all */

static void text(FILE *f, const char *key, const char *s)
{
	fprintf(f, "%s\"%s\": ", *key == '{' ? "{" : ", ", key + (*key == '{'));
	quote_json(f, s, "");
}

static void number(FILE *f, const char *key, uint64_t n)
{
	fprintf(f, ", \"%s\": %" PRIu64, key, n);
}

static void place(FILE *f, const char *file, uint32_t line, uint32_t col)
{
	text(f, "file", file);
	number(f, "line", line);
	if (col)
		number(f, "col", col);
}

static void inputs(FILE *f, const struct input *in, size_t most)
{
	char *line = NULL;
	size_t size;
	FILE *to = text_stream(&line, &size);

	values_line(to, in, most);
	fclose(to);
	text(f, "inputs", line);
	free(line);
}

static void test_number(FILE *f, uint64_t n)
{
	if (n)
		number(f, "test", n);
	else
		fputs(", \"test\": null", f);
}

static void branch(FILE *f, const struct store_view *v, size_t i)
{
	const struct view_objective *o = &v->objective[i];
	char *words = NULL;
	size_t size;
	FILE *to = text_stream(&words, &size);

	side_print(to, o);
	fclose(to);
	text(f, "{function", o->function);
	text(f, "condition", o->text);
	number(f, "number", o->ordinal);
	place(f, o->file, o->line, o->col);
	text(f, "kind", words);
	free(words);
	text(f, "verdict", verdict_name(o->verdict));
	to = text_stream(&words, &size);
	if (o->verdict == VERDICT_UNKNOWN)
		reason_print(to, v, i);
	else
		fputs(o->evidence ? o->evidence : "", to);
	fclose(to);
	text(f, "evidence", words);
	free(words);
	test_number(f, o->test);
	number(f, "runs", o->hits);
}

static void pair(FILE *f, const struct store_view *v, size_t i)
{
	const struct view_pair *p = &v->pair[i];

	text(f, "{function", p->function);
	text(f, "variable", p->variable);
	fputs(", \"def\": {\"file\": ", f);
	quote_json(f, p->def_file, "");
	fprintf(f, ", \"line\": %u, \"col\": %u}, \"use\": {\"file\": ", p->def_line, p->def_col);
	quote_json(f, p->use_file, "");
	fprintf(f, ", \"line\": %u, \"col\": %u}", p->use_line, p->use_col);
	text(f, "kind", p->kind);
	text(f, "verdict", verdict_name(p->verdict));
	text(f, "evidence", reason_pair(p));
	test_number(f, p->test);
	number(f, "runs", p->hits);
}

static void check(FILE *f, const struct store_view *v, size_t i)
{
	const struct view_place *p = &v->place[i];

	text(f, "{function", p->function);
	text(f, "kind", p->kind);
	place(f, p->file, p->line, p->col);
	text(f, "verdict", p->verdict);
	test_number(f, p->test);
}

static void test(FILE *f, const struct store_view *v, size_t i)
{
	const struct view_test *t = &v->test[i];

	fprintf(f, "{\"number\": %" PRIu64, t->number);
	text(f, "name", t->name);
	text(f, "ending", t->end);
	number(f, "branches", t->n);
	number(f, "pairs", t->pairs);
	if (test_of_suite(t))
		fputs(", \"inputs\": null", f);
	else
		inputs(f, &t->input, LONGEST);
	if (t->has_result)
		fprintf(f, ", \"result\": %" PRId64, t->result);
}

static const struct view_test *test_of(const struct store_view *v, uint64_t n)
{
	for (size_t i = 0; i < v->tests; i++)
		if (v->test[i].number == n)
			return &v->test[i];
	return NULL;
}

static void finding(FILE *f, const struct store_view *v, size_t i)
{
	const struct view_failure *x = &v->failure[i];
	const struct view_test *t = test_of(v, x->test);

	text(f, "{kind", x->kind);
	text(f, "text", failure_words(x->kind));
	place(f, x->file, x->line, 0);
	text(f, "function", x->function);
	text(f, "message", x->message);
	test_number(f, x->test);
	number(f, "count", x->count);
	if (t)
		inputs(f, &t->input, SIZE_MAX);
}

/* The tests of --minimal. */
static void chosen(FILE *f, const struct store_view *v)
{
	size_t n;
	bool least, *is_chosen = tests_choose(v, &n, &least);

	for (size_t i = 0; i < v->tests; i++)
		if (is_chosen[i]) {
			test(f, v, i);
			fprintf(f, ", \"least\": %s}\n", least ? "true" : "false");
		}
	free(is_chosen);
}

void report_records(FILE *f, const struct store_view *v, char list)
{
	const struct {
		char list;
		size_t n;
		void (*print)(FILE *, const struct store_view *, size_t);
	} all[] = {
		{ 'b', v->objectives, branch },
		{ 'p', v->pairs, pair },
		{ 'k', v->places, check },
		{ 't', v->tests, test },
		{ 'f', v->failures, finding },
	};

	if (list == 'm')
		chosen(f, v);
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		for (size_t i = 0; all[k].list == list && i < all[k].n; i++) {
			all[k].print(f, v, i);
			fputs("}\n", f);
		}
}

void report_findings(FILE *f, const struct store_view *v)
{
	fputs("#kind\tposition\tfunction\tmessage\tcount\ttest\tinputs\n", f);
	for (size_t i = 0; i < v->failures; i++) {
		const struct view_failure *x = &v->failure[i];
		const struct view_test *t = test_of(v, x->test);
		fprintf(f, "%s\t", x->kind);
		field_text(f, x->file ? x->file : "-");
		fprintf(f, ":%u\t", x->line);
		field_print(f, x->function ? x->function : "-");
		field_print(f, x->message ? x->message : "-");
		fprintf(f, "%" PRIu64 "\t%" PRIu64 "\t", x->count, x->test);
		if (t)
			values_line(f, &t->input, SIZE_MAX);
		putc('\n', f);
	}
}

static void criterion_note(void *to, unsigned c, const struct criterion_item *o)
{
	FILE *f = to;

	if (o->verdict == VERDICT_COVERED)
		return;
	fprintf(f, "%s:%u:%u: note: ", o->file, o->line, o->col);
	criterion_sentence(f, c, o);
	fputs(" [duct]\n", f);
}

void report_gcc(FILE *f, const struct store_view *v)
{
	for (size_t i = 0; i < v->failures; i++) {
		const struct view_failure *x = &v->failure[i];
		const struct view_test *t = test_of(v, x->test);
		if (!x->file)
			continue;
		fprintf(f, "%s:%u: warning: %s", x->file, x->line, failure_words(x->kind));
		if (t && t->input.n) {
			fputs(" with ", f);
			values_line(f, &t->input, 200);
		}
		fputs(" [duct]\n", f);
	}
	for (size_t i = 0; i < v->objectives; i++) {
		const struct view_objective *o = &v->objective[i];
		if (o->verdict == VERDICT_COVERED)
			continue;
		fprintf(f, "%s:%u:%u: note: ", o->file, o->line, o->col);
		side_print(f, o);
		fprintf(f, " of `%s` is %s: ", o->text,
		    o->verdict == VERDICT_UNKNOWN ? "open" : "infeasible");
		reason_print(f, v, i);
		fputs(" [duct]\n", f);
	}
	criteria_visit(v, criteria_asked(v), criterion_note, f);
}
