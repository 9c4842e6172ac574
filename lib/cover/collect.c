/* Finds the records that processes left in the folder, and adds them to the tests. */
#include "lib/cover/inner.h"
#include "lib/base/grow.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_suffix(const char *name, const char *suffix)
{
	size_t n = strlen(name), k = strlen(suffix);

	return n > k && !strcmp(name + n - k, suffix);
}

/* Is it the first record of a process? */
static bool is_first(const char *path)
{
	return has_suffix(path, "-0.record");
}

/* Record files in the order in which their processes began, since the first names the test; records
 * of pairs last. */
struct found_file {
	char *name;
	uint64_t began, id, set;
	bool pairs, ended;
};

static int by_time(const void *a, const void *b)
{
	const struct found_file *x = a, *y = b;

	if (x->pairs != y->pairs)
		return x->pairs - y->pairs;
	return x->began != y->began ? (x->began > y->began) - (x->began < y->began)
	                            : strcmp(x->name, y->name);
}

static struct found_file *find_records(const struct cover *c, size_t *n)
{
	DIR *d = opendir(c->folder);
	struct found_file *list = NULL;
	struct dirent *e;

	*n = 0;
	while (d && (e = readdir(d))) {
		if (!has_suffix(e->d_name, ".record"))
			continue;
		char *path = cover_path(c, e->d_name);
		struct record r;
		if (!record_head(path, &r))
			r = (struct record){ 0 };
		*PUSH(list, *n) = (struct found_file){ path, r.began, r.id, 0, !r.units,
			record_ended(&r, c->space) };
	}
	if (d)
		closedir(d);
	if (*n)
		qsort(list, *n, sizeof *list, by_time);
	return list;
}

static int take_in(struct cover *c, const char *path, char **error)
{
	struct record_file f;
	int rc = 0;

	if (!record_read(path, &f)) {
		c->counts.broken++;
	} else if (!f.r->units) {
		rc = cover_add_pairs(c, &f, error);
	} else {
		rc = cover_meet_program(c, &f, error);
		if (!rc)
			cover_add_record(c, &f, is_first(path));
	}
	record_free(&f);
	unlink(path);
	return rc;
}

static int by_set(const void *a, const void *b)
{
	const struct found_file *x = a, *y = b;

	return (x->set > y->set) - (x->set < y->set);
}

/* Processes records of pairs after all units are known, grouped by equal sets of flows. Their
 * analysis may take long, so tests are written before and in between. */
static int take_all_pairs(
    struct cover *c, struct found_file *list, size_t n, bool last, char **error)
{
	int rc = 0;

	for (size_t i = 0; i < n; i++) {
		const struct recorded_process *p = cover_find_process(c, list[i].id);
		list[i].set = p ? p->set : 0;
	}
	if (n)
		qsort(list, n, sizeof *list, by_set);
	for (size_t i = 0; i < n; i++) {
		if (!rc && (!i || list[i].set != list[i - 1].set))
			rc = cover_write_tests(c, last, error);
		if (!rc)
			rc = take_in(c, list[i].name, error);
		free(list[i].name);
	}
	return rc;
}

int cover_collect(struct cover *c, bool last, char **error)
{
	size_t n, later = 0;
	struct found_file *list = find_records(c, &n);
	int rc = 0;

	for (size_t i = 0; i < c->tests; i++)
		c->test[i].waits = false;
	for (size_t i = 0; i < n; i++) {
		bool ended = list[i].ended;

		c->counts.running += last && !ended && is_first(list[i].name);
		if (list[i].pairs && last) {
			list[later++] = list[i];
			continue;
		}
		if (!rc && !list[i].pairs && (ended || last))
			rc = take_in(c, list[i].name, error);
		else if (!rc && !list[i].pairs)
			cover_keep_waiting(c, list[i].name);
		free(list[i].name);
	}
	rc = rc ? rc : take_all_pairs(c, list, later, last, error);
	free(list);
	return rc ? rc : cover_write_tests(c, last, error);
}
