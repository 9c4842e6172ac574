/* html: all of a view as one page that needs nothing else: share/report.html around the data as JSON. Texts
 * that come often are told once and numbered; what a test covers as ranges. */
#include "lib/home/home.h"
#include "lib/report/hash.h"
#include "lib/report/lines.h"
#include "lib/report/quote.h"
#include "lib/report/report.h"
#include "lib/report/tests.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Distinct texts in the order in which they were met. */
struct texts { char **text; size_t n; size_t *slot, slots; };

struct page {
	FILE *f;
	const struct store_view *v;
	struct test_names *names;
	struct texts strings, files;
};

enum { LONGEST = 2000 };             /* bytes of a test's values that are shown */

static void *
more(void *array, size_t n, size_t size)
{
	if (!(array = flow_more(array, n, size)))
		abort();
	return array;
}

static size_t *
slot_of(const struct texts *t, const char *s)
{
	uint64_t h = hash_add(HASH_START, s, strlen(s));
	size_t i;

	for (i = h & (t->slots - 1); t->slot[i] && strcmp(t->text[t->slot[i] - 1], s); i = (i + 1) & (t->slots - 1))
		;
	return &t->slot[i];
}

static size_t
number_of(struct texts *t, const char *s)
{
	size_t *slot;

	if (2 * t->n >= t->slots) {
		t->slots = t->slots ? 4 * t->slots : 1024;
		free(t->slot);
		if (!(t->slot = calloc(t->slots, sizeof *t->slot)))
			abort();
		for (size_t i = 0; i < t->n; i++)
			*slot_of(t, t->text[i]) = i + 1;
	}
	slot = slot_of(t, s);
	if (*slot)
		return *slot - 1;
	t->text = more(t->text, t->n, sizeof *t->text);
	if (!(t->text[t->n] = strdup(s)))
		abort();
	*slot = ++t->n;
	return t->n - 1;
}

static void
texts_free(struct texts *t)
{
	while (t->n)
		free(t->text[--t->n]);
	free(t->text);
	free(t->slot);
}

/* Within a script no `<` may stand. */
static void
string(FILE *f, const char *text)
{
	quote_json(f, text, "<");
}

static void
branch(struct page *p, size_t i)
{
	const struct view_objective *o = &p->v->objective[i];
	char *kind = NULL, *reason = NULL;
	size_t size;
	FILE *to = open_memstream(&kind, &size);

	side_print(to, o);
	fclose(to);
	to = open_memstream(&reason, &size);
	if (o->verdict == VERDICT_UNKNOWN)
		reason_print(to, p->v, i);
	else
		fputs(o->evidence ? o->evidence : "", to);
	fclose(to);
	fprintf(p->f, "%s[%zu,%u,%u,%zu,%zu,%zu,%d,%zu,%" PRIu64 "]", i ? ",\n" : "", number_of(&p->files, o->file), o->line,
	        o->col, number_of(&p->strings, o->function), number_of(&p->strings, o->text),
	        number_of(&p->strings, kind), (int)o->verdict, number_of(&p->strings, reason), o->hits);
	free(kind);
	free(reason);
}

static void
pair(struct page *p, size_t i)
{
	const struct view_pair *x = &p->v->pair[i];

	fprintf(p->f, "%s[%zu,%zu,%zu,%u,%u,%zu,%u,%u,%zu,%d,%zu,%" PRIu64 ",%zu]",
	        i ? ",\n" : "", number_of(&p->strings, x->function), number_of(&p->strings, x->variable), number_of(&p->files, x->def_file),
	        x->def_line, x->def_col, number_of(&p->files, x->use_file), x->use_line, x->use_col,
	        number_of(&p->strings, x->kind), (int)x->verdict, number_of(&p->strings, x->evidence ? x->evidence : ""),
	        x->hits, number_of(&p->strings, x->path ? x->path : ""));
}

static int
by_size(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* first, how many, first, how many, ... */
static void
ranges(FILE *f, const size_t *list, size_t n)
{
	size_t *sorted = malloc((n + 1) * sizeof *sorted), k;

	if (!sorted)
		abort();
	if (n)
		memcpy(sorted, list, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, by_size);
	putc('[', f);
	for (size_t i = 0; i < n; i = k) {
		for (k = i + 1; k < n && sorted[k] == sorted[k - 1] + 1; k++)
			;
		fprintf(f, "%s%zu,%zu", i ? "," : "", sorted[i], k - i);
	}
	putc(']', f);
	free(sorted);
}

static void
values(FILE *f, const struct input *in)
{
	char *line = NULL;
	size_t size;
	FILE *to = open_memstream(&line, &size);

	if (in->n)
		values_line(to, in, LONGEST);
	fclose(to);
	putc(',', f);
	string(f, line);
	free(line);
}

static void
test(struct page *p, size_t i)
{
	const struct view_test *t = &p->v->test[i];

	fprintf(p->f, "%s[%" PRIu64 ",", i ? ",\n" : "", t->number);
	string(p->f, p->names->name[i]);
	putc(',', p->f);
	string(p->f, t->end);
	fprintf(p->f, ",%zu,%zu,", t->n, t->pairs);
	ranges(p->f, t->covers, t->n);
	putc(',', p->f);
	ranges(p->f, t->pair, t->pairs);
	values(p->f, &t->input);
	values(p->f, &t->wrote);
	putc(']', p->f);
}

static void
failure(struct page *p, size_t i)
{
	const struct view_failure *x = &p->v->failure[i];

	fputs(i ? ",\n[" : "[", p->f);
	string(p->f, x->kind);
	if (x->file)
		fprintf(p->f, ",%zu,%u,", number_of(&p->files, x->file), x->line);
	else
		fputs(",null,0,", p->f);
	string(p->f, x->function ? x->function : "");
	putc(',', p->f);
	string(p->f, x->message ? x->message : "");
	fprintf(p->f, ",%" PRIu64 ",%" PRIu64 "]", x->test, x->count);
}

static void
loss(struct page *p, size_t i)
{
	const struct view_lost *x = &p->v->lost[i];

	fputs(i ? ",\n[" : "[", p->f);
	string(p->f, x->reason);
	putc(',', p->f);
	string(p->f, x->file ? x->file : "");
	fprintf(p->f, ",%u,%" PRIu64 "]", x->line, x->count);
}

static void
limits(FILE *f, const struct store_view *v)
{
	fputs(",\n\"limits\":[", f);
	for (size_t i = 0; i < v->limits; i++) {
		fputs(i ? "," : "", f);
		string(f, v->limit[i].text);
	}
	putc(']', f);
}

static void
needs(FILE *f, const struct store_view *v)
{
	fputs(",\n\"needs\":[", f);
	for (size_t i = 0; i < v->needs; i++) {
		const struct view_need *n = &v->need[i];
		char *line;
		if (asprintf(&line, "%s: %s, at %s:%u", n->function, n->text, n->file ? n->file : "?", n->line) < 0)
			abort();
		fputs(i ? "," : "", f);
		string(f, line);
		free(line);
	}
	putc(']', f);
}

static void
assumptions(FILE *f, const char *text)
{
	const char *comma = "";

	fputs(",\n\"assumptions\":[", f);
	for (char *line; (line = next_line(&text)); free(line)) {
		fputs(comma, f);
		string(f, line);
		comma = ",";
	}
	putc(']', f);
}

static void
file(struct page *p, size_t i)
{
	FILE *source = source_open(p->v, p->files.text[i]);
	char *line = NULL;
	size_t size = 0, lines = 0;
	ssize_t n;

	fputs(i ? ",\n[" : "[", p->f);
	string(p->f, p->files.text[i]);
	fputs(source ? ",[" : ",null", p->f);
	while (source && (n = getline(&line, &size, source)) >= 0) {
		line[strcspn(line, "\r\n")] = 0;
		fputs(lines++ ? "," : "", p->f);
		string(p->f, line);
	}
	fputs(source ? "]]" : "]", p->f);
	if (source)
		fclose(source);
	free(line);
}

static void
each(struct page *p, const char *name, size_t n, void (*write)(struct page *, size_t))
{
	fprintf(p->f, ",\n\"%s\":[", name);
	for (size_t i = 0; i < n; i++)
		write(p, i);
	putc(']', p->f);
}

static void
text(struct page *p, size_t i)
{
	fputs(i ? ",\n" : "", p->f);
	string(p->f, p->strings.text[i]);
}

static void
heading(FILE *f, const struct store_view *v)
{
	const char *of = v->folder ? v->folder : v->entry, *ended = v->ended ? v->ended : "still running, or killed";
	char *line;

	if (asprintf(&line, "%s %s", v->folder ? "The suite in" : v->strategy, of) < 0)
		abort();
	fputs("{\"title\":", f);
	string(f, line);
	free(line);
	if (asprintf(&line, "%zu test%s; %s", v->tests, v->tests == 1 ? "" : "s", ended) < 0)
		abort();
	fputs(",\n\"heading\":", f);
	string(f, line);
	free(line);
}

static void
data(FILE *f, const struct store_view *v)
{
	struct page p = { .f = f, .v = v, .names = test_names(v) };

	heading(f, v);
	assumptions(f, v->narrowing);
	limits(f, v);
	needs(f, v);
	fprintf(f, ",\n\"unlisted\":%" PRIu64, v->unlisted);
	each(&p, "branches", v->objectives, branch);
	each(&p, "pairs", v->pairs, pair);
	each(&p, "tests", v->tests, test);
	each(&p, "failures", v->failures, failure);
	each(&p, "lost", v->losts, loss);
	each(&p, "files", p.files.n, file);
	each(&p, "strings", p.strings.n, text);
	fputs("}\n", f);
	texts_free(&p.strings);
	texts_free(&p.files);
	test_names_free(p.names, v);
}

/* The template, with the data in place of its mark. False when it cannot be read. */
static bool
fill(FILE *f, const struct store_view *v)
{
	char *path = home_path("share", "report.html"), *line = NULL;
	FILE *from = path ? fopen(path, "r") : NULL;
	size_t size = 0;
	bool good = from;

	while (from && getline(&line, &size, from) >= 0)
		if (!strcmp(line, "@DATA@\n"))
			data(f, v);
		else
			fputs(line, f);
	if (from)
		fclose(from);
	free(line);
	free(path);
	return good;
}

int
report_html(const char *dir, const struct store_view *v, char **error)
{
	char *name = NULL, *temporary = NULL;
	FILE *f;
	int rc = tests_make_folder(dir, error);

	if (rc)
		return rc;
	if (asprintf(&name, "%s/index.html", dir) < 0 || asprintf(&temporary, "%s.new", name) < 0)
		abort();
	if (!(f = report_new_file(temporary))) {
		rc = tests_fail(error, "%s: %s", temporary, strerror(errno));
	} else {
		bool good = fill(f, v);
		if (ferror(f) | fclose(f) | !good || rename(temporary, name))
			rc = tests_fail(error, good ? "%s: cannot be written" : "%s: share/report.html was not found", name);
		if (rc)
			unlink(temporary);
	}
	free(name);
	free(temporary);
	return rc;
}
