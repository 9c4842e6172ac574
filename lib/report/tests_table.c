/* tests_table: what each test covers, what it alone does, and few tests that together cover as
 * much. */
#include "lib/criteria/criteria.h"
#include "lib/report/lines.h"
#include "lib/report/minimal.h"
#include "lib/report/report.h"
#include "lib/base/grow.h"

#include <inttypes.h>
#include <stdlib.h>

/* Marks the tests that are evidence for MC/DC, where the session was asked for it: a minimal set
 * keeps these, although other tests might show the same. */
static bool *evidence(const struct store_view *v)
{
	bool *needed = zeroed(v->tests + 1, sizeof *needed);
	uint32_t set = criteria_asked(v) & criteria_with(CRITERION_EVALUATIONS);

	for (unsigned c = 0; c < CRITERIA; c++) {
		struct criterion_list l = { NULL, 0 };
		if (set >> c & 1)
			l = criterion_list(v, (enum criterion)c);
		for (size_t i = 0; i < l.n; i++)
			for (size_t k = 0; k < v->tests; k++)
				needed[k] |= v->test[k].number
				    && (v->test[k].number == l.at[i].test
				        || v->test[k].number == l.at[i].other);
		criterion_free(&l);
	}
	return needed;
}

/* Each test's objectives, branches first, then pairs; one that is evidence for others has an
 * element of its own. */
static struct minimal_set *sets_of(const struct store_view *v)
{
	bool *needed = evidence(v);
	struct minimal_set *set = zeroed(v->tests + 1, sizeof *set);

	for (size_t i = 0; i < v->tests; i++) {
		const struct view_test *t = &v->test[i];
		size_t *element = reserved(t->n + t->pairs + 2, sizeof *element), n = 0;
		for (size_t k = 0; k < t->n; k++)
			element[n++] = t->covers[k];
		for (size_t k = 0; k < t->pairs; k++)
			element[n++] = v->objectives + t->pair[k];
		if (needed[i])
			element[n++] = v->objectives + v->pairs + i;
		set[i] = (struct minimal_set){ element, n };
	}
	free(needed);
	return set;
}

static void sets_free(struct minimal_set *set, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free((void *)set[i].element);
	free(set);
}

/* The test's name; "test 3" if it has none. */
static void name_print(FILE *f, const struct view_test *t)
{
	if (t->name)
		field_text(f, t->name);
	else
		fprintf(f, "test %" PRIu64, t->number);
}

/* A test's branches or pairs: all, those that no earlier test covers, those that no other test
 * covers. */
struct share {
	size_t all, fresh, alone;
};

static struct share share_of(
    const size_t *element, size_t n, size_t offset, const size_t *times, bool *seen)
{
	struct share s = { n, 0, 0 };

	for (size_t i = 0; i < n; i++) {
		size_t e = offset + element[i];
		s.fresh += !seen[e];
		s.alone += times[e] == 1;
		seen[e] = true;
	}
	return s;
}

void report_suite(FILE *f, const struct store_view *v)
{
	size_t *times = zeroed(v->objectives + v->pairs + 1, sizeof *times);
	bool *seen = zeroed(v->objectives + v->pairs + 1, sizeof *seen);

	for (size_t i = 0; i < v->tests; i++) {
		for (size_t k = 0; k < v->test[i].n; k++)
			times[v->test[i].covers[k]]++;
		for (size_t k = 0; k < v->test[i].pairs; k++)
			times[v->objectives + v->test[i].pair[k]]++;
	}
	fputs("#number\tname\tending\tbranches\tnew\talone\tpairs\tnew\talone\n", f);
	for (size_t i = 0; i < v->tests; i++) {
		const struct view_test *t = &v->test[i];
		struct share b = share_of(t->covers, t->n, 0, times, seen);
		struct share p = share_of(t->pair, t->pairs, v->objectives, times, seen);
		fprintf(f, "%" PRIu64 "\t", t->number);
		name_print(f, t);
		fprintf(f, "\t%s\t%zu\t%zu\t%zu\t%zu\t%zu\t%zu\n", t->end, b.all, b.fresh, b.alone,
		    p.all, p.fresh, p.alone);
	}
	free(times);
	free(seen);
}

bool *tests_choose(const struct store_view *v, size_t *n, bool *least)
{
	struct minimal_set *set = sets_of(v);
	bool *chosen = zeroed(v->tests + 1, sizeof *chosen);

	*n = minimal_cover(set, v->tests, v->objectives + v->pairs + v->tests, chosen, least);
	*least &= !(criteria_asked(v) & criteria_with(CRITERION_EVALUATIONS));
	sets_free(set, v->tests);
	return chosen;
}

void report_minimal(FILE *f, const struct store_view *v)
{
	bool least, *chosen;
	size_t n;

	chosen = tests_choose(v, &n, &least);
	fprintf(f, "#number\tname\n# %zu of %zu tests cover the same branches and pairs; %s\n", n,
	    v->tests, least ? "no fewer do" : "whether fewer do is not known");
	for (size_t i = 0; i < v->tests; i++)
		if (chosen[i]) {
			fprintf(f, "%" PRIu64 "\t", v->test[i].number);
			name_print(f, &v->test[i]);
			putc('\n', f);
		}
	free(chosen);
}

void report_keep_minimal(struct store_view *v)
{
	bool least, *chosen;
	size_t n;

	chosen = tests_choose(v, &n, &least);
	for (size_t i = 0; i < v->failures; i++)
		for (size_t k = 0; k < v->tests; k++)
			chosen[k] |= v->test[k].number == v->failure[i].test;
	store_view_keep(v, chosen);
	free(chosen);
}
