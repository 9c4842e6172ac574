/* page_graph: control flow of functions, for the page. The store does not contain it: cfg-dump
 * reads the sources again, unless the caller has what it read before. Functions that do not match
 * the session's conditions, since a file was changed or is compiled with other flags, are omitted.
 */
#include "lib/base/home.h"
#include "lib/report/lines.h"
#include "lib/report/page.h"
#include "lib/report/quote.h"
#include "lib/report/report.h"
#include "lib/base/grow.h"
#include "lib/base/search.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Limits of the process that reads sources: anybody may have written the names of files and the
 * flags in a store. */
#define SECONDS "20"
#define KILOBYTES "4000000"

/* Limits, since reading sources takes time: number of files, bytes of a file, files read at
 * once. */
enum { MOST_FILES = 24, MOST_BYTES = 1 << 20, AT_ONCE = 4 };

struct graphs {
	struct page *p;
	size_t *objective; /* indices of objectives, sorted by function */
	bool *done;        /* by index of the function */
	size_t written;
};

/* The range of a function's records in the arrays of its unit. */
struct record_ranges {
	size_t edge, edges, line, lines, access, accesses, branch, branches;
};

static void quoted(FILE *f, const char *word)
{
	putc(' ', f);
	quote_sh(f, word);
}

static bool is_source(const char *name)
{
	size_t n = strlen(name);

	return n > 2 && !strcmp(name + n - 2, ".c");
}

static bool same_words(const char *const *a, char *const *b)
{
	for (; *a && b && *b && !strcmp(*a, *b); a++, b++)
		;
	return !*a && (!b || !*b);
}

/* The program model that has the file as the session's flags have it; NULL: none. */
static const struct report_flow *known_model(const struct page *p, const char *file)
{
	const struct report_flow *m = p->v->folder ? NULL : p->known;

	for (; m && m->records; m++)
		for (const char *const *f = m->file; *f; f++)
			if (!strcmp(*f, file) && same_words(m->flag, p->v->flag))
				return m;
	return NULL;
}

/* A process that reads a file's sources; NULL: there is none. */
static FILE *start(const struct store_view *v, const char *file)
{
	char *command = NULL, *path = source_path(v, file), *program;
	struct stat st;
	size_t size;
	FILE *f, *out;

	if (*file == '-' || stat(path, &st) || !S_ISREG(st.st_mode)
	    || (is_source(file) && st.st_size > MOST_BYTES)) {
		free(path);
		return NULL;
	}
	program = home_path("libexec", "cfg-dump");
	f = text_stream(&command, &size);
	/* file names are relative to the folder of the suite's build */
	if (v->folder) {
		fputs("cd --", f);
		quoted(f, v->folder);
		fputs(" || exit; ", f);
	}
#ifndef __SANITIZE_ADDRESS__ /* ASan reserves more than any limit */
	fputs("ulimit -v " KILOBYTES "; ", f);
#endif
	fputs("exec timeout " SECONDS, f);
	quoted(f, program ? program : "cfg-dump");
	quoted(f, file);
	fputs(" --", f);
	for (char **flag = v->flag; flag && *flag; flag++)
		quoted(f, *flag);
	fputs(" 2>/dev/null </dev/null", f);
	fclose(f);
	out = popen(command, "r");
	free(command);
	free(program);
	free(path);
	return out;
}

static struct record_ranges *extents(const struct flow_unit *u)
{
	struct record_ranges *e = zeroed(u->funcs + 1, sizeof *e);

	for (size_t i = u->edges; i-- > 0;) {
		struct record_ranges *x = &e[u->block_func[u->edge[i].from - 1]];
		x->edge = i;
		x->edges++;
	}
	for (size_t i = u->lines; i-- > 0;) {
		struct record_ranges *x = &e[u->block_func[u->line[i].block - 1]];
		x->line = i;
		x->lines++;
	}
	for (size_t i = u->accesses; i-- > 0;) {
		uint32_t block = u->inst_block[u->access[i].inst - 1];
		struct record_ranges *x = &e[block ? u->block_func[block - 1] : 0];
		x->access = i;
		x->accesses++;
	}
	for (size_t i = u->branches; i-- > 0;) {
		struct record_ranges *x = &e[u->branch[i].func];
		x->branch = i;
		x->branches++;
	}
	return e;
}

static int compare(const struct view_objective *o, const char *name, uint32_t line)
{
	int order = strcmp(o->function, name);

	return order ? order : (o->func_line > line) - (o->func_line < line);
}

static int by_function(const void *a, const void *b, void *view)
{
	const struct store_view *v = view;
	const struct view_objective *x = &v->objective[*(const size_t *)a],
	                            *y = &v->objective[*(const size_t *)b];
	int order = compare(x, y->function, y->func_line);

	return order ? order : (x > y) - (x < y);
}

/* Do two names denote the same file? Suites may use src/../include/f.h for include/f.h. */
static bool same_file(const struct store_view *v, const char *a, const char *b)
{
	char *path[2] = { source_path(v, a), source_path(v, b) }, *real[2] = { NULL, NULL };
	bool same = !strcmp(a, b);

	for (int i = 0; !same && i < 2; i++)
		real[i] = realpath(path[i], NULL);
	same = same || (real[0] && real[1] && !strcmp(real[0], real[1]));
	for (int i = 0; i < 2; i++) {
		free(path[i]);
		free(real[i]);
	}
	return same;
}

static bool is_at(const struct store_view *v, const struct flow_unit *u, struct flow_pos at,
    const struct view_objective *o)
{
	return at.line == o->line && at.col == o->col
	    && same_file(v, at.file ? u->file[at.file - 1] : u->name, o->file);
}

/* The outcome of branch b for objective o; SIZE_MAX: none. */
static size_t outcome_of(const struct store_view *v, const struct flow_unit *u,
    const struct flow_branch *b, const struct view_objective *o)
{
	size_t k = o->side == FLOW_FALSE;
	struct flow_pos at = b->pos;

	if ((b->kind == 's') != (o->side == FLOW_CASE || o->side == FLOW_DEFAULT))
		return SIZE_MAX;
	if (b->kind == 's') {
		for (k = 0; k < b->cases && (o->side == FLOW_DEFAULT || b->value[k] != o->value);
		    k++)
			;
		if (k == b->cases && o->side == FLOW_CASE)
			return SIZE_MAX;
		at = k < b->cases ? b->case_pos[k] : b->default_pos;
		if (!at.line)
			at = b->pos;
	}
	return is_at(v, u, at, o) ? k : SIZE_MAX;
}

/* The branch with this number in its function, from 1; assumptions are not counted. */
static const struct flow_branch *numbered(
    const struct flow_unit *u, const struct record_ranges *e, uint32_t number)
{
	for (size_t i = 0; i < e->branches; i++)
		if (u->branch[e->branch + i].kind != 'a' && !--number)
			return &u->branch[e->branch + i];
	return NULL;
}

struct sought {
	const struct store_view *v;
	const struct flow_func *fn;
};

static int function_order(const void *sought, const void *index)
{
	const struct sought *s = sought;

	return -compare(&s->v->objective[*(const size_t *)index], s->fn->name, s->fn->pos.line);
}

/* Sets of[outcome] to the function's objective + 1. False: the objectives do not match these
 * sources. */
static bool identify(const struct graphs *g, const struct flow_unit *u, const struct flow_func *fn,
    const struct record_ranges *e, size_t *of)
{
	const struct store_view *v = g->p->v;
	struct sought s = { v, fn };
	size_t i =
	    lower_bound(&s, g->objective, v->objectives, sizeof *g->objective, function_order);

	for (; i < v->objectives; i++) {
		const struct view_objective *o = &v->objective[g->objective[i]];
		if (compare(o, fn->name, fn->pos.line))
			break;
		const struct flow_branch *b = numbered(u, e, o->ordinal);
		size_t k = b ? outcome_of(v, u, b, o) : SIZE_MAX;
		if (k == SIZE_MAX)
			return false;
		of[b->first + k] = g->objective[i] + 1;
	}
	return true;
}

/* Index of the function in the view; SIZE_MAX: none. */
static size_t function_of(
    const struct store_view *v, const struct flow_unit *u, const struct flow_func *fn)
{
	for (size_t i = 0; fn->pos.file && !fn->is_harness && i < v->functions; i++)
		if (v->function[i].line == fn->pos.line && v->function[i].end == fn->end.line
		    && !strcmp(v->function[i].name, fn->name)
		    && same_file(v, v->function[i].file, u->file[fn->pos.file - 1]))
			return i;
	return SIZE_MAX;
}

/* Writes [line, line, ...] for each block: its lines in the function's file, in code order. */
static void blocks(
    FILE *f, const struct flow_unit *u, const struct flow_func *fn, const struct record_ranges *e)
{
	size_t k = e->line, end = e->line + e->lines;

	putc('[', f);
	for (uint32_t b = fn->first_block; b < fn->first_block + fn->blocks; b++) {
		const char *comma = "";
		fputs(b > fn->first_block ? ",[" : "[", f);
		for (; k < end && u->line[k].block == b; k++)
			if (u->line[k].file == fn->pos.file) {
				fprintf(f, "%s%u", comma, u->line[k].line);
				comma = ",";
			}
		putc(']', f);
	}
	putc(']', f);
}

/* Writes from, to, objective, ...; blocks from 0; objective -1: none. */
static void edges(FILE *f, const struct flow_unit *u, const struct flow_func *fn,
    const struct record_ranges *e, const size_t *of)
{
	fputs(",[", f);
	for (size_t i = 0; i < e->edges; i++) {
		const struct flow_edge *x = &u->edge[e->edge + i];
		fprintf(f, "%s%u,%u,%ld", i ? "," : "", x->from - fn->first_block,
		    x->to - fn->first_block,
		    x->branch && of[x->outcome] ? (long)of[x->outcome] - 1 : -1L);
	}
	putc(']', f);
}

/* Writes block, objective, ... for outcomes that select a value, not a block. */
static void selects(FILE *f, const struct flow_unit *u, const struct flow_func *fn,
    const struct record_ranges *e, const size_t *of)
{
	const char *comma = "";

	fputs(",[", f);
	for (size_t i = 0; i < e->branches; i++) {
		const struct flow_branch *b = &u->branch[e->branch + i];
		for (size_t k = 0; b->kind == 'q' && b->block && k < 2; k++)
			if (of[b->first + k]) {
				fprintf(f, "%s%u,%zu", comma, b->block - fn->first_block,
				    of[b->first + k] - 1);
				comma = ",";
			}
	}
	putc(']', f);
}

/* Writes block, kind, line, column, path, ... in code order. Kind 0: use; 1: definition; 2:
 * definition that may write another object or only a part; 3: parameter at entry. */
static void accesses(struct page *p, const struct flow_unit *u, const struct flow_func *fn,
    const struct record_ranges *e)
{
	const char *comma = "";

	fputs(",[", p->f);
	for (size_t i = 0; p->v->pairs && i < e->accesses; i++) {
		const struct flow_access *a = &u->access[e->access + i];
		if (a->pos.file != fn->pos.file)
			continue;
		int kind = !a->is_def        ? 0
		    : strpbrk(a->how, "e")   ? 3
		    : strpbrk(a->how, "pib") ? 2
		                             : 1;
		fprintf(p->f, "%s%u,%d,%u,%u,%zu", comma,
		    u->inst_block[a->inst - 1] - fn->first_block, kind, a->pos.line, a->pos.col,
		    page_number(&p->strings, a->path ? a->path : ""));
		comma = ",";
	}
	putc(']', p->f);
}

static void function(
    struct graphs *g, const struct flow_unit *u, size_t number, const struct record_ranges *e)
{
	const struct flow_func *fn = &u->func[number];
	size_t index = function_of(g->p->v, u, fn), *of;

	if (index == SIZE_MAX || g->done[index])
		return;
	of = zeroed(u->outcomes + 1, sizeof *of);
	if (identify(g, u, fn, e, of)) {
		g->done[index] = true;
		fprintf(g->p->f, "%s[%zu,", g->written++ ? ",\n" : "", index);
		blocks(g->p->f, u, fn, e);
		edges(g->p->f, u, fn, e, of);
		accesses(g->p, u, fn, e);
		selects(g->p->f, u, fn, e, of);
		putc(']', g->p->f);
	}
	free(of);
}

static void take(struct graphs *g, FILE *from, const char *name)
{
	char *error = NULL;
	struct flow *fl = flow_read(from, name, &error);

	free(error);
	for (size_t i = 0; fl && i < fl->units; i++) {
		struct record_ranges *e = extents(&fl->unit[i]);
		for (size_t k = 0; k < fl->unit[i].funcs; k++)
			function(g, &fl->unit[i], k, &e[k + 1]);
		free(e);
	}
	flow_free(fl);
}

/* Reads those of the given program models that contain candidate files. The names of the other
 * files remain in `name`; returns their number. */
static size_t take_known(struct graphs *g, const char **name, size_t n)
{
	const struct report_flow *taken = NULL;
	size_t left = 0;

	for (size_t i = 0; i < n; i++) {
		const struct report_flow *m = known_model(g->p, name[i]);
		FILE *f = m && m != taken ? fopen(m->records, "r") : NULL;
		if (f) {
			take(g, f, name[i]);
			fclose(f);
			taken = m;
		} else if (!m || m != taken) {
			name[left++] = name[i];
		}
	}
	return left;
}

/* The files given to the session, then other sources. */
static size_t candidates(const struct store_view *v, const char *name[MOST_FILES])
{
	const char **more = source_files(v);
	size_t n = 0;

	for (size_t i = 0; v->file && v->file[i] && n < MOST_FILES; i++)
		name[n++] = v->file[i];
	for (size_t i = 0; more[i] && n < MOST_FILES; i++) {
		size_t k = 0;
		while (k < n && strcmp(name[k], more[i]))
			k++;
		if (k == n && is_source(more[i]))
			name[n++] = more[i];
	}
	free(more);
	return n;
}

void page_graphs(struct page *p)
{
	struct graphs g = { .p = p,
		.objective = zeroed(p->v->objectives + 1, sizeof *g.objective),
		.done = zeroed(p->v->functions + 1, sizeof *g.done) };
	const char *name[MOST_FILES];
	FILE *from[MOST_FILES];
	size_t n = candidates(p->v, name), begun = 0;

	for (size_t i = 0; i < p->v->objectives; i++)
		g.objective[i] = i;
	if (p->v->objectives)
		qsort_r(
		    g.objective, p->v->objectives, sizeof *g.objective, by_function, (void *)p->v);
	fputs(",\n\"graphs\":[", p->f);
	n = take_known(&g, name, n);
	for (size_t i = 0; i < n; i++) {
		for (; begun < n && begun < i + AT_ONCE; begun++)
			from[begun] = start(p->v, name[begun]);
		if (from[i]) {
			take(&g, from[i], name[i]);
			pclose(from[i]);
		}
	}
	putc(']', p->f);
	free(g.objective);
	free(g.done);
}
