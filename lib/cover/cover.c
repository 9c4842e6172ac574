/* cover: a suite, the programs that it runs, and the folder in which their processes leave records.
 */
#include "lib/cover/inner.h"
#include "lib/base/folder.h"
#include "lib/base/grow.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int cover_fail(char **error, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	*error = formatted_list(fmt, ap);
	va_end(ap);
	return -1;
}

struct cover *cover_open(struct store *s, const struct cover_options *o, char **error)
{
	const char *dir = getenv("TMPDIR");
	struct cover *c = zeroed(1, sizeof *c);
	char *below, *real = realpath(dir && *dir ? dir : "/tmp", NULL);
	struct stat st;

	*error = NULL;
	if (!real) {
		cover_fail(error, "%s: %s", dir && *dir ? dir : "/tmp", strerror(errno));
		free(real);
		free(c);
		return NULL;
	}
	below = formatted("%s/duct-coverXXXXXX", real);
	free(real);
	c->store = s;
	c->o = o;
	c->space = stat("/proc/self/ns/pid", &st) ? 0 : st.st_ino;
	if (mkdtemp(below)) {
		c->folder = below;
		c->setting = formatted("DUCT_COVER=%s:%0*d", c->folder, RECORD_DIGITS, 0);
		return c;
	}
	cover_fail(error, "%s: %s", below, strerror(errno));
	free(below);
	cover_close(c);
	return NULL;
}

const char *cover_setting(const struct cover *c)
{
	return c->setting;
}

struct cover_counts cover_counts(const struct cover *c)
{
	struct cover_counts counts = c->counts;

	counts.tests = c->tests;
	counts.programs = c->flow_keys;
	counts.units = c->units;
	return counts;
}

const char *cover_trouble(const struct cover *c)
{
	return c->trouble;
}

char *cover_path(const struct cover *c, const char *name)
{
	return formatted("%s/%s", c->folder, name);
}

static bool listed(const char *const *pattern, const char *file)
{
	for (; pattern && *pattern; pattern++)
		if (!fnmatch(*pattern, file, 0))
			return true;
	return false;
}

static bool wants(void *data, const char *file)
{
	const struct cover_options *o = data;

	return (!o->only || listed(o->only, file)) && !listed(o->except, file);
}

char *cover_tidy(const char *folder, const char *dir, const char *name)
{
	char *full = name[0] == '/' || !dir ? copied(name) : formatted("%s/%s", dir, name), *to,
	     *from;
	size_t n = strlen(folder);

	if (full[0] != '/')
		return full;
	for (from = to = full; *from;) {
		size_t part = strcspn(from + 1, "/") + 1;
		if (part == 3 && !memcmp(from, "/..", 3)) {
			while (to > full && *--to != '/')
				;
		} else if (part > 2 || (part == 2 && from[1] != '.')) {
			memmove(to, from, part);
			to += part;
		}
		from += part;
	}
	*to = 0;
	if (!strncmp(full, folder, n) && full[n] == '/')
		memmove(full, full + n + 1, strlen(full + n + 1) + 1);
	return full;
}

static void name_files(const struct cover *c, struct flow_unit *u)
{
	for (size_t i = 0; i <= u->files; i++) {
		char **name = i ? &u->file[i - 1] : &u->name;
		char *better = cover_tidy(c->o->folder, u->folder, *name);
		free(*name);
		*name = better;
	}
}

struct unit *cover_find_unit(const struct cover *c, uint64_t key)
{
	for (size_t i = 0; i < c->units; i++)
		if (c->unit[i].key == key)
			return &c->unit[i];
	return NULL;
}

static void add_units(struct cover *c, const struct flow *fl)
{
	for (size_t i = 0; i < fl->units; i++) {
		const struct flow_unit *u = &fl->unit[i];
		if (cover_find_unit(c, u->key))
			continue;
		struct ends_unit *ends = ends_unit_new(u, &c->names);
		c->unit_ends = grow_one(c->unit_ends, c->units, sizeof *c->unit_ends);
		c->unit_ends[c->units] = ends;
		struct unit *to = PUSH(c->unit, c->units);
		*to = (struct unit){ .key = u->key, .ends = ends, .first = c->facts };
		for (int kind = 0; kind < FACTS; kind++)
			to->fact[kind] = store_fact(u, (enum store_fact)kind, 0);
		c->facts += store_facts(u);
	}
}

static struct flow *read_kept_flow(
    struct cover *c, uint64_t key, struct flow *(*read)(const char *, char **), char **error)
{
	char name[40], *path;
	struct flow *fl;

	snprintf(name, sizeof name, "%016llx.model", (unsigned long long)key);
	path = cover_path(c, name);
	fl = read(path, error);
	for (size_t i = 0; fl && i < fl->units; i++)
		name_files(c, &fl->unit[i]);
	free(path);
	return fl;
}

static struct flow *read_whole_flow(void *data, uint64_t key)
{
	char *why;
	struct flow *fl = read_kept_flow(data, key, flow_read_whole, &why);

	free(why);
	return fl;
}

int cover_meet_program(struct cover *c, const struct record_file *f, char **error)
{
	char *why = NULL;
	struct flow *fl;
	int rc;

	for (size_t i = 0; i < c->flow_keys; i++)
		if (c->flow_key[i] == f->r->model)
			return 0;
	*PUSH(c->flow_key, c->flow_keys) = f->r->model;
	if (!(fl = read_kept_flow(c, f->r->model, flow_read_program, &why))) {
		if (!c->trouble)
			c->trouble = formatted("%s: %s", record_text(f, f->r->program), why);
		free(why);
		return 0;
	}
	add_units(c, fl);
	rc = store_suite_units(c->store, fl, wants, (void *)c->o);
	flow_free(fl);
	return rc ? cover_fail(error, "%s", store_error(c->store)) : 0;
}

int cover_pairs_of(struct cover *c, const struct recorded_process *p, const struct record_file *f,
    int64_t **row, size_t *n)
{
	const struct analysis_source from = { c->store, c->o, wants, read_whole_flow, c };

	return analysis_covered(&c->analysis, &from, p, f, row, n);
}

void cover_close(struct cover *c)
{
	if (c->folder) /* processes may have left anything there */
		folder_remove(c->folder);
	cover_free_tests(c);
	for (size_t i = 0; i < c->units; i++)
		ends_unit_free(c->unit_ends[i]);
	analysis_free(c->analysis);
	texts_close(&c->names);
	void *all[] = { c->process, c->folder, c->setting, c->trouble, c->unit, c->unit_ends,
		c->flow_key, c->test, c };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
}
