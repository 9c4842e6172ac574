/* asked: targets that the user names: lines, places and functions. */
#include "lib/store/db.h"
#include "lib/base/grow.h"
#include "lib/protocol/criterion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Does the name denote this file, or a file of this name in some folder? */
static bool is_file(const char *have, const char *asked, size_t n)
{
	size_t size = strlen(have);

	return size >= n && !memcmp(have + size - n, asked, n)
	    && (size == n || have[size - n - 1] == '/');
}

/* A place that the user names: FILE:LINE or FILE:LINE:COL; col 0: the whole line. */
struct asked_place {
	const char *name; /* as given */
	const char *path;
	size_t file; /* length of the file's name in `path` */
	uint32_t line, col;
};

/* False: the name is that of a function. */
static bool parse_place(const char *name, struct asked_place *out)
{
	const char *last = strrchr(name, ':'), *before = last;
	char *end;

	*out = (struct asked_place){ name, name, 0, 0, 0 };
	if (!last)
		return false;
	while (before > name && before[-1] != ':')
		before--;
	out->file = (size_t)(last - name);
	out->line = (uint32_t)strtoul(last + 1, NULL, 10);
	if (before > name) {
		uint32_t line = (uint32_t)strtoul(before, &end, 10);
		if (end == last && line) {
			out->file = (size_t)(before - 1 - name);
			out->col = out->line;
			out->line = line;
		}
	}
	return true;
}

static bool is_at(const struct flow_unit *u, const struct flow_pos *p, const struct asked_place *a)
{
	return p->file && p->line == a->line && p->col == a->col
	    && is_file(u->file[p->file - 1], a->path, a->file);
}

/* Adds a block of the requested place; the first block creates the target. */
static void ask_block(struct store *s, uint32_t unit, const bool *mark, const struct asked_place *a,
    uint32_t block, uint32_t file, size_t *target)
{
	const struct flow_unit *u = &s->flow->unit[unit];
	uint32_t func = block ? u->block_func[block - 1] : 0;

	if (!func || !mark[func - 1])
		return;
	if (*target != SIZE_MAX) {
		store_target_block(&s->target[*target], block);
		return;
	}
	*target = s->targets;
	struct target *t = store_target_new(s, unit, block, criterion_with(PLACES_ASKED), a->name);
	t->pos = (struct flow_pos){ file, a->line, a->col ? a->col : 1 };
	t->of_line = true;
}

/* Adds conditions and blocks that begin at a column. A condition of a macro has two places: the use
 * of the macro, and the condition in its definition. */
static void ask_column(
    struct store *s, uint32_t unit, const bool *mark, const struct asked_place *a, size_t *target)
{
	const struct flow_unit *u = &s->flow->unit[unit];

	for (size_t i = 0; i < u->branches; i++) {
		const struct flow_branch *b = &u->branch[i];
		bool used = is_at(u, &b->pos, a);
		if (used || is_at(u, &b->region, a))
			ask_block(s, unit, mark, a, b->block, used ? b->pos.file : b->region.file,
			    target);
	}
	for (uint32_t i = 1; i <= u->blocks; i++)
		if (is_at(u, &u->block_pos[i - 1], a))
			ask_block(s, unit, mark, a, i, u->block_pos[i - 1].file, target);
}

static bool is_line(const struct flow_unit *u, size_t i, const struct asked_place *a)
{
	return u->line[i].line == a->line && u->line[i].file
	    && is_file(u->file[u->line[i].file - 1], a->path, a->file);
}

/* Adds a column within the i-th line of the unit, whose code is in one block. */
static void ask_within(
    struct store *s, uint32_t unit, const bool *mark, const struct asked_place *a, size_t *target)
{
	const struct flow_unit *u = &s->flow->unit[unit];
	size_t only = u->lines;

	for (size_t i = 0; i < u->lines; i++)
		if (is_line(u, i, a)) {
			if (only < u->lines && u->line[only].block != u->line[i].block)
				return;
			only = i;
		}
	if (only < u->lines)
		ask_block(s, unit, mark, a, u->line[only].block, u->line[only].file, target);
}

/* Adds a place of a unit: all its blocks are one target; each call at the column is another one. */
static bool ask_place(struct store *s, uint32_t unit, const bool *mark, const struct asked_place *a)
{
	const struct flow_unit *u = &s->flow->unit[unit];
	size_t target = SIZE_MAX, known = s->targets;

	for (size_t i = 0; !a->col && i < u->lines; i++)
		if (is_line(u, i, a))
			ask_block(s, unit, mark, a, u->line[i].block, u->line[i].file, &target);
	if (a->col)
		ask_column(s, unit, mark, a, &target);
	for (size_t i = 0; a->col && s->targets == known && i < u->calls; i++)
		if (is_at(u, &u->call[i].pos, a) && u->call[i].func && mark[u->call[i].func - 1])
			store_target_call(s, unit, i, criterion_with(PLACES_ASKED), a->name);
	if (a->col && s->targets == known)
		ask_within(s, unit, mark, a, &target);
	return s->targets > known;
}

/* Adds the calls of a function that the program does not define. */
static bool ask_calls(struct store *s, uint32_t unit, const bool *mark, const char *name)
{
	const struct flow_unit *u = &s->flow->unit[unit];
	size_t known = s->targets;

	for (size_t i = 0; i < u->calls; i++) {
		const struct flow_call *c = &u->call[i];
		if (!c->callee || !c->func || !c->block || !mark[c->func - 1]
		    || strcmp(c->callee, name))
			continue;
		store_target_call(s, unit, i, criterion_with(PLACES_ASKED), name)->end =
		    store_target_error(name);
	}
	return s->targets > known;
}

static bool ask_function(struct store *s, uint32_t unit, const bool *mark, const char *name)
{
	const struct flow_unit *u = &s->flow->unit[unit];

	for (size_t i = 0; i < u->funcs; i++)
		if (mark[i] && !strcmp(u->func[i].name, name)) {
			store_target_new(
			    s, unit, u->func[i].first_block, criterion_with(PLACES_ASKED), name)
			    ->pos = u->func[i].pos;
			return true;
		}
	return !store_target_defined(s->flow, name) && ask_calls(s, unit, mark, name);
}

/* If the program knows the file of the place by another name, such as a relative path, gives the
 * place that name. */
static bool rename_file(const struct store *s, struct asked_place *a)
{
	char *path = copied_part(a->path, a->file);
	struct stat asked, have;
	const char *name = NULL;

	for (size_t i = 0; i < s->flow->units && !stat(path, &asked); i++)
		for (size_t k = 0; k < s->flow->unit[i].files && !name; k++)
			if (!stat(s->flow->unit[i].file[k], &have) && have.st_ino == asked.st_ino
			    && have.st_dev == asked.st_dev)
				name = s->flow->unit[i].file[k];
	free(path);
	a->path = name ? name : a->path;
	a->file = name ? strlen(name) : a->file;
	return name;
}

/* Adds a target that --target names: a line, a place or a function. */
static bool ask(struct store *s, bool **mark, const char *name, const struct asked_place *a)
{
	bool found = false;

	for (uint32_t i = 0; i < s->flow->units; i++)
		found |= a ? ask_place(s, i, mark[i], a) : ask_function(s, i, mark[i], name);
	return found;
}

/* Is there code for a target in this column of the place's line? */
static bool is_column(
    const struct store *s, bool *const *mark, const struct asked_place *a, uint32_t col)
{
	struct asked_place at = *a;
	bool found = false;

	at.col = col;
	for (uint32_t k = 0; k < s->flow->units; k++) {
		const struct flow_unit *u = &s->flow->unit[k];
		for (size_t i = 0; i < u->branches; i++)
			found |= (is_at(u, &u->branch[i].region, &at)
			             || is_at(u, &u->branch[i].pos, &at))
			    && mark[k][u->branch[i].func - 1];
		for (size_t i = 0; i < u->calls; i++)
			found |= is_at(u, &u->call[i].pos, &at) && u->call[i].func
			    && mark[k][u->call[i].func - 1];
		for (size_t i = 0; i < u->blocks; i++)
			found |= is_at(u, &u->block_pos[i], &at) && u->block_func[i]
			    && mark[k][u->block_func[i] - 1];
	}
	return found;
}

/* Reports that nothing begins at the column, and which columns of the line have code. */
static int no_column(
    struct store *s, bool *const *mark, const struct asked_place *a, const char *entry)
{
	enum { WIDEST = 400 };
	char *list = NULL;
	size_t size, n = 0;
	FILE *f = text_stream(&list, &size);

	for (uint32_t col = 1; col <= WIDEST; col++)
		if (is_column(s, mark, a, col))
			fprintf(f, "%s %u", n++ ? "," : "", col);
	fclose(f);
	int rc = n ? store_fail(s, "--target %s: code that %s can reach begins there in column%s%s",
	                 a->name, entry, n > 1 ? "s" : "", list)
	           : store_fail(s, "--target %s: no code that begins there that %s can reach",
	                 a->name, entry);
	free(list);
	return rc;
}

int store_ask_targets(struct store *s, const char *entry, const char *const *list)
{
	bool **mark = flow_reachable(s->flow, entry);
	size_t known = s->targets;
	int rc = 0;

	for (; list && *list && !rc; list++) {
		const char *name = *list + (**list == '?');
		struct asked_place place;
		name += strncmp(name, "./", 2) ? 0 : 2;
		bool is_place = parse_place(name, &place);
		bool found = ask(s, mark, name, is_place ? &place : NULL)
		    || (is_place && rename_file(s, &place) && ask(s, mark, name, &place));
		if (!found && **list != '?')
			rc = is_place && place.col
			    ? no_column(s, mark, &place, entry)
			    : store_fail(s, "--target %s: %s that %s can reach", name,
			          is_place ? "no line with code" : "no function", entry);
	}
	flow_marks_free(s->flow, mark);
	for (size_t i = known; i < s->targets; i++)
		store_target_ways(s, &s->target[i]);
	return rc;
}
