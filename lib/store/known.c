/* known: verdicts of objectives, outcomes of branches and pairs, in memory and in the database. */
#include "lib/store/db.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

void known_add(struct known_set *k)
{
	*PUSH(k->at, k->n) = (struct objective_state){ .changed = true, .dirty = true };
}

bool known_cover(struct store *s, enum store_aim aim, size_t i)
{
	struct known_set *k = &s->known[aim];
	struct objective_state *o = &k->at[i];

	if (o->verdict == VERDICT_INFEASIBLE && store_gives_state(s))
		return false;
	o->hits++;
	o->dirty = true;
	if (o->verdict == VERDICT_COVERED)
		return false;
	if (o->verdict == VERDICT_INFEASIBLE) {
		store_contradict(s, aim, i, o->evidence);
		k->infeasible--;
	}
	k->covered++;
	o->verdict = VERDICT_COVERED;
	o->changed = true;
	return true;
}

void known_credit(struct known_set *k, const struct covers *c, uint64_t test)
{
	for (size_t i = 0; i < c->n; i++) {
		struct objective_state *o = &k->at[c->at[i]];
		if (o->test || o->verdict != VERDICT_COVERED)
			continue;
		o->test = test;
		free(o->evidence);
		o->evidence = formatted("test %llu", (unsigned long long)test);
		o->changed = o->dirty = true;
		o->suite = false;
	}
}

/* Inputs of a suite may be outside of the session's question. */
static bool is_of_suite(const struct objective_state *o)
{
	return o->suite && o->evidence && !strncmp(o->evidence, STORE_SUITE, strlen(STORE_SUITE));
}

int store_decide(
    struct store *s, enum store_aim aim, size_t i, enum store_verdict v, const char *evidence)
{
	struct known_set *k = &s->known[aim];
	struct objective_state *o;

	if (i >= k->n)
		return store_fail(s, "no objective %zu", i);
	o = &k->at[i];
	if (o->verdict == VERDICT_COVERED && v == VERDICT_INFEASIBLE && !is_of_suite(o))
		store_contradict(s, aim, i, evidence);
	if (o->verdict == VERDICT_COVERED || v == VERDICT_COVERED)
		return 0;
	k->infeasible += (v == VERDICT_INFEASIBLE);
	k->infeasible -= (o->verdict == VERDICT_INFEASIBLE);
	free(o->evidence);
	o->evidence = evidence ? copied(evidence) : NULL;
	o->verdict = v;
	o->changed = o->dirty = true;
	return 0;
}

int store_exhaust(struct store *s, enum store_aim aim, size_t i)
{
	static const char address[] =
	    "every path was run, but an address or a length depends on inputs: see --aliases";
	static const char reads[] =
	    "every path was run, but the number of bytes that a library function reads depends on inputs";
	const char *open_end;
	char why[200];

	if (i >= s->known[aim].n || s->known[aim].at[i].verdict != VERDICT_UNKNOWN)
		return 0;
	if ((open_end = store_open_end(s, aim, i)))
		return store_decide(s, aim, i, VERDICT_UNKNOWN, open_end);
	if (aim == STORE_PAIRS && s->addressed && !defuse_by_path(s->defuse, (uint32_t)i))
		return store_decide(s, aim, i, VERDICT_UNKNOWN, address);
	if (aim == STORE_PAIRS && s->read_on && defuse_by_library(s->defuse, (uint32_t)i))
		return store_decide(s, aim, i, VERDICT_UNKNOWN, reads);
	if (aim == STORE_PAIRS && s->unpaired) {
		snprintf(why, sizeof why,
		    "every path was run, but the effects of %s are not fully known", s->unpaired);
		return store_decide(s, aim, i, VERDICT_UNKNOWN, why);
	}
	if (s->figures.share) {
		snprintf(why, sizeof why, STORE_SHARE "%s ran all its paths", s->figures.share);
		return store_decide(s, aim, i, VERDICT_UNKNOWN, why);
	}
	return store_decide(s, aim, i, VERDICT_INFEASIBLE, "exhaustion");
}

struct store_known store_known(const struct store *s, enum store_aim aim, size_t i)
{
	const struct objective_state *o = &s->known[aim].at[i];

	return (struct store_known){ o->verdict, o->evidence, o->hits };
}

struct store_totals store_totals(const struct store *s, enum store_aim aim)
{
	const struct known_set *k = &s->known[aim];

	return (struct store_totals){ k->n, k->covered, k->infeasible,
		k->n - k->covered - k->infeasible, 0, 0 };
}

/* SQL: g is the function of row b in this session's program, where it may stand elsewhere. */
#define SAME_FUNCTION \
	"JOIN function AS f ON f.id = b.function JOIN function AS g ON g.program = ?1" \
	" AND g.name = f.name AND g.unit = f.unit AND g.hash = f.hash"

/* For each kind of objectives, its name in the store, and the query for proofs that hold for this
 * program. */
static const struct {
	const char *kind, *infeasible;
} kinds[STORE_AIMS] = {
	{ "branch",
	    "SELECT mine.id, evidence FROM verdict JOIN branch AS b ON verdict.kind = 'branch' AND b.id = goal " SAME_FUNCTION
	    " JOIN branch AS mine ON mine.function = g.id AND mine.number = b.number AND mine.side = b.side"
	    " AND mine.value IS b.value WHERE question = ?2 AND verdict = 'infeasible'" },
	{ "pair",
	    "SELECT mine.id, evidence FROM verdict JOIN pair AS b ON verdict.kind = 'pair' AND b.id = goal " SAME_FUNCTION
	    " JOIN pair AS mine ON mine.function = g.id AND mine.rules = b.rules AND mine.key = b.key"
	    " WHERE question = ?2 AND verdict = 'infeasible'" },
};

void store_closest(struct store *s, enum store_aim aim, size_t i, uint64_t test, const char *place)
{
	struct known_set *k = &s->known[aim];

	if (i >= k->n || k->at[i].verdict != VERDICT_UNKNOWN)
		return;
	free(k->at[i].closest);
	k->at[i].closest =
	    formatted(STORE_CLOSEST "%llu stopped at %s", (unsigned long long)test, place);
	k->at[i].dirty = true;
}

/* The evidence of an objective. If it is unknown, the closest test is inserted as the second piece,
 * or after the list of limits. The caller frees it. */
static char *evidence_of(const struct objective_state *o)
{
	const char *text = o->evidence ? o->evidence : "";
	bool limited = !strncmp(text, STORE_LIMITS, strlen(STORE_LIMITS));
	size_t head = limited ? strlen(text) : (size_t)(strchrnul(text, ';') - text);
	char *all;

	if (o->verdict != VERDICT_UNKNOWN || !o->closest)
		return copied(text);
	all = formatted("%.*s%s%s%s", (int)head, text, head ? "; " : "", o->closest, text + head);
	return all;
}

/* Writes a verdict; `covered` replaces any other. */
static int write_one(struct store *s, enum store_aim aim, const struct objective_state *o)
{
	char *evidence = evidence_of(o);
	const char *verdict = store_verdict_name(o->verdict);
	int rc = store_do(s, "INSERT OR REPLACE INTO objective VALUES (?, ?, ?, ?, ?, ?)", "itittu",
	    s->session, kinds[aim].kind, o->id, verdict, evidence, o->hits);

	if (!rc && o->verdict != VERDICT_UNKNOWN && o->changed && !o->suite)
		rc = store_do(s,
		    "INSERT INTO verdict VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET verdict = excluded.verdict,"
		    " evidence = excluded.evidence, session = excluded.session WHERE verdict.verdict = 'infeasible'",
		    "ititti", s->question, kinds[aim].kind, o->id, verdict, evidence, s->session);
	free(evidence);
	return rc ? -1 : 0;
}

int known_write(struct store *s, enum store_aim aim, bool all)
{
	const struct known_set *k = &s->known[aim];

	for (size_t i = 0; i < k->n; i++)
		if ((all ? k->at[i].dirty : k->at[i].changed) && write_one(s, aim, &k->at[i]))
			return -1;
	return 0;
}

void known_written(struct known_set *k, bool all)
{
	for (size_t i = 0; i < k->n; i++) {
		struct objective_state *o = &k->at[i];
		o->dirty = o->dirty && !all && !o->changed;
		o->changed = false;
	}
}

static int by_id(const void *a, const void *b)
{
	const struct objective_state *const *x = a, *const *y = b;

	return ((*x)->id > (*y)->id) - ((*x)->id < (*y)->id);
}

/* The objective with that row, by bisection. */
static struct objective_state *find(struct objective_state *const *sorted, size_t n, int64_t id)
{
	struct objective_state like = { .id = id }, *key = &like;
	struct objective_state *const *at =
	    n ? bsearch(&key, sorted, n, sizeof *sorted, by_id) : NULL;

	return at ? *at : NULL;
}

struct objective_state **known_sorted(struct known_set *k)
{
	struct objective_state **sorted = reserved(k->n + 1, sizeof *sorted);

	for (size_t i = 0; i < k->n; i++)
		sorted[i] = &k->at[i];
	qsort(sorted, k->n, sizeof *sorted, by_id);
	return sorted;
}

bool known_take_over(
    struct known_set *k, struct objective_state *const *sorted, int64_t id, const char *evidence)
{
	struct objective_state *o = find(sorted, k->n, id);

	if (!o || o->verdict != VERDICT_UNKNOWN)
		return false;
	free(o->evidence);
	o->evidence = copied(evidence);
	o->verdict = VERDICT_COVERED;
	o->suite = o->changed = o->dirty = true;
	k->covered++;
	return true;
}

/* Adopts the proof of an objective by another session, given by its evidence; is it new here? */
static bool prove(
    struct store *s, enum store_aim aim, const struct objective_state *o, sqlite3_stmt *st)
{
	return o->verdict == VERDICT_UNKNOWN
	    && !store_decide(
	        s, aim, (size_t)(o - s->known[aim].at), VERDICT_INFEASIBLE, store_string(st, 1));
}

static void learn(struct store *s, enum store_aim aim)
{
	struct known_set *k = &s->known[aim];
	struct objective_state **sorted = known_sorted(k), *o;
	sqlite3_stmt *st = store_sql(s,
	    "SELECT goal, evidence, verdict = 'covered' FROM verdict WHERE question = ? AND kind = ? AND session <> ?",
	    "iti", s->question, kinds[aim].kind, s->session);

	while (store_row(s, st)) {
		int64_t id = sqlite3_column_int64(st, 0);
		if (!(o = find(sorted, k->n, id)))
			continue;
		if (!sqlite3_column_int(st, 2)) {
			prove(s, aim, o, st);
			continue;
		}
		if (o->verdict
		    == VERDICT_INFEASIBLE) /* the share that covers it reports the contradiction */
			store_decide(s, aim, (size_t)(o - k->at), VERDICT_UNKNOWN, NULL);
		known_take_over(k, sorted, id, "another share");
	}
	free(sorted);
}

bool *store_elsewhere(struct store *s)
{
	struct known_set *k = &s->known[STORE_PAIRS];
	struct objective_state **sorted = known_sorted(k), *o;
	bool *covered = zeroed(k->n + 1, sizeof *covered);
	sqlite3_stmt *st = store_sql(s,
	    "SELECT DISTINCT mine.id FROM verdict CROSS JOIN pair AS theirs ON verdict.kind = 'pair' AND theirs.id = goal"
	    " CROSS JOIN function AS g ON g.id = theirs.function"
	    " CROSS JOIN function AS f ON f.name = g.name AND f.hash = g.hash AND f.source = g.source"
	    " AND f.source <> '' AND f.program = ?"
	    " CROSS JOIN pair AS mine ON mine.function = f.id AND mine.rules = theirs.rules"
	    " AND mine.key = theirs.key WHERE verdict = 'covered' AND question <> ?",
	    "ii", s->program, s->question);

	while (store_row(s, st))
		if ((o = find(sorted, k->n, sqlite3_column_int64(st, 0))))
			covered[o - k->at] = true;
	free(sorted);
	return covered;
}

int store_learn(struct store *s)
{
	for (int aim = 0; s->session && aim < STORE_AIMS; aim++)
		learn(s, (enum store_aim)aim);
	return s->error ? -1 : 0;
}

static size_t inherit(struct store *s, enum store_aim aim)
{
	struct known_set *k = &s->known[aim];
	struct objective_state **sorted = known_sorted(k), *o;
	size_t n = 0;
	sqlite3_stmt *st = store_sql(s, kinds[aim].infeasible, "ii", s->program, s->question);

	while (store_row(s, st))
		if ((o = find(sorted, k->n, sqlite3_column_int64(st, 0))))
			n += prove(s, aim, o, st);
	free(sorted);
	return n;
}

size_t store_inherit(struct store *s)
{
	if (s->session && !s->alone)
		s->kept = inherit(s, STORE_BRANCHES) + inherit(s, STORE_PAIRS);
	if (s->session && !s->alone)
		store_inherit_proved(s);
	return s->kept;
}

void known_free(struct known_set *k)
{
	for (size_t i = 0; i < k->n; i++) {
		free(k->at[i].evidence);
		free(k->at[i].closest);
	}
	free(k->at);
}
