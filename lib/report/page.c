/* page: a self-contained HTML page of a view: share/page/index.html with its style, scripts and the
 * data as JSON. Repeated texts are stored once and numbered; covered objectives are stored as
 * ranges. */
#include "lib/base/home.h"
#include "lib/criteria/criteria.h"
#include "lib/report/lines.h"
#include "lib/report/page.h"
#include "lib/report/report.h"
#include "lib/report/tests.h"
#include "lib/base/grow.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 2000 }; /* maximum bytes shown of a test's values */

static void branch(struct page *p, size_t i)
{
	const struct view_objective *o = &p->v->objective[i];
	char *kind = NULL, *reason = NULL;
	size_t size;
	FILE *to = text_stream(&kind, &size);

	side_print(to, o);
	fclose(to);
	to = text_stream(&reason, &size);
	if (o->verdict == VERDICT_UNKNOWN)
		reason_print(to, p->v, i);
	else
		fputs(o->evidence ? o->evidence : "", to);
	fclose(to);
	fprintf(p->f, "%s[%zu,%u,%u,%zu,%zu,%zu,%d,%zu,%" PRIu64 ",%" PRIu64 "]", i ? ",\n" : "",
	    page_number(&p->files, o->file), o->line, o->col, page_number(&p->strings, o->function),
	    page_number(&p->strings, o->text), page_number(&p->strings, kind), (int)o->verdict,
	    page_number(&p->strings, reason), o->hits, o->test);
	free(kind);
	free(reason);
}

/* The number of a row of this text, which goes away. */
static size_t row(struct page_texts *rows, char *text)
{
	size_t number = page_number(rows, text);

	free(text);
	return number;
}

static void rows(FILE *f, const char *name, const struct page_texts *t)
{
	fprintf(f, ",\n\"%s\":[", name);
	for (size_t i = 0; i < t->n; i++)
		fprintf(f, "%s[%s]", i ? ",\n" : "", t->text[i]);
	putc(']', f);
}

/* A program may have half a million pairs, most of them open for the same reason. Each definition,
 * use and state is written once. The list has an array for each run of pairs of one state: its
 * number, then for each pair the differences of its definition's and its use's number from those of
 * the pair before. */
static void pairs(struct page *p)
{
	struct page_texts defs = { 0 }, uses = { 0 }, states = { 0 };
	size_t def = 0, use = 0, state = SIZE_MAX;

	fputs(",\n\"pairs\":{\"list\":[", p->f);
	for (size_t i = 0; i < p->v->pairs; i++) {
		const struct view_pair *x = &p->v->pair[i];
		size_t to = row(&states,
		    formatted("%d,%zu,%" PRIu64 ",%zu,%" PRIu64, (int)x->verdict,
		        page_number(&p->strings, reason_pair(x)), x->hits,
		        page_number(&p->strings, x->path ? x->path : ""), x->test));
		size_t d = row(&defs,
		    formatted("%zu,%zu,%zu,%u,%u", page_number(&p->strings, x->function),
		        page_number(&p->strings, x->variable), page_number(&p->files, x->def_file),
		        x->def_line, x->def_col));
		size_t u = row(&uses,
		    formatted("%zu,%u,%u,%zu", page_number(&p->files, x->use_file), x->use_line,
		        x->use_col, page_number(&p->strings, x->kind)));
		if (to != state)
			fprintf(p->f, "%s[%zu", i ? "],\n" : "", to);
		fprintf(p->f, ",%td,%td", (ptrdiff_t)(d - def), (ptrdiff_t)(u - use));
		state = to;
		def = d;
		use = u;
	}
	fputs(p->v->pairs ? "]]" : "]", p->f);
	rows(p->f, "defs", &defs);
	rows(p->f, "uses", &uses);
	rows(p->f, "states", &states);
	putc('}', p->f);
	page_texts_free(&defs);
	page_texts_free(&uses);
	page_texts_free(&states);
}

static int by_size(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Writes start, length, start, length, ... */
static void ranges(FILE *f, const size_t *list, size_t n)
{
	size_t *sorted = reserved(n + 1, sizeof *sorted), k;

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

static void values(FILE *f, const struct input *in)
{
	char *line = NULL;
	size_t size;
	FILE *to = text_stream(&line, &size);

	if (in->n)
		values_line(to, in, LONGEST);
	fclose(to);
	putc(',', f);
	page_string(f, line);
	free(line);
}

static void test(struct page *p, size_t i)
{
	const struct view_test *t = &p->v->test[i];
	char *what;

	fprintf(p->f, "%s[%" PRIu64 ",", i ? ",\n" : "", t->number);
	page_string(p->f, p->names->name[i]);
	putc(',', p->f);
	page_string(p->f, t->end);
	fprintf(p->f, ",%zu,%zu,", t->n, t->pairs);
	ranges(p->f, t->covers, t->n);
	putc(',', p->f);
	ranges(p->f, t->pair, t->pairs);
	values(p->f, &t->input);
	values(p->f, &t->wrote);
	fprintf(p->f, ",%" PRIu64 ",", t->run);
	what = tests_what(t);
	page_string(p->f, what);
	putc(',', p->f);
	page_string(p->f, p->text[i]);
	fprintf(p->f, ",%" PRIu64 ",%zu]", p->parent ? p->parent[i] : 0,
	    page_number(&p->strings, t->origin));
	free(what);
}

static void failure(struct page *p, size_t i)
{
	const struct view_failure *x = &p->v->failure[i];

	fputs(i ? ",\n[" : "[", p->f);
	page_string(p->f, failure_words(x->kind));
	if (x->file)
		fprintf(p->f, ",%zu,%u,", page_number(&p->files, x->file), x->line);
	else
		fputs(",null,0,", p->f);
	page_string(p->f, x->function ? x->function : "");
	putc(',', p->f);
	page_string(p->f, x->message ? x->message : "");
	fprintf(p->f, ",%" PRIu64 ",%" PRIu64 "]", x->test, x->count);
}

static void loss(struct page *p, size_t i)
{
	const struct view_lost *x = &p->v->lost[i];

	fputs(i ? ",\n[" : "[", p->f);
	page_string(p->f, x->reason);
	putc(',', p->f);
	page_string(p->f, x->file ? x->file : "");
	fprintf(p->f, ",%u,%" PRIu64 "]", x->line, x->count);
}

static void limits(FILE *f, const struct store_view *v)
{
	fputs(",\n\"limits\":[", f);
	for (size_t i = 0; i < v->limits; i++) {
		fputs(i ? "," : "", f);
		page_string(f, v->limit[i].text);
	}
	putc(']', f);
}

static void need(struct page *p, size_t i)
{
	const struct view_need *n = &p->v->need[i];

	fputs(i ? ",\n[" : "[", p->f);
	page_string(p->f, n->function ? n->function : "");
	putc(',', p->f);
	page_string(p->f, n->text);
	if (n->file)
		fprintf(p->f, ",%zu", page_number(&p->files, n->file));
	else
		fputs(",null", p->f);
	fprintf(p->f, ",%u,%" PRIu64 "]", n->line, n->count);
}

static void assumptions(FILE *f, const char *text)
{
	const char *comma = "";

	fputs(",\n\"assumptions\":[", f);
	for (char *line; (line = next_line(&text)); free(line)) {
		fputs(comma, f);
		page_string(f, line);
		comma = ",";
	}
	putc(']', f);
}

/* Writes [line, runs, line, runs, ...] for lines with code. */
static void hits(struct page *p, const char *name)
{
	size_t n;
	struct source_line *line = source_lines(p->v, name, &n);

	putc('[', p->f);
	for (size_t i = 0; i < n; i++)
		fprintf(p->f, "%s%u,%" PRIu64, i ? "," : "", line[i].number, line[i].hits);
	putc(']', p->f);
	free(line);
}

static void file(struct page *p, size_t i)
{
	FILE *source = source_open(p->v, p->files.text[i]);
	char *line = NULL;
	size_t size = 0, lines = 0;
	ssize_t n;

	fputs(i ? ",\n[" : "[", p->f);
	page_string(p->f, p->files.text[i]);
	fputs(source ? ",[" : ",null", p->f);
	while (source && (n = getline(&line, &size, source)) >= 0) {
		line[strcspn(line, "\r\n")] = 0;
		fputs(lines++ ? "," : "", p->f);
		page_string(p->f, line);
	}
	fputs(source ? "]," : ",", p->f);
	hits(p, p->files.text[i]);
	putc(']', p->f);
	if (source)
		fclose(source);
	free(line);
}

/* Writes a place that was checked for a fault. */
static void place(struct page *p, size_t i)
{
	const struct view_place *x = &p->v->place[i];

	fprintf(p->f, "%s[%zu,%zu,%zu,%u,%u,%zu,%" PRIu64 ",%" PRIu64 "]", i ? ",\n" : "",
	    page_number(&p->strings, x->kind), page_number(&p->strings, x->function),
	    page_number(&p->files, x->file), x->line, x->col, page_number(&p->strings, x->verdict),
	    x->test, x->runs);
}

static void function(struct page *p, size_t i)
{
	const struct view_function *x = &p->v->function[i];

	fprintf(p->f, "%s[%zu,%zu,%u,%u,%" PRIu64 "]", i ? ",\n" : "",
	    page_number(&p->strings, x->name), page_number(&p->files, x->file), x->line, x->end,
	    x->hits);
}

static void each(struct page *p, const char *name, size_t n, void (*write)(struct page *, size_t))
{
	fprintf(p->f, ",\n\"%s\":[", name);
	for (size_t i = 0; i < n; i++)
		write(p, i);
	putc(']', p->f);
}

static void text(struct page *p, size_t i)
{
	fputs(i ? ",\n" : "", p->f);
	page_string(p->f, p->strings.text[i]);
}

static void heading(FILE *f, const struct store_view *v)
{
	const char *of = v->folder ? v->folder : v->entry,
	           *ended = v->ended ? v->ended : "still running, or killed";
	char *line = formatted("%s %s", v->folder ? "The suite in" : v->strategy, of);

	fputs("{\"title\":", f);
	page_string(f, line);
	free(line);
	line = formatted("%zu test%s; %s", v->tests, v->tests == 1 ? "" : "s", ended);
	fputs(",\n\"heading\":", f);
	page_string(f, line);
	free(line);
}

/* Writes the session's parameters. */
static void session(FILE *f, const struct store_view *v)
{
	const char *comma = "";

	fputs(",\n\"session\":{\"strategy\":", f);
	page_string(f, v->strategy);
	fputs(",\"search\":", f);
	page_string(f, v->search);
	fputs(",\"entry\":", f);
	page_string(f, v->folder ? v->folder : v->entry);
	fputs(",\"ended\":", f);
	page_string(f, v->ended);
	fprintf(f, ",\"seed\":\"%" PRIu64 "\",\"seconds\":%.3f,\"runs\":%" PRIu64 ",\"sources\":[",
	    v->seed, v->figures.seconds, v->figures.runs);
	for (char **file = v->file; file && *file; file++, comma = ",") {
		fputs(comma, f);
		page_string(f, *file);
	}
	fputs("],\"others\":[", f);
	comma = "";
	for (char **other = v->others; other && *other; other++, comma = ",") {
		fputs(comma, f);
		page_string(f, *other);
	}
	fputs("]}", f);
}

/* Writes JSON members from the strategy, in which `<` only occurs within strings. */
static void extra(FILE *f, const char *members)
{
	fputs(",\n\"extra\":{", f);
	for (; members && *members; members++)
		fputs(*members == '<' ? "\\u003c" : (char[2]){ *members }, f);
	putc('}', f);
}

/* Parts of pages beside the view: as for report_html. */
struct origin {
	struct store *store;
	const struct report_flow *known;
};

static void data(FILE *f, const struct store_view *v, const struct origin *from)
{
	struct store *store = from->store;
	struct page p = { .f = f,
		.v = v,
		.known = from->known,
		.names = test_names(v),
		.text = page_test_texts(v, store),
		.parent = store ? store_view_parents(store, v) : NULL };

	heading(f, v);
	session(f, v);
	extra(f, v->extra);
	assumptions(f, v->narrowing);
	limits(f, v);
	fprintf(f, ",\n\"unlisted\":%" PRIu64, v->unlisted);
	each(&p, "branches", v->objectives, branch);
	pairs(&p);
	each(&p, "tests", v->tests, test);
	each(&p, "failures", v->failures, failure);
	each(&p, "needs", v->needs, need);
	each(&p, "places", v->places, place);
	each(&p, "lost", v->losts, loss);
	each(&p, "functions", v->functions, function);
	page_graphs(&p);
	each(&p, "files", p.files.n, file);
	each(&p, "strings", p.strings.n, text);
	fputs("}\n", f);
	page_texts_free(&p.strings);
	page_texts_free(&p.files);
	page_test_texts_free(p.text, v);
	test_names_free(p.names, v);
	free(p.parent);
}

/* Copies a file of share/page; a line `@NAME@` is replaced by the file of that name, `@DATA@` by
 * the data. False when a file cannot be read. */
static bool fill(FILE *f, const struct store_view *v, const struct origin *origin, const char *name)
{
	char *relative, *path, *line = NULL, part[64];
	size_t size = 0;
	int end;
	bool good;
	FILE *from;

	relative = formatted("page/%s", name);
	path = home_path("share", relative);
	from = path ? fopen(path, "r") : NULL;
	good = from;
	while (from && getline(&line, &size, from) >= 0)
		if (!strcmp(line, "@DATA@\n"))
			data(f, v, origin);
		else if (sscanf(line, "@%63[a-z.]%n", part, &end) == 1
		    && !strcmp(line + end, "@\n"))
			good &= fill(f, v, origin, part);
		else
			fputs(line, f);
	if (from)
		fclose(from);
	free(line);
	free(path);
	free(relative);
	return good;
}

static bool page(FILE *f, const struct store_view *v, const struct origin *origin)
{
	return fill(f, v, origin, "index.html");
}

/* Objectives by test, as a table: those of the criteria that sessions were asked for, and of those
 * that are always traced. */
static bool traceability(FILE *f, const struct store_view *v, const struct origin *origin)
{
	report_trace_page(f, v, origin->store, criteria_asked(v) | criteria_with(CRITERION_TRACED));
	return true;
}

/* Writes a file of the folder, first under a temporary name. */
static int write_page(const char *dir, const char *file, const struct store_view *v,
    const struct origin *origin,
    bool (*write)(FILE *, const struct store_view *, const struct origin *), char **error)
{
	char *name = NULL, *temporary = NULL;
	FILE *f;
	int rc = 0;

	name = formatted("%s/%s", dir, file);
	temporary = formatted("%s.new", name);
	if (!(f = report_new_file(temporary))) {
		rc = tests_fail(error, "%s: %s", temporary, strerror(errno));
	} else {
		bool good = write(f, v, origin);
		if (ferror(f) | fclose(f) | !good || rename(temporary, name))
			rc = tests_fail(error,
			    good ? "%s: cannot be written"
			         : "%s: a part of share/page was not found",
			    name);
		if (rc)
			unlink(temporary);
	}
	free(name);
	free(temporary);
	return rc;
}

int report_html(const char *dir, const struct store_view *v, struct store *store,
    const struct report_flow *known, char **error)
{
	const struct origin from = { store, known };
	int rc = tests_make_folder(dir, error);

	rc = rc ? rc : write_page(dir, "traceability.html", v, &from, traceability, error);
	return rc ? rc : write_page(dir, "index.html", v, &from, page, error);
}
