/* ktest: writes each test in KLEE's file format: "KTEST", then big-endian words: the version;
 * arguments, each with its length; two unused words for symbolic arguments; objects, each with name
 * and bytes. */
#include "lib/harness/harness.h"
#include "lib/report/names.h"
#include "lib/report/report.h"
#include "lib/report/tests.h"
#include "lib/base/grow.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ktest_object {
	char *name;
	unsigned char *bytes;
	size_t size;
};
struct ktest_objects {
	struct ktest_object *at;
	size_t n, size;
};

enum { MOST_BYTES = 64 << 20 }; /* per test */

static void word(FILE *f, size_t v)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		putc((int)(v >> shift & 0xff), f);
}

static void text(FILE *f, const char *s)
{
	word(f, strlen(s) + 1);
	fwrite(s, 1, strlen(s) + 1, f);
}

/* Is the input the object `name` or a part of it? */
static bool within(const char *input, const char *name, size_t n)
{
	return !strncmp(input, name, n) && (!input[n] || input[n] == '[' || input[n] == '.');
}

/* Length of the name of the object that contains an input: the longest match in the plan, otherwise
 * up to the first component. Each value of a __VERIFIER_nondet_ function is an object. */
static size_t object_name(const struct harness_plan *p, const char *input)
{
	size_t best = 0;

	for (size_t i = 0; i < p->n; i++) {
		size_t n = strlen(p->step[i].name);
		if (p->step[i].kind == HARNESS_INPUT && n > best
		    && within(input, p->step[i].name, n))
			best = n;
	}
	if (best)
		return best;
	return strncmp(input, "nondet[", 7) ? strcspn(input, "[.") : strlen(input);
}

static struct ktest_object *find(struct ktest_objects *o, const char *name, size_t n)
{
	for (size_t i = o->n; i-- > 0;)
		if (strlen(o->at[i].name) == n && !memcmp(o->at[i].name, name, n))
			return &o->at[i];
	struct ktest_object *fresh = PUSH(o->at, o->n);
	fresh->name = copied_part(name, n);
	return fresh;
}

/* Offset of an input in its object: recorded by the run, except for bytes of standard input and
 * similar. */
static size_t offset(const struct input_value *v, size_t n)
{
	char *end;

	if (v->offset || v->width != 8 || v->name[n] != '[')
		return v->offset;
	size_t k = strtoull(v->name + n + 1, &end, 10);
	return !strcmp(end, "]") && k < (size_t)1 << 30 ? k : 0;
}

/* Stores an input's bytes. False: more than MOST_BYTES. */
static bool put(
    struct ktest_objects *all, const struct harness_plan *p, const struct input_value *v)
{
	size_t n = object_name(p, v->name), bytes = (v->width + 7u) / 8, at = offset(v, n);
	struct ktest_object *o = find(all, v->name, n);

	if (at + bytes > o->size) {
		all->size += at + bytes - o->size;
		if (all->size > MOST_BYTES)
			return false;
		o->bytes = resized(o->bytes, at + bytes, 1);
		memset(o->bytes + o->size, 0, at + bytes - o->size);
		o->size = at + bytes;
	}
	for (size_t i = 0; i < bytes; i++)
		o->bytes[at + i] =
		    (unsigned char)((i < 8 ? v->value.lo : v->value.hi) >> i % 8 * 8);
	return true;
}

static void free_objects(struct ktest_objects *all)
{
	for (size_t i = 0; i < all->n; i++) {
		free(all->at[i].name);
		free(all->at[i].bytes);
	}
	free(all->at);
}

/* A test's objects, in the order in which it first has them. False: they are too large. */
static bool read_objects(
    const struct harness_plan *p, const struct view_test *t, struct ktest_objects *all)
{
	bool fits = true;

	*all = (struct ktest_objects){ 0 };
	for (size_t i = 0; fits && i < t->input.n; i++)
		if (t->input.v[i].kind != INPUT_CHOICE && t->input.v[i].kind != INPUT_OBJECT)
			fits = put(all, p, &t->input.v[i]);
	return fits;
}

char *tests_memory(const struct harness_plan *p, const struct view_test *t, size_t *n)
{
	struct ktest_objects all;
	char *bytes = NULL;

	*n = 0;
	if (read_objects(p, t, &all)) {
		bytes = reserved(all.size + 1, 1);
		for (size_t i = 0; i < all.n; *n += all.at[i++].size)
			if (all.at[i].size)
				memcpy(bytes + *n, all.at[i].bytes, all.at[i].size);
	}
	free_objects(&all);
	return bytes;
}

/* False: its objects are too large. */
static bool write_test(
    FILE *f, const struct store_view *v, const struct harness_plan *p, const struct view_test *t)
{
	enum { VERSION = 3 };
	struct ktest_objects all;
	bool fits = read_objects(p, t, &all);

	fputs("KTEST", f);
	word(f, VERSION);
	word(f, 1);
	text(f, v->file[0] ? v->file[0] : "program");
	word(f, 0);
	word(f, 0);
	word(f, fits ? all.n : 0);
	for (size_t i = 0; fits && i < all.n; i++) {
		text(f, all.at[i].name);
		word(f, all.at[i].size);
		fwrite(all.at[i].bytes, 1, all.at[i].size, f);
	}
	free_objects(&all);
	return fits;
}

int report_ktest(const char *dir, const struct store_view *v, char **error)
{
	struct harness_plan *p;
	int rc;

	if (v->folder)
		return tests_fail(error, "tests of a suite have no inputs that could be written");
	if (!(p = harness_plan_parse(*v->plan ? v->plan : "plan 1\n", error)))
		return -1;
	rc = tests_make_folder(dir, error);
	struct test_names *names = test_names(v);
	for (size_t i = 0; !rc && i < v->tests; i++) {
		char *path;
		FILE *f;
		path = formatted("%s/%s.ktest", dir, names->name[i]);
		if (!(f = fopen(path, "w"))) {
			rc = tests_fail(error, "%s: %s", path, strerror(errno));
		} else {
			bool fits = write_test(f, v, p, &v->test[i]), bad = ferror(f);
			if (fclose(f) || bad)
				rc = tests_fail(error, "%s: cannot be written", path);
			else if (!fits)
				rc = tests_fail(error,
				    "test %" PRIu64 ": objects of more than %d MiB",
				    v->test[i].number, MOST_BYTES >> 20);
			if (rc)
				unlink(path);
		}
		free(path);
	}
	test_names_free(names, v);
	harness_plan_free(p);
	return rc;
}
