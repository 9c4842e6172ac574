/* passed: the lines that have code, and how many runs of the session executed them. */
#include "lib/store/db.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

/* The lines of all functions, one function after the other; a block of a unit refers to some of
 * them by number. */
struct passed_line {
	uint32_t number;
	uint64_t runs, last;
};
struct passed_function {
	int64_t row;
	size_t first, n;
	bool dirty;
};
struct passed_unit {
	uint32_t blocks;
	size_t *first, lines;
	uint32_t *line, *function,
	    *kept; /* kept: by line of the program model, 1 + its index in `line` */
};

struct passed {
	struct passed_line *line;
	size_t lines;
	struct passed_function *function;
	size_t functions;
	struct passed_unit *unit;
	size_t units;
	uint64_t run;
};

static int by_number(const void *a, const void *b)
{
	const struct passed_line *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

static struct passed *get(struct store *s)
{
	if (!s->passed)
		s->passed = zeroed(1, sizeof *s->passed);
	return s->passed;
}

/* The function of a line, if the line is in the function's own file; else 0. */
static uint32_t function_of(const struct flow_unit *u, const struct flow_line *l)
{
	uint32_t func = u->block_func[l->block - 1];

	return func && u->func[func - 1].pos.file == l->file ? func : 0;
}

/* Adds the lines of each marked function of the unit, sorted; number: how many, by function. */
static void add_lines(struct passed *p, const struct flow_unit *u, const bool *mark, size_t *number)
{
	for (uint32_t i = 1; i <= u->funcs; i++)
		number[i] = SIZE_MAX;
	for (size_t i = 0; i < u->lines;) {
		uint32_t func = u->block_func[u->line[i].block - 1];
		struct passed_function *f;
		size_t first = p->lines, n = 0;
		for (; i < u->lines && u->block_func[u->line[i].block - 1] == func; i++)
			if (func && mark[func - 1] && function_of(u, &u->line[i])) {
				*PUSH(p->line, p->lines) =
				    (struct passed_line){ .number = u->line[i].line };
			}
		if (p->lines == first)
			continue;
		qsort(p->line + first, p->lines - first, sizeof *p->line, by_number);
		for (size_t k = first; k < p->lines; k++)
			if (!n || p->line[first + n - 1].number != p->line[k].number)
				p->line[first + n++] = p->line[k];
		p->lines = first + n;
		p->function = grow_one(p->function, p->functions, sizeof *p->function);
		f = &p->function[p->functions];
		*f = (struct passed_function){ .first = first, .n = n, .dirty = true };
		number[func] = p->functions++;
	}
}

/* The indices of a unit's lines among all lines; those of one block are consecutive. */
static struct passed_unit places(
    const struct passed *p, const struct flow_unit *u, const size_t *number)
{
	struct passed_unit to = { u->blocks, zeroed(u->blocks + 2, sizeof *to.first), u->lines,
		zeroed(u->lines + 1, sizeof *to.line), zeroed(u->blocks + 2, sizeof *to.function),
		zeroed(u->lines + 1, sizeof *to.kept) };
	size_t n = 0, k = 0;

	for (uint32_t b = 1; b <= u->blocks; b++) {
		to.first[b] = n;
		for (; k < u->lines && u->line[k].block <= b; k++) {
			uint32_t func = function_of(u, &u->line[k]);
			if (u->line[k].block != b || !func || number[func] == SIZE_MAX)
				continue;
			const struct passed_function *f = &p->function[number[func]];
			struct passed_line like = { .number = u->line[k].line };
			const struct passed_line *at =
			    bsearch(&like, p->line + f->first, f->n, sizeof like, by_number);
			to.line[n++] = (uint32_t)(at - p->line);
			to.kept[k] = (uint32_t)n;
			to.function[b] = (uint32_t)number[func];
		}
	}
	to.first[u->blocks + 1] = n;
	return to;
}

/* Reads the counts that earlier recordings of the same suite wrote. */
static int read_lines(struct store *s, struct passed *p, struct passed_function *f)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM passed,"
	    " json_each(lines) WHERE session = ? AND function = ?",
	    "ii", s->session, f->row);

	while (store_row(s, st)) {
		struct passed_line like = { .number = (uint32_t)sqlite3_column_int64(st, 0) };
		struct passed_line *at =
		    bsearch(&like, p->line + f->first, f->n, sizeof like, by_number);
		if (at)
			at->runs = (uint64_t)sqlite3_column_int64(st, 1);
	}
	return s->error ? -1 : 0;
}

int passed_unit(struct store *s, uint32_t unit, const bool *mark)
{
	struct passed *p = get(s);
	const struct flow_unit *u = &s->flow->unit[unit];
	size_t *number = zeroed(u->funcs + 1, sizeof *number);
	int rc = 0;
	bool fresh;

	add_lines(p, u, mark, number);
	for (uint32_t i = 1; !rc && i <= u->funcs; i++)
		if (number[i] != SIZE_MAX) {
			struct passed_function *f = &p->function[number[i]];
			rc = store_function_row(s, unit, i, &f->row, &fresh)
			        || (s->suite && read_lines(s, p, f))
			    ? -1
			    : 0;
		}
	*PUSH(p->unit, p->units) = places(p, u, number);
	free(number);
	return rc;
}

void passed_run(struct store *s)
{
	get(s)->run++;
}

static void pass(struct passed *p, struct passed_line *l, bool count)
{
	l->runs += count && l->last != p->run;
	l->last = p->run;
}

void passed_line(struct store *s, size_t unit, uint32_t line, bool count)
{
	struct passed *p = s->passed;
	const struct passed_unit *u = unit < p->units ? &p->unit[unit] : NULL;
	uint32_t at = u && line < u->lines ? u->kept[line] : 0, b = 1;

	if (!at)
		return;
	pass(p, &p->line[u->line[at - 1]], count);
	while (u->first[b + 1] < at)
		b++;
	p->function[u->function[b]].dirty |= count;
}

void passed_block(struct store *s, size_t unit, uint32_t block, bool count)
{
	struct passed *p = s->passed;
	const struct passed_unit *u = unit < p->units ? &p->unit[unit] : NULL;

	if (!u || !block || block > u->blocks || u->first[block] == u->first[block + 1])
		return;
	for (size_t i = u->first[block]; i < u->first[block + 1]; i++)
		pass(p, &p->line[u->line[i]], count);
	p->function[u->function[block]].dirty |= count;
}

static int write_function(struct store *s, const struct passed *p, const struct passed_function *f)
{
	char *text = NULL;
	size_t size;
	FILE *out = text_stream(&text, &size);

	for (size_t i = f->first; i < f->first + f->n; i++)
		fprintf(out, "%s[%u,%llu]", i == f->first ? "[" : ",", p->line[i].number,
		    (unsigned long long)p->line[i].runs);
	putc(']', out);
	fclose(out);
	int rc = store_do(
	    s, "INSERT OR REPLACE INTO passed VALUES (?, ?, ?)", "iit", s->session, f->row, text);
	free(text);
	return rc;
}

int passed_write(struct store *s)
{
	struct passed *p = get(s);

	for (size_t i = 0; i < p->functions; i++)
		if (p->function[i].dirty && write_function(s, p, &p->function[i]))
			return -1;
	return 0;
}

void passed_written(struct store *s)
{
	struct passed *p = get(s);

	for (size_t i = 0; i < p->functions; i++)
		p->function[i].dirty = false;
}

void passed_free(struct store *s)
{
	struct passed *p = get(s);

	for (size_t i = 0; i < p->units; i++) {
		free(p->unit[i].first);
		free(p->unit[i].line);
		free(p->unit[i].function);
		free(p->unit[i].kept);
	}
	free(p->unit);
	free(p->function);
	free(p->line);
	free(p);
}
