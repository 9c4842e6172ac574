/* trace: the traceability table, and the justifications that persons give for objectives in it. */
#include "lib/criteria/criteria.h"
#include "lib/report/lines.h"
#include "lib/report/quote.h"
#include "lib/report/report.h"
#include "lib/report/tests.h"
#include "lib/base/grow.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* RFC 4180: in quotes where it has to be. */
static void cell(FILE *f, const char *text, char end)
{
	if (!text[strcspn(text, ",\"\r\n")]) {
		fprintf(f, "%s%c", text, end);
		return;
	}
	putc('"', f);
	for (; *text; text++)
		fprintf(f, *text == '"' ? "\"\"" : "%c", *text);
	fprintf(f, "\"%c", end);
}

static char *key_of(unsigned c, const char *name)
{
	return formatted("%s %s", criterion_name((enum criterion)c), name);
}

struct csv_table {
	FILE *f;
	struct store *s;
};

static void row(void *to, unsigned c, const struct criterion_item *o)
{
	FILE *f = ((struct csv_table *)to)->f;
	struct store *s = ((struct csv_table *)to)->s;
	char *key = key_of(c, o->name), *why = store_justification(s, key), tests[48] = "";

	if (o->test && o->other)
		snprintf(tests, sizeof tests, "%" PRIu64 " %" PRIu64, o->test, o->other);
	else if (o->test)
		snprintf(tests, sizeof tests, "%" PRIu64, o->test);
	cell(f, criterion_name((enum criterion)c), ',');
	cell(f, o->name, ',');
	cell(f, o->function, ',');
	cell(f, o->file, ',');
	fprintf(f, "%" PRIu32 ",%" PRIu32 ",", o->line, o->col);
	cell(f, o->text, ',');
	cell(f, verdict_name(o->verdict), ',');
	cell(f, tests, ',');
	cell(f, o->evidence, ',');
	cell(f, why ? why : "", '\n');
	free(why);
	free(key);
}

void report_trace(FILE *f, const struct store_view *v, struct store *s, uint32_t set)
{
	fputs(
	    "criterion,objective,function,file,line,column,what,verdict,tests,evidence,justification\n",
	    f);
	criteria_visit(v, set, row, &(struct csv_table){ f, s });
}

/* The same as JSON Lines. */
static void object(void *to, unsigned c, const struct criterion_item *o)
{
	const struct csv_table *t = to;
	char *key = key_of(c, o->name), *why = store_justification(t->s, key);
	const struct {
		const char *name, *text;
	} part[] = { { "criterion", criterion_name((enum criterion)c) }, { "objective", o->name },
		{ "function", o->function }, { "what", o->text },
		{ "verdict", verdict_name(o->verdict) }, { "evidence", o->evidence },
		{ "justification", why }, { "file", o->file } };

	for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
		fprintf(t->f, "%s\"%s\": ", i ? ", " : "{", part[i].name);
		quote_json(t->f, part[i].text, "");
	}
	fprintf(
	    t->f, ", \"line\": %" PRIu32 ", \"col\": %" PRIu32 ", \"tests\": [", o->line, o->col);
	if (o->test)
		fprintf(t->f, "%" PRIu64, o->test);
	if (o->test && o->other)
		fprintf(t->f, ", %" PRIu64, o->other);
	fputs("]}\n", t->f);
	free(why);
	free(key);
}

void report_trace_records(FILE *f, const struct store_view *v, struct store *s, uint32_t set)
{
	criteria_visit(v, set, object, &(struct csv_table){ f, s });
}

/* ---- the table as a page */

static void html(FILE *f, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '<': fputs("&lt;", f); break;
		case '>': fputs("&gt;", f); break;
		case '&': fputs("&amp;", f); break;
		case '"': fputs("&quot;", f); break;
		default:
			/* a control character is nothing that a page can show */
			putc((unsigned char)*text < ' ' || *text == 127 ? ' ' : *text, f);
		}
}

static void html_row(FILE *f, struct store *s, enum criterion c, const struct criterion_item *o)
{
	char *key = key_of(c, o->name), *why = s ? store_justification(s, key) : NULL,
	     tests[48] = "";
	const char *cells[] = { o->function, o->text, verdict_name(o->verdict), tests, o->evidence,
		why ? why : "" };

	if (o->test && o->other)
		snprintf(tests, sizeof tests, "%" PRIu64 ", %" PRIu64, o->test, o->other);
	else if (o->test)
		snprintf(tests, sizeof tests, "%" PRIu64, o->test);
	fprintf(f, "<tr class=\"%s\"><td>", verdict_name(o->verdict));
	html(f, o->file);
	fprintf(f, ":%" PRIu32 ":%" PRIu32, o->line, o->col);
	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
		fputs("<td>", f);
		html(f, cells[i]);
	}
	putc('\n', f);
	free(why);
	free(key);
}

static const char html_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Traceability</title>\n<style>\n"
    "body { font: 14px/1.5 system-ui, sans-serif; margin: 1.5em; color-scheme: light dark }\n"
    "table { border-collapse: collapse; margin: .5em 0 2em } td, th { padding: .2em .7em; text-align: left;"
    " vertical-align: top; border-bottom: 1px solid #8884 }\n"
    ".covered td:nth-child(4) { color: #12775a } .unknown td:nth-child(4) { color: #b86000 }\n</style>\n"
    "<h1>Traceability</h1>\n<p>Each objective with the tests that meet it. <a href=\"index.html\">Report</a>\n";

void report_trace_page(FILE *f, const struct store_view *v, struct store *s, uint32_t set)
{
	fputs(html_head, f);
	for (unsigned c = 0; c < CRITERIA; c++) {
		struct criterion_list l = { NULL, 0 };
		if (set >> c & 1)
			l = criterion_list(v, (enum criterion)c);
		struct store_totals t = criterion_totals(&l);
		if (l.n)
			fprintf(f,
			    "<h2>%s: %zu of %zu covered, %zu infeasible, %zu unknown</h2>\n<table>\n<tr><th>place<th>"
			    "function<th>objective<th>verdict<th>tests<th>evidence<th>justification\n",
			    criterion_name((enum criterion)c), t.covered, t.total, t.infeasible,
			    t.unknown);
		for (size_t i = 0; i < l.n; i++)
			html_row(f, s, (enum criterion)c, &l.at[i]);
		if (l.n)
			fputs("</table>\n", f);
		criterion_free(&l);
	}
}

/* A line's fields; false: they are not three. */
static bool split(char *line, char **criterion, char **name, char **text)
{
	line[strcspn(line, "\r\n")] = 0;
	*criterion = strsep(&line, "\t");
	*name = strsep(&line, "\t");
	*text = line;
	return *name && *text;
}

static bool is_there(
    const struct store_view *v, const char *criterion, const char *name, char **error)
{
	uint32_t set = criteria_parse(criterion, error);
	struct criterion_list l;
	bool found = false;
	unsigned c = 0;

	if (!set)
		return false;
	while (!(set >> c & 1))
		c++;
	l = criterion_list(v, (enum criterion)c);
	for (size_t i = 0; i < l.n; i++)
		found |= !strcmp(l.at[i].name, name);
	criterion_free(&l);
	if (!found)
		tests_fail(error, "%s has no objective `%s`", criterion, name);
	return found;
}

static int take(const struct store_view *v, struct store *s, char *line, char **error)
{
	char *criterion, *name, *text, *key;

	if (!split(line, &criterion, &name, &text))
		return tests_fail(
		    error, "expected CRITERION, OBJECTIVE and TEXT, with TABs between them");
	if (!is_there(v, criterion, name, error))
		return -1;
	key = formatted("%s %s", criterion, name);
	int rc = store_justify(s, key, text);
	free(key);
	return rc ? tests_fail(error, "%s", store_error(s)) : 0;
}

int report_justify(const struct store_view *v, struct store *s, const char *path, char **error)
{
	FILE *f = fopen(path, "r");
	char *line = NULL, *why = NULL;
	size_t size = 0, number = 0;
	int rc = 0;

	if (!f)
		return tests_fail(error, "%s: %s", path, strerror(errno));
	while (!rc && getline(&line, &size, f) >= 0) {
		number++;
		if (*line != '#' && *line != '\n')
			rc = take(v, s, line, &why);
	}
	if (rc)
		tests_fail(error, "%s:%zu: %s", path, number, why ? why : "");
	free(why);
	free(line);
	fclose(f);
	return rc;
}
