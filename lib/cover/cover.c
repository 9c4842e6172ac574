/* cover: records of processes to tests. A test is identified by its key; it has one row of bits, in
 * which each unit's outcomes have a range. */
#include "lib/cover/cover.h"
#include "lib/cover/pairs.h"
#include "lib/base/grow.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME = 200 }; /* maximum length of a test's name in bytes */

/* outcomes: including the blocks after them */
struct unit {
	uint64_t key;
	uint32_t outcomes;
	size_t first;
};

struct bits {
	uint64_t *word;
	size_t words;
};

struct test {
	uint64_t key, began;        /* began: when its first process began */
	struct bits outcomes, rows; /* covered outcomes of the suite; covered pairs */
	struct store_taken *taken;
	size_t n;
	int64_t *pair;
	size_t pairs;
	struct store_suite_test t;
	char *base, *name;   /* name without and with a number that makes it unique; NULL
	                        until written */
	bool changed, waits; /* not fully written; has running processes */
};

struct cover {
	struct store *store;
	const struct cover_options *o;
	char *folder, *setting, *trouble;
	uint64_t space;
	struct unit *unit;
	size_t units, outcomes;
	uint64_t *model;
	size_t models;
	struct test *test;
	size_t tests;
	struct process *process;
	size_t processes;
	struct analysis *analysis;
	struct cover_counts counts;
};

static int fail(char **error, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(error, fmt, ap) < 0)
		*error = NULL;
	va_end(ap);
	return -1;
}

struct cover *cover_open(struct store *s, const struct cover_options *o, char **error)
{
	const char *dir = getenv("TMPDIR");
	struct cover *c = calloc(1, sizeof *c);
	char *below, *real = realpath(dir && *dir ? dir : "/tmp", NULL);
	struct stat st;

	*error = NULL;
	if (!c || !real || asprintf(&below, "%s/duct-coverXXXXXX", real) < 0) {
		fail(error, "%s: %s", dir && *dir ? dir : "/tmp", strerror(errno));
		free(real);
		free(c);
		return NULL;
	}
	free(real);
	c->store = s;
	c->o = o;
	c->space = stat("/proc/self/ns/pid", &st) ? 0 : st.st_ino;
	if (mkdtemp(below))
		c->folder = below;
	if (c->folder
	    && asprintf(&c->setting, "DUCT_COVER=%s:%0*d", c->folder, RECORD_DIGITS, 0) > 0)
		return c;
	fail(error, "%s: %s", below, strerror(errno));
	if (!c->folder)
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
	counts.programs = c->models;
	counts.units = c->units;
	return counts;
}

const char *cover_trouble(const struct cover *c)
{
	return c->trouble;
}

static char *path_in(const struct cover *c, const char *name)
{
	char *path;

	if (asprintf(&path, "%s/%s", c->folder, name) < 0)
		abort();
	return path;
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

/* Normalises a path: removes `.` and `..`, makes it relative to the folder if below it. */
static char *tidy(const char *folder, const char *dir, const char *name)
{
	char *full, *to, *from;
	size_t n = strlen(folder);

	if (name[0] == '/' || !dir ? !(full = strdup(name))
	                           : asprintf(&full, "%s/%s", dir, name) < 0)
		abort();
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
		char *better = tidy(c->o->folder, u->folder, *name);
		free(*name);
		*name = better;
	}
}

static struct unit *find_unit(const struct cover *c, uint64_t key)
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
		if (find_unit(c, u->key))
			continue;
		*PUSH(c->unit, c->units) =
		    (struct unit){ u->key, u->outcomes + u->blocks, c->outcomes };
		c->outcomes += u->outcomes + u->blocks;
	}
}

static struct flow *read_model(
    struct cover *c, uint64_t model, struct flow *(*read)(const char *, char **), char **error)
{
	char name[40], *path;
	struct flow *fl;

	snprintf(name, sizeof name, "%016llx.model", (unsigned long long)model);
	path = path_in(c, name);
	fl = read(path, error);
	for (size_t i = 0; fl && i < fl->units; i++)
		name_files(c, &fl->unit[i]);
	free(path);
	return fl;
}

static struct flow *read_whole_model(void *data, uint64_t model)
{
	char *why;
	struct flow *fl = read_model(data, model, flow_read_model, &why);

	free(why);
	return fl;
}

/* Adds the units of a program to the suite when it is seen for the first time. */
static int meet_program(struct cover *c, const struct record_file *f, char **error)
{
	char *why = NULL;
	struct flow *fl;
	int rc;

	for (size_t i = 0; i < c->models; i++)
		if (c->model[i] == f->r->model)
			return 0;
	*PUSH(c->model, c->models) = f->r->model;
	if (!(fl = read_model(c, f->r->model, flow_read_program, &why))) {
		if (!c->trouble
		    && asprintf(&c->trouble, "%s: %s", record_text(f, f->r->program), why) < 0)
			c->trouble = NULL;
		free(why);
		return 0;
	}
	add_units(c, fl);
	rc = store_suite_units(c->store, fl, wants, (void *)c->o);
	flow_free(fl);
	return rc ? fail(error, "%s", store_error(c->store)) : 0;
}

static uint64_t hash(const char *s, uint64_t h)
{
	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	return h;
}

static uint64_t key_of(const struct cover *c, const struct record_file *f)
{
	const struct record *r = f->r;
	const char *name = record_text(f, r->test);

	if (name)
		return hash(name, 1);
	switch (c->o->per) {
	case COVER_PROCESS: return r->id;
	case COVER_COMMAND: return hash(record_text(f, r->command), 2);
	case COVER_PROGRAM: return hash(record_text(f, r->program), 3);
	case COVER_TREE: break;
	}
	return r->root;
}

static struct test *find_test(struct cover *c, uint64_t key)
{
	for (size_t i = c->tests; i-- > 0;)
		if (c->test[i].key == key)
			return &c->test[i];
	return NULL;
}

/* The name of a test, such as "make/test -x"; the program's path is relative to the folder. */
static char *name_of(const struct cover *c, const struct record_file *f)
{
	const struct record *r = f->r;
	const char *marked = record_text(f, r->test);
	const char *text =
	    marked ? marked : record_text(f, c->o->per == COVER_PROGRAM ? r->program : r->command);
	char *name = marked ? strdup(text) : tidy(c->o->folder, NULL, text);

	if (!name)
		abort();
	if (strlen(name) > NAME)
		strcpy(name + NAME - 3, "...");
	return name;
}

/* Appends a number to a name that is already in use. */
static char *distinct(const struct cover *c, const char *base)
{
	size_t same = 1;
	char *name;

	for (size_t i = 0; i < c->tests; i++)
		same += c->test[i].name && !strcmp(c->test[i].base, base);
	if (same == 1 ? !(name = strdup(base)) : asprintf(&name, "%s #%zu", base, same) < 0)
		abort();
	return name;
}

static struct test *get_test(struct cover *c, const struct record_file *f)
{
	uint64_t key = key_of(c, f);
	struct test *t = find_test(c, key);

	if (t)
		return t;
	t = PUSH(c->test, c->tests);
	*t = (struct test){ .key = key, .began = UINT64_MAX };
	return t;
}

/* Sets a bit; returns whether it was clear. */
static bool set_bit(struct bits *b, size_t at)
{
	uint64_t mask = (uint64_t)1 << at % 64;

	while (b->words <= at / 64) {
		*PUSH(b->word, b->words) = 0;
	}
	if (b->word[at / 64] & mask)
		return false;
	b->word[at / 64] |= mask;
	return true;
}

static void take(struct test *t, const struct unit *u, uint32_t outcome)
{
	if (!set_bit(&t->outcomes, u->first + outcome))
		return;
	*PUSH(t->taken, t->n) = (struct store_taken){ u->key, outcome };
}

/* The earliest process of a test determines its name and ending. */
static void note_first(const struct cover *c, struct test *t, const struct record_file *f)
{
	const struct record *r = f->r;

	if (r->began >= t->began)
		return;
	t->began = r->began;
	free(t->base);
	t->base = name_of(c, f);
	t->t.ending = r->end == RECORD_EXIT ? "exit" : r->end == RECORD_ABORT ? "abort" : "unknown";
	t->t.status = r->end == RECORD_EXIT ? r->status & 255 : 0;
	t->t.failure = r->end == RECORD_ABORT;
}

static struct process *find_process(const struct cover *c, uint64_t id)
{
	for (size_t i = c->processes; i-- > 0;)
		if (c->process[i].id == id)
			return &c->process[i];
	return NULL;
}

static void note_process(struct cover *c, const struct test *t, const struct record_file *f)
{
	struct process *p = find_process(c, f->r->id);

	if (!p) {
		p = PUSH(c->process, c->processes);
		*p = (struct process){ .id = f->r->id,
			.test = t->key,
			.program = tidy(c->o->folder, NULL, record_text(f, f->r->program)) };
	}
	process_add(p, f);
}

/* Adds the pairs that the test was not yet known to cover. */
static void add_pairs(struct test *t, const int64_t *row, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!set_bit(&t->rows, (size_t)row[i]))
			continue;
		*PUSH(t->pair, t->pairs) = row[i];
	}
	t->changed |= n > 0;
}

/* Pairs are in separate records, after those with the process's units. */
static int take_pairs(struct cover *c, const struct record_file *f, char **error)
{
	const struct process *p = find_process(c, f->r->id);
	struct test *t = p ? find_test(c, p->test) : NULL;
	int64_t *row;
	size_t n;

	if (!t)
		return 0;
	if (analysis_covered(
	        &c->analysis, c->store, c->o, wants, read_whole_model, c, p, f, &row, &n))
		return fail(error, "%s", store_error(c->store));
	add_pairs(t, row, n);
	free(row);
	return 0;
}

static void add_record(struct cover *c, const struct record_file *f, bool process)
{
	const struct channel_unit *u = record_units(f);
	struct test *t = get_test(c, f);

	for (uint32_t i = 0; i < f->r->units; i++) {
		const struct unit *known = find_unit(c, u[i].key);
		const uint8_t *cover = record_cover(f, &u[i]);
		for (uint32_t k = 0;
		    known && k < u[i].outcomes + u[i].blocks && k < known->outcomes; k++)
			if (cover[k])
				take(t, known, k);
	}
	t->changed = true;
	note_process(c, t, f);
	note_first(c, t, f);
	c->counts.threads += f->r->threads;
	t->t.processes += process;
	c->counts.processes += process;
}

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
struct found {
	char *name;
	uint64_t began, id, set;
	bool pairs;
};

static int by_time(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->pairs != y->pairs)
		return x->pairs - y->pairs;
	return x->began != y->began ? (x->began > y->began) - (x->began < y->began)
	                            : strcmp(x->name, y->name);
}

static struct found *find_records(const struct cover *c, size_t *n)
{
	DIR *d = opendir(c->folder);
	struct found *list = NULL;
	struct dirent *e;

	*n = 0;
	while (d && (e = readdir(d))) {
		if (!has_suffix(e->d_name, ".record"))
			continue;
		char *path = path_in(c, e->d_name);
		struct record r = { 0 };
		FILE *f = fopen(path, "r");
		list = grow_one(list, *n, sizeof *list);
		if (f && fread(&r, sizeof r, 1, f) != 1)
			r.began = 0;
		list[(*n)++] = (struct found){ path, r.began, r.id, 0, !r.units };
		if (f)
			fclose(f);
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
		rc = take_pairs(c, &f, error);
	} else {
		rc = meet_program(c, &f, error);
		if (!rc)
			add_record(c, &f, is_first(path));
	}
	record_free(&f);
	unlink(path);
	return rc;
}

/* Notes that the record's test has a running process. */
static void keep_waiting(struct cover *c, const char *path)
{
	struct record_file f;
	struct test *t;

	if (record_read(path, &f) && f.r->units && (t = find_test(c, key_of(c, &f))))
		t->waits = true;
	record_free(&f);
}

static int write_tests(struct cover *c, bool last, char **error)
{
	for (size_t i = 0; i < c->tests; i++) {
		struct test *t = &c->test[i];
		if (!t->changed || (t->waits && !last))
			continue;
		if (!t->name)
			t->name = distinct(c, t->base);
		t->t.name = t->name;
		t->t.pair = t->pair;
		t->t.pairs = t->pairs;
		if (store_suite_test(c->store, &t->t, t->taken, t->n))
			return fail(error, "%s", store_error(c->store));
		t->changed = false;
	}
	return 0;
}

static int by_set(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return (x->set > y->set) - (x->set < y->set);
}

/* Processes records of pairs after all units are known, grouped by equal sets of models. Their
 * analysis may take long, so tests are written before and in between. */
static int take_all_pairs(struct cover *c, struct found *list, size_t n, bool last, char **error)
{
	int rc = 0;

	for (size_t i = 0; i < n; i++) {
		const struct process *p = find_process(c, list[i].id);
		list[i].set = p ? p->set : 0;
	}
	if (n)
		qsort(list, n, sizeof *list, by_set);
	for (size_t i = 0; i < n; i++) {
		if (!rc && (!i || list[i].set != list[i - 1].set))
			rc = write_tests(c, last, error);
		if (!rc)
			rc = take_in(c, list[i].name, error);
		free(list[i].name);
	}
	return rc;
}

int cover_collect(struct cover *c, bool last, char **error)
{
	size_t n, later = 0;
	struct found *list = find_records(c, &n);
	int rc = 0;

	for (size_t i = 0; i < c->tests; i++)
		c->test[i].waits = false;
	for (size_t i = 0; i < n; i++) {
		bool ended = record_ended(list[i].name, c->space);

		c->counts.running += last && !ended && is_first(list[i].name);
		if (list[i].pairs && last) {
			list[later++] = list[i];
			continue;
		}
		if (!rc && !list[i].pairs && (ended || last))
			rc = take_in(c, list[i].name, error);
		else if (!rc && !list[i].pairs)
			keep_waiting(c, list[i].name);
		free(list[i].name);
	}
	rc = rc ? rc : take_all_pairs(c, list, later, last, error);
	free(list);
	return rc ? rc : write_tests(c, last, error);
}

void cover_close(struct cover *c)
{
	DIR *d = c->folder ? opendir(c->folder) : NULL;
	struct dirent *e;

	while (d && (e = readdir(d)))
		unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
	if (c->folder)
		rmdir(c->folder);
	for (size_t i = 0; i < c->tests; i++) {
		free(c->test[i].outcomes.word);
		free(c->test[i].rows.word);
		free(c->test[i].taken);
		free(c->test[i].pair);
		free(c->test[i].base);
		free(c->test[i].name);
	}
	for (size_t i = 0; i < c->processes; i++)
		process_free(&c->process[i]);
	analysis_free(c->analysis);
	void *all[] = { c->process, c->folder, c->setting, c->trouble, c->unit, c->model, c->test,
		c };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
}
