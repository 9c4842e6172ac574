/* junit: the tests as JUnit XML; tests that failed when they were recorded are failures. */
#include "lib/report/lines.h"
#include "lib/report/names.h"
#include "lib/report/quote.h"
#include "lib/report/report.h"
#include "lib/report/tests.h"

#include <stdlib.h>
#include <string.h>

static void inputs(FILE *f, const struct view_test *t)
{
	enum { LINE = 2000 };
	char *text = NULL;
	size_t size;
	FILE *m = open_memstream(&text, &size);

	if (!m)
		abort();
	values_line(m, &t->input, LINE);
	fclose(m);
	fputs("\t\t\t<system-out>", f);
	quote_xml(f, text);
	fputs("</system-out>\n", f);
	free(text);
}

static void test(FILE *f, const struct store_view *v, const struct view_test *t, const char *name)
{
	char *what = tests_what(t);

	fputs("\t\t<testcase classname=\"", f);
	quote_xml(f, v->entry);
	fputs("\" name=\"", f);
	quote_xml(f, name);
	fputs("\" time=\"0\">\n", f);
	if (t->failure) {
		fputs("\t\t\t<failure type=\"", f);
		quote_xml(f, t->end);
		fputs("\" message=\"", f);
		quote_xml(f, what ? what : failure_words(t->end));
		fputs("\"/>\n", f);
	}
	if (!v->folder)
		inputs(f, t);
	fputs("\t\t</testcase>\n", f);
	free(what);
}

void report_junit(FILE *f, const struct store_view *v)
{
	struct test_names *names = test_names(v);
	size_t failures = 0;
	char *line;

	for (size_t i = 0; i < v->tests; i++)
		failures += v->test[i].failure;
	fprintf(f,
	    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n\t<testsuite name=\"duct %s\" tests=\"%zu\""
	    " failures=\"%zu\" errors=\"0\" skipped=\"0\" time=\"%.3f\">\n\t\t<properties>\n",
	    v->strategy, v->tests, failures, v->figures.seconds);
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
	for (size_t i = 0; i < v->tests; i++)
		test(f, v, &v->test[names->order[i]], names->name[names->order[i]]);
	fputs("\t</testsuite>\n</testsuites>\n", f);
	test_names_free(names, v);
}
