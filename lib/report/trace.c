/* trace: the traceability table, and the justifications that persons give for objectives in it. */
#include "lib/criteria/criteria.h"
#include "lib/report/lines.h"
#include "lib/report/report.h"
#include "lib/report/tests.h"

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

static char *key_of(enum criterion c, const char *name)
{
	char *key;

	if (asprintf(&key, "%s %s", criterion_name(c), name) < 0)
		abort();
	return key;
}

static void row(FILE *f, struct store *s, enum criterion c, const struct criterion_item *o)
{
	char *key = key_of(c, o->name), *why = store_justification(s, key), tests[48] = "";

	if (o->test && o->other)
		snprintf(tests, sizeof tests, "%" PRIu64 " %" PRIu64, o->test, o->other);
	else if (o->test)
		snprintf(tests, sizeof tests, "%" PRIu64, o->test);
	cell(f, criterion_name(c), ',');
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
	for (unsigned c = 0; c < CRITERIA; c++) {
		struct criterion_list l = { NULL, 0 };
		if (set >> c & 1)
			l = criterion_list(v, (enum criterion)c);
		for (size_t i = 0; i < l.n; i++)
			row(f, s, (enum criterion)c, &l.at[i]);
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
	if (asprintf(&key, "%s %s", criterion, name) < 0)
		abort();
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
