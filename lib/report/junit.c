/* junit: the tests as JUnit XML. A test that shows a finding is no case of its own: there is a case
 * for each finding's place, which fails and lists these tests. One that ends where it breaks a need
 * is skipped: no function fails then. */
#include "lib/criteria/criteria.h"
#include "lib/report/lines.h"
#include "lib/report/names.h"
#include "lib/report/quote.h"
#include "lib/report/report.h"
#include "lib/report/tests.h"
#include "lib/base/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void inputs(FILE *f, const struct view_test *t)
{
	enum { LINE = 2000 };
	char *text = NULL;
	size_t size;
	FILE *m = text_stream(&text, &size);

	values_line(m, &t->input, LINE);
	fclose(m);
	quote_xml(f, text);
	free(text);
}

static void begin_case(FILE *f, const char *class, const char *name)
{
	fputs("\t\t<testcase classname=\"", f);
	quote_xml(f, class);
	fputs("\" name=\"", f);
	quote_xml(f, name);
	fputs("\" time=\"0\">\n", f);
}

static void failed(FILE *f, const char *kind, const char *what)
{
	fputs("\t\t\t<failure type=\"", f);
	quote_xml(f, kind);
	fputs("\" message=\"", f);
	quote_xml(f, what);
	fputs("\"/>\n", f);
}

/* A test that fails and shows no finding. */
static const char no_finding[] =
    "\t\t\t<skipped message=\"its run violates a need of the function\"/>\n";

static void test(FILE *f, const struct store_view *v, const struct view_test *t, const char *name)
{
	char *what = tests_what(t);

	begin_case(f, t->entry && *t->entry ? t->entry : v->entry, name);
	if (t->failure && test_of_suite(t))
		failed(f, t->end, what ? what : failure_words(t->end));
	else if (t->failure)
		fputs(no_finding, f);
	if (!test_of_suite(t)) {
		fputs("\t\t\t<system-out>", f);
		inputs(f, t);
		fputs("</system-out>\n", f);
	}
	fputs("\t\t</testcase>\n", f);
	free(what);
}

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Does the test show the finding? */
static bool shows(const struct view_test *t, const struct view_failure *x)
{
	return t->failure && !test_of_suite(t)
	    && (t->number == x->test
	        || (x->file && !strcmp(t->end, x->kind) && same(t->file, x->file)
	            && t->line == x->line));
}

static bool shows_any(const struct store_view *v, const struct view_test *t)
{
	for (size_t i = 0; i < v->failures; i++)
		if (shows(t, &v->failure[i]))
			return true;
	return false;
}

/* The case of a finding. */
static void finding(FILE *f, const struct store_view *v, const struct test_names *names,
    const struct view_failure *x)
{
	char *what, *place = NULL;

	if (x->file)
		place = formatted(" at %s:%u", x->file, x->line);
	bool more = x->message && strcmp(x->message, failure_words(x->kind));
	what = formatted("%s%s%s%s%s%s", failure_words(x->kind), place ? place : "",
	    x->function ? " in " : "", x->function ? x->function : "", more ? ": " : "",
	    more ? x->message : "");
	begin_case(f, x->function ? x->function : v->entry, what);
	failed(f, x->kind, what);
	fprintf(f, "\t\t\t<system-out>%" PRIu64 " run%s\n", x->count, x->count == 1 ? "" : "s");
	for (size_t i = 0; i < v->tests; i++) {
		const struct view_test *t = &v->test[names->order[i]];
		if (!shows(t, x))
			continue;
		quote_xml(f, names->name[names->order[i]]);
		fputs(": ", f);
		inputs(f, t);
		putc('\n', f);
	}
	fputs("</system-out>\n\t\t</testcase>\n", f);
	free(place);
	free(what);
}

static void properties(FILE *f, const struct store_view *v)
{
	char *line;

	fputs("\t\t<properties>\n", f);
	for (const char *rest = v->narrowing; (line = next_line(&rest)); free(line)) {
		fputs("\t\t\t<property name=\"assumed\" value=\"", f);
		quote_xml(f, line);
		fputs("\"/>\n", f);
	}
	for (size_t i = 0; i < v->limits; i++) {
		fputs("\t\t\t<property name=\"limit\" value=\"", f);
		quote_xml(f, v->limit[i].text);
		fputs("\"/>\n", f);
	}
	fputs("\t\t</properties>\n", f);
}

/* A case for each objective: passed when it is covered, else skipped. */
static void objective(void *to, unsigned c, const struct criterion_item *o)
{
	FILE *f = to;

	(void)c;
	begin_case(f, o->function, o->name);
	fputs(
	    o->verdict == VERDICT_COVERED ? "\t\t\t<system-out>" : "\t\t\t<skipped message=\"", f);
	if (o->verdict != VERDICT_COVERED)
		fprintf(f, "%s: ", verdict_name(o->verdict));
	quote_xml(f, o->evidence);
	fputs(o->verdict == VERDICT_COVERED ? "</system-out>\n" : "\"/>\n", f);
	fputs("\t\t</testcase>\n", f);
}

/* A suite for each criterion that was asked for by name. */
static void criteria(FILE *f, const struct store_view *v)
{
	uint32_t set = (criteria_asked(v) & ~criteria_with(CRITERION_ALWAYS)) | v->criteria;

	for (unsigned c = 0; c < CRITERIA; c++) {
		struct store_totals t = { 0 };
		if (set >> c & 1)
			t = criterion_count(v, c);
		if (!t.total)
			continue;
		fprintf(f,
		    "\t<testsuite name=\"%s\" tests=\"%zu\" failures=\"0\" errors=\"0\" skipped=\"%zu\" time=\"0\">\n",
		    criterion_name((enum criterion)c), t.total, t.total - t.covered);
		criteria_visit(v, 1u << c, objective, f);
		fputs("\t</testsuite>\n", f);
	}
}

void report_junit(FILE *f, const struct store_view *v)
{
	struct test_names *names = test_names(v);
	bool *own = zeroed(v->tests + 1, sizeof *own); /* has a case of its own */
	size_t cases = v->failures, failures = v->failures, skipped = 0;

	for (size_t i = 0; i < v->tests; i++) {
		own[i] = !shows_any(v, &v->test[i]);
		cases += own[i];
		if (own[i] && v->test[i].failure)
			++*(test_of_suite(&v->test[i]) ? &failures : &skipped);
	}
	fprintf(f,
	    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n\t<testsuite name=\"duct %s\" tests=\"%zu\""
	    " failures=\"%zu\" errors=\"0\" skipped=\"%zu\" time=\"%.3f\">\n",
	    v->strategy, cases, failures, skipped, v->figures.seconds);
	properties(f, v);
	for (size_t i = 0; i < v->failures; i++)
		finding(f, v, names, &v->failure[i]);
	for (size_t i = 0; i < v->tests; i++)
		if (own[names->order[i]])
			test(f, v, &v->test[names->order[i]], names->name[names->order[i]]);
	fputs("\t</testsuite>\n", f);
	criteria(f, v);
	fputs("</testsuites>\n", f);
	free(own);
	test_names_free(names, v);
}
