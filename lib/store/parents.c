/* parents: finds the test of a view from which each test was derived. Tests that a session only
 * repeats keep the parents that they had in the earlier session of the same question. */
#include "lib/store/db.h"
#include "lib/base/grow.h"
#include "lib/base/search.h"

#include <stdlib.h>
#include <string.h>

enum { FAR = 2000 }; /* length of the chain of runs between a test and its parent, at most */

/* A test of any session. number: its number in the view, 0: it is not part of it. */
struct stored_test {
	int64_t session;
	uint64_t run, inputs, number; /* inputs: hash of the question and the inputs */
};

struct family {
	struct store *s;
	struct stored_test *kept, **by_inputs;
	size_t n;
};

static int by_run(const void *a, const void *b)
{
	const struct stored_test *x = a, *y = b;

	if (x->session != y->session)
		return x->session < y->session ? -1 : 1;
	return (x->run > y->run) - (x->run < y->run);
}

static int by_inputs(const void *a, const void *b)
{
	const struct stored_test *const *x = a, *const *y = b;

	if ((*x)->inputs != (*y)->inputs)
		return (*x)->inputs < (*y)->inputs ? -1 : 1;
	return by_run(*x, *y);
}

static uint64_t hash(int64_t question, const char *inputs)
{
	uint64_t h = 0xcbf29ce484222325u ^ (uint64_t)question;

	for (; *inputs; inputs++)
		h = (h ^ (unsigned char)*inputs) * 0x100000001b3u;
	return h;
}

static struct stored_test *at_run(const struct family *f, int64_t session, uint64_t run)
{
	struct stored_test key = { session, run, 0, 0 };

	return bsearch(&key, f->kept, f->n, sizeof *f->kept, by_run);
}

static int like_order(const void *like, const void *item)
{
	const struct stored_test *a = like, *b = *(const struct stored_test *const *)item;

	if (a->inputs != b->inputs)
		return a->inputs < b->inputs ? -1 : 1;
	return (a->session > b->session) - (a->session < b->session);
}

/* The test with these inputs in the same session, or, with `before`, in the last session before it;
 * NULL: none. */
static struct stored_test *with_inputs(
    const struct family *f, const struct stored_test *like, bool before)
{
	size_t i = lower_bound(like, f->by_inputs, f->n, sizeof *f->by_inputs, like_order);

	if (before)
		i = i ? i - 1 : f->n;
	return i < f->n && f->by_inputs[i]->inputs == like->inputs ? f->by_inputs[i] : NULL;
}

/* The run that the input of a run was derived from, 0 none. */
static uint64_t derived_from(struct store *s, int64_t session, uint64_t run)
{
	int64_t parent;

	if (store_get(s, &parent, 0,
	        "SELECT parent FROM execution WHERE session = ?1 AND number = ?2 AND run = ?2",
	        "iu", session, run)
	    || parent < 0 || (uint64_t)parent >= run)
		return 0;
	return (uint64_t)parent;
}

/* The number of the parent of a test in the view; session: that of the test. */
static uint64_t parent_of(const struct family *f, const struct stored_test *t)
{
	struct stored_test at = *t;

	for (size_t n = 0; n < FAR; n++) {
		uint64_t run = derived_from(f->s, at.session, at.run);
		const struct stored_test *k =
		    run ? at_run(f, at.session, run) : with_inputs(f, &at, true);
		if (!run && !k)
			return 0;
		if (run && k) {
			struct stored_test own = { t->session, 0, k->inputs, 0 };
			const struct stored_test *here = with_inputs(f, &own, false);
			if (here && here->session == t->session && here->number
			    && here->number < t->number)
				return here->number;
		}
		at = k ? *k : (struct stored_test){ at.session, run, 0, 0 };
	}
	return 0;
}

static void read_kept(struct family *f)
{
	sqlite3_stmt *st = store_sql(f->s,
	    "SELECT session.id, run, question, inputs FROM test JOIN session ON session.id = test.session",
	    "");

	while (store_row(f->s, st)) {
		*PUSH(f->kept, f->n) = (struct stored_test){ sqlite3_column_int64(st, 0),
			(uint64_t)sqlite3_column_int64(st, 1),
			hash(sqlite3_column_int64(st, 2), store_string(st, 3)), 0 };
	}
}

uint64_t *store_view_parents(struct store *s, const struct store_view *v)
{
	struct family f = { .s = s };
	uint64_t *parent = zeroed(v->tests + 1, sizeof *parent);

	read_kept(&f);
	f.by_inputs = zeroed(f.n + 1, sizeof *f.by_inputs);
	if (f.n)
		qsort(f.kept, f.n, sizeof *f.kept, by_run);
	for (size_t i = 0; i < f.n; i++)
		f.by_inputs[i] = &f.kept[i];
	qsort(f.by_inputs, f.n, sizeof *f.by_inputs, by_inputs);
	for (size_t i = 0; i < v->tests; i++) {
		struct stored_test *k = at_run(&f, v->test[i].session, v->test[i].run);
		if (k)
			k->number = v->test[i].number;
	}
	for (size_t i = 0; i < v->tests && !v->folder; i++) {
		const struct stored_test *k = at_run(&f, v->test[i].session, v->test[i].run);
		parent[i] = k ? parent_of(&f, k) : 0;
	}
	free(f.kept);
	free(f.by_inputs);
	return parent;
}
