/* tree: small programs, told as traces by hand, are explored with a solver that tries values. */
#include "tests/unit/tree.h"

static const uint8_t zero[INPUTS];

/* ---- programs */

static void sorted(struct world *w)
{
	if (less_var(w, 1, 1, 0) || less_var(w, 2, 2, 1))
		return;
	less_var(w, 3, 3, 2);
}

static void independent(struct world *w)
{
	for (int i = 0; i < INPUTS; i++)
		less(w, EV_BRANCH, (uint32_t)i + 1, i, 5, 0);
}

static void switches(struct world *w)
{
	switch_on(w, 1, 0);
	switch_on(w, 2, 0); /* decided by the first */
	switch_on(w, 3, 1);
}

/* Only runs with b >= 5 count; no 5 comes to the second switch. */
static void after_switches(struct world *w)
{
	switch_on(w, 1, 0);
	if (less(w, EV_BRANCH, 2, 2, 5, 0)) {
		event(w, EV_BRANCH, 3, node(w, OP_EQ, 1, 1, constant(w, 5), w->in[0] == 5),
		    w->in[0] == 5, 0, 0);
		if (w->in[0] != 5)
			switch_on(w, 4, 0);
	}
	switch_on(w, 5, 3);
	event(w, EV_ASSUME, 0, node(w, OP_ULE, 1, constant(w, 5), 2, w->in[1] >= 5), w->in[1] >= 5,
	    0, 0);
	if (w->in[1] < 5)
		w->end = END_REJECTED;
}

static void nested(struct world *w)
{
	if (less(w, EV_BRANCH, 1, 0, 5, 0))
		less(w, EV_BRANCH, 2, 0, 7, 0); /* implied: one side infeasible */
	less(w, EV_BRANCH, 3, 0, 5, 0);         /* the same again */
}

static void assuming(struct world *w)
{
	less(w, EV_ASSUME_BRANCH, 1, 0, 5, w->in[0] < 5); /* required to be true */
	if (!less(w, EV_ASSUME, 0, 0, 5, 0)) {
		w->end = END_REJECTED;
		return;
	}
	less(w, EV_BRANCH, 2, 1, 5, 0);
	less(w, EV_BRANCH, 3, 0, 3, 0);
}

static void library(struct world *w)
{
	less(w, EV_MODEL, 0, 0, 5, 0);
	less(w, EV_BRANCH, 1, 1, 5, 0);
}

static void bounds(struct world *w)
{
	if (!less(w, EV_BOUNDS, 0, 0, 8, 0)) {
		w->end = END_BOUNDS;
		return;
	}
	if (!less(w, EV_ASSERT, 0, 0, 4, 0))
		w->end = END_ASSERT;
}

/* Nobody may be 3 at place 8: the run goes on; b is not 5: it would end there. */
static void checked(struct world *w)
{
	bool other = w->in[0] != 3;
	uint32_t n = node(w, OP_EQ, 1, 1, constant(w, 3), !other);
	event(w, EV_CHECK, 8, node(w, OP_NOT, 1, n, 0, other), other, CHECK_OVERFLOW, CHECK_ASIDE);
	less(w, EV_BRANCH, 1, 0, 4, 0);
	event(w, EV_CHECK, 9,
	    node(w, OP_NOT, 1, node(w, OP_EQ, 1, 2, constant(w, 5), w->in[1] == 5), 0,
	        w->in[1] != 5),
	    w->in[1] != 5, CHECK_DIV, 0);
	if (w->in[1] != 5)
		less(w, EV_BRANCH, 2, 1, 5, 0);
}

/* Takes another branch than its condition says, now and then. */
static void liar(struct world *w)
{
	if (w->in[0] < 5)
		less(w, EV_BRANCH, 1, 0, 5, 0);
	else
		less(w, EV_BRANCH, 2, 1, 5, 0);
}

/* The second condition has the value of an input made concrete. */
static void concrete(struct world *w)
{
	less(w, EV_BRANCH, 1, 0, 3, 0);
	less(w, EV_BRANCH, 2, 1, (uint8_t)(w->in[0] + 2), 0);
}

/* A loop over the inputs, a decision of a model in each round; many sites behind it. */
static void loop(struct world *w)
{
	for (int i = 0; i < 3; i++) {
		less(w, EV_MODEL, 1, i, 3, 0);
		less(w, EV_BRANCH, 1, i, 5, 0);
	}
	for (uint32_t id = 2; id < 20; id++)
		less(w, EV_BRANCH, id, 3, (uint8_t)(id + 1), 0);
}

static const struct {
	program *p;
	const char *name;
} all[] = {
	{ sorted, "sorted" },
	{ independent, "independent" },
	{ switches, "switches" },
	{ nested, "nested" },
	{ library, "library" },
	{ bounds, "bounds" },
	{ checked, "checked" },
	{ assuming, "assuming" },
	{ concrete, "concrete" },
	{ loop, "loop" },
};
enum { PROGRAMS = sizeof all / sizeof *all };

static void test_laws(void)
{
	struct result r = explore(sorted, 3, zero);
	okf(r.counts.paths == 4 && r.runs == 4, "sorted: 4 paths in 4 runs (%u)", r.runs);
	okf(r.asked == 3 && r.conjuncts == 6,
	    "sorted: 3 queries of 2 conditions on average (%u, %u)", r.asked, r.conjuncts);
	r = explore(independent, 3, zero);
	okf(r.counts.paths == 16 && r.asked == 15, "independent: 2^4 paths");
	okf(r.counts.nodes == 15, "independent: shared prefixes are stored once (%u)",
	    (unsigned)r.counts.nodes);
	r = explore(nested, 3, zero);
	okf(r.counts.paths == 2 && r.counts.infeasible == 1 && r.counts.unknown == 0,
	    "nested: 2 paths, one side infeasible, a repeated condition is no node");
}

static void test_switch(void)
{
	struct result r = explore(switches, 3, zero);
	okf(r.counts.paths == 16 && r.runs == 16, "two switches of four outcomes: 16 paths (%u)",
	    r.runs);
	okf(r.counts.pending == 0 && r.counts.infeasible == 0, "the repeated switch asks nothing");
	r = explore(switches, 0, zero);
	okf(r.runs == 100 && r.counts.paths == 16 && r.counts.pending == 0,
	    "cases unknown: each value once, the same paths (%u runs, %u paths)", r.runs,
	    (unsigned)r.counts.paths);
}

static void test_kinds(void)
{
	static const uint8_t nine[INPUTS] = { 9, 9, 9, 9 };
	struct result r = explore(assuming, 3, zero);
	okf(r.counts.paths == 4 && r.rejected == 0, "assumption that holds: never flipped");
	okf(r.asked == 3, "assumption: nothing asked for it (%u)", r.asked);
	r = explore(assuming, 3, nine);
	okf(r.counts.paths == 4 && r.rejected >= 1,
	    "assumption that fails first: flipped, no path of its own");
	r = explore(library, 3, zero);
	okf(r.counts.paths == 4 && r.runs == 4, "conditions of models make paths");
	r = explore(checked, 3, zero);
	okf(r.counts.pending == 0 && r.counts.unknown == 0 && r.mispredicted == 0,
	    "checks: all asked");
	okf(r.counts.nodes == 6,
	    "a check aside is one node, one that ends the run one on each path (%u)",
	    (unsigned)r.counts.nodes);
	okf(r.counts.paths == 5 || r.counts.paths == 6,
	    "checks themselves tell no paths apart (%u)", (unsigned)r.counts.paths);
	r = explore(bounds, 3, zero);
	okf(r.counts.paths == 3 && r.runs == 3,
	    "leaving an object and failing an assertion are paths");
}

static void test_odd(void)
{
	struct result r = explore(liar, 3, zero);
	okf(r.mispredicted == 2 && r.counts.unknown == 2 && r.counts.pending == 0,
	    "a promise that is not kept is told, closed, and stays unknown");
	r = explore(concrete, 3, zero);
	okf(r.mispredicted == 0 && r.counts.pending == 0 && r.counts.paths == 4,
	    "alternatives at one place");
}

static void test_path(void)
{
	struct expr_pool *pool = expr_pool_new();
	struct tree *t = tree_new(pool);
	struct tree_path path;
	struct tree_branch b;
	static const uint8_t high[INPUTS] = { 0, 0, 0, 9 };
	pending last;
	size_t n;
	run(t, independent, zero, 41, 0, &path);
	okf(path.fresh && path.length == 4 && path.n == 4, "a first run: four branches open");
	okf(tree_pending(t, path.added[3], &b) && b.branch == 4 && b.depth == 3 && b.outcome == 0
	        && b.input == 41 && b.kind == EV_BRANCH && b.visits == 1,
	    "what is known of the deepest");
	last = path.added[3];
	okf(tree_parent(t, last) && assignment_get(tree_parent(t, last), 3).lo == 0,
	    "its parent's values");
	run(t, independent, high, 42, last, &path);
	okf(path.fresh && !path.mispredicted && path.n == 0, "taking it opens nothing new");
	okf(!tree_pending(t, last, &b) && !tree_query(t, last, &n) && !tree_parent(t, last),
	    "it is pending no more");
	okf(tree_path_pending(t, &n) && n == 3, "three open branches leave the new path");
	run(t, independent, high, 43, 0, &path);
	okf(!path.fresh && path.n == 0, "the same path again is not fresh");
	okf(!tree_pending(t, 0, &b) && !tree_pending(t, 1000000, &b), "handles that never were");
	tree_free(t);
	expr_pool_free(pool);
}

/* Sites and rounds of a path, for each run anew. */
static void test_sites(void)
{
	struct expr_pool *pool = expr_pool_new();
	struct tree *t = tree_new(pool);
	struct tree_path path;
	struct tree_branch b[24], before;
	static const uint8_t high[INPUTS] = { 0, 9, 0, 0 };
	bool distinct = true;
	run(t, loop, zero, 1, 0, &path);
	for (size_t i = 0; i < path.n && i < 24; i++)
		tree_pending(t, path.added[i], &b[i]);
	okf(path.n == 24 && b[0].site == b[2].site && b[2].site == b[4].site
	        && b[1].site == b[5].site && b[0].site != b[1].site,
	    "a site is a place of one kind");
	okf(b[0].round == 0 && b[2].round == 1 && b[4].round == 2 && b[5].round == 2
	        && b[6].round == 0,
	    "rounds are counted");
	for (int i = 6; i < 24; i++)
		distinct &= b[i].site > b[i - 1].site || i == 6;
	okf(distinct && b[23].branch == 19, "many sites");
	okf(b[0].branch == 0 && !tree_before(t, path.added[0], &before),
	    "nothing before the first");
	okf(tree_before(t, path.added[2], &before) && before.branch == 1 && before.outcome == 1
	        && before.round == 0,
	    "the last condition of the program before a model's");
	run(t, loop, high, 2, path.added[2], &path);
	okf(path.n > 2 && tree_pending(t, path.added[0], &before) && before.round == 1
	        && before.branch == 1 && tree_pending(t, path.added[1], &before)
	        && before.round == 2,
	    "another run counts from nothing");
	tree_free(t);
	expr_pool_free(pool);
}

/* Paths of a tree whose oldest branch, every other time, is given away, to a tree that does the
 * same. */
struct work {
	program *p;
	size_t cases;
	unsigned given;
};

static unsigned hand_over(
    struct work *w, const uint8_t *first, bool adopted, uint32_t depth, uint64_t prefix)
{
	struct expr_pool *pool = expr_pool_new();
	struct tree *t = tree_new(pool);
	struct tree_path path;
	struct tree_branch info;
	unsigned paths = 0, step = 0;
	uint8_t in[INPUTS];
	pending stack[1000], b;
	size_t n = 0, top = 0;
	tree_set_cases(t, cases_of, &w->cases);
	run(t, w->p, first, 1, 0, &path);
	memcpy(stack, path.added, path.n * sizeof *stack);
	top = path.n;
	if (adopted && !tree_take_over(t, depth, prefix))
		okf(false, "a run with the same inputs goes the same way");
	while (tree_pending_count(t)) {
		bool give = ++step % 2 && (b = tree_oldest(t));
		if (!give)
			b = top ? stack[--top] : 0;
		if (!tree_pending(t, b, &info))
			continue;
		const expr *cond = tree_query(t, b, &n);
		if (!solve(pool, cond, n, tree_parent(t, b), in)) {
			tree_close(t, b, true);
		} else if (give) {
			uint64_t way = tree_prefix(t, b);
			tree_give(t, b);
			paths += hand_over(w, in, true, info.depth, way);
			w->given++;
		} else {
			run(t, w->p, in, 2, b, &path);
			memcpy(stack + top, path.added, path.n * sizeof *stack);
			top += path.n;
		}
	}
	okf(!tree_counts(t).unknown && !tree_counts(t).contradicted,
	    "nothing is doubtful in a tree of %s", adopted ? "a part" : "all");
	paths += (unsigned)tree_counts(t).paths;
	tree_free(t);
	expr_pool_free(pool);
	return paths;
}

/* Of a run that was cut more is added. */
static void test_more(void)
{
	struct expr_pool *pool = expr_pool_new();
	struct tree *t = tree_new(pool);
	struct tree_path path;
	pending rest;
	tree_cut(t, 1);
	run(t, independent, zero, 1, 0, &path);
	rest = path.rest;
	okf(path.n == 2 && path.length == 1 && rest == path.added[1] && tree_is_rest(t, rest),
	    "a run is cut after its first condition");
	add_more = true;
	run(t, independent, zero, 1, rest, &path);
	add_more = false;
	okf(path.n == 3 && path.length == 4 && !path.rest && !path.mispredicted && !path.fresh
	        && !tree_is_rest(t, rest),
	    "what was left of it is added");
	okf(tree_counts(t).paths == 1 && tree_pending_count(t) == 4, "it is one path");
	tree_free(t);
	expr_pool_free(pool);
}

/* Conditions that are others in each run. */
static uint32_t draws;

static void unlike(struct world *w)
{
	for (uint32_t k = 1; k < 28; k++) {
		draws = draws * 1664525u + 1013904223u;
		less(w, EV_BRANCH, k, (int)(draws >> 30), (uint8_t)(draws >> 16), 0);
	}
}

/* A large tree grows by few conditions a run, each in few bytes. */
static void test_large(void)
{
	struct expr_pool *pool = expr_pool_new();
	struct tree *t = tree_new(pool);
	struct tree_path path;
	uint64_t half;
	for (uint64_t id = 1; id < 5000; id++)
		run(t, unlike, zero, id, 0, &path);
	half = tree_counts(t).nodes;
	for (uint64_t id = 5000; id < 10000; id++)
		run(t, unlike, zero, id, 0, &path);
	okf(half > 60000 && tree_counts(t).nodes - half < 30000,
	    "a large tree grows by few conditions a run (%u, then %u)", (unsigned)half,
	    (unsigned)(tree_counts(t).nodes - half));
	okf(sizeof *t->node + 2 * sizeof *t->slot <= 60, "a condition takes 60 bytes (%u)",
	    (unsigned)(sizeof *t->node + 2 * sizeof *t->slot));
	tree_free(t);
	expr_pool_free(pool);
}

/* Inputs that are packed are those of before, unset ones included. */
static void test_packed(void)
{
	static const uint32_t set[] = { 0, 1, 6, 14, 22, 200, 20000 };
	static const struct value v[] = { { 0, 0 }, { 255, 0 }, { 256, 0 }, { UINT64_MAX, 0 },
		{ 0, 1 }, { 1, 1ull << 63 }, { 7, 0 } };
	struct assignment a = { 0 }, b = { 0 };
	uint8_t *packed;
	bool same = true;
	assignment_set(&b, 3, v[1]);
	for (size_t i = 0; i < sizeof set / sizeof *set; i++)
		assignment_set(&a, set[i], v[i]);
	packed = inputs_pack(&a);
	inputs_unpack(&b, packed);
	for (uint32_t i = 0; i < a.n || i < b.n; i++) {
		struct value x = assignment_get(&a, i), y = assignment_get(&b, i);
		same &=
		    x.lo == y.lo && x.hi == y.hi && (i < a.n && a.set[i]) == (i < b.n && b.set[i]);
	}
	okf(same, "inputs are packed without loss");
	free(packed);
	assignment_clear(&a);
	packed = inputs_pack(&a);
	inputs_unpack(&b, packed);
	for (uint32_t i = 0; i < b.n; i++)
		same &= !b.set[i];
	okf(same, "no inputs are, too");
	free(packed);
	assignment_clear(&b);
}

/* Cases that share their code are one path; each of them is taken nevertheless, if it can be. */
static void test_ways(void)
{
	struct result apart, r;
	with_ways = true;
	memset(taken, 0, sizeof taken);
	r = explore(switches, 3, zero);
	okf(r.counts.paths == 9 && !r.counts.unknown && !r.mispredicted,
	    "switches: 3 ways of each, 9 paths (%u)", (unsigned)r.counts.paths);
	okf(taken[1][0] && taken[1][1] && taken[2][0] && taken[2][1] && taken[3][0] && taken[3][1],
	    "switches: cases that share their way are all taken, also where the way is decided");
	r = explore(switches, 3, zero);
	okf(r.runs == r.counts.paths, "switches: when no case is wanted, a run for each path (%u)",
	    r.runs);
	for (cut = 0; cut < 4; cut++) { /* runs below a case that are rejected, too */
		memset(taken, 0, sizeof taken);
		r = explore(after_switches, 3, zero);
		okf(!r.counts.unknown && !r.mispredicted && taken[1][1] && taken[4][0]
		        && taken[5][1] && !taken[4][1],
		    "runs that are rejected take no case: others do (cut %u, %u runs)", cut,
		    r.runs);
	}
	cut = 0;
	with_ways = false;
	apart = explore(after_switches, 3, zero);
	okf(apart.counts.paths > r.counts.paths, "apart they are more paths (%u, %u)",
	    (unsigned)apart.counts.paths, (unsigned)r.counts.paths);
}

/* Paths that are cut are explored to the end, too. */
static void test_cut(void)
{
	unsigned more = 0;
	for (size_t i = 0; i < PROGRAMS; i++) {
		struct result whole = explore(all[i].p, 3, zero);
		for (cut = 1; cut < 4; cut++) {
			struct result r = explore(all[i].p, 3, zero);
			okf(r.counts.paths == whole.counts.paths
			        && r.counts.infeasible == whole.counts.infeasible
			        && r.counts.pending == whole.counts.pending
			        && r.counts.unknown == whole.counts.unknown
			        && r.mispredicted == whole.mispredicted,
			    "%s: a run adds %u conditions: %u of %u paths, %u unknown, %u runs",
			    all[i].name, cut, (unsigned)r.counts.paths,
			    (unsigned)whole.counts.paths, (unsigned)r.counts.unknown, r.runs);
			more += r.runs > whole.runs;
		}
		cut = 0;
	}
	okf(more > PROGRAMS, "of paths that are cut the rest needs more runs (%u)", more);
}

static void test_hand_over(void)
{
	for (size_t i = 0; i + 1 < PROGRAMS; i++) {
		struct work w = { .p = all[i].p, .cases = 3 };
		unsigned want = (unsigned)explore(all[i].p, 3, zero).counts.paths,
		         got = hand_over(&w, zero, false, 0, 0);
		okf(got >= want && (got == want || all[i].p == checked) && w.given > 0,
		    "%s: all paths in %u trees (%u of %u)", all[i].name, w.given + 1, got, want);
	}
	struct work w = { .p = switches, .cases = 0 };
	unsigned got = hand_over(&w, zero, false, 0, 0);
	okf(got == 16,
	    "switches of unknown cases: what another tree would have otherwise is not given away (%u, %u)",
	    got, w.given);
	struct expr_pool *pool = expr_pool_new();
	struct tree *t = tree_new(pool);
	struct tree_path path;
	run(t, independent, zero, 1, 0, &path);
	okf(!tree_take_over(t, 2, 12345) && !tree_pending_count(t),
	    "a run that goes another way is not taken over, nor what leaves it");
	tree_free(t);
	expr_pool_free(pool);
}

int main(void)
{
	test_laws();
	test_hand_over();
	test_cut();
	test_more();
	test_large();
	test_packed();
	test_switch();
	test_ways();
	test_kinds();
	test_odd();
	test_path();
	test_sites();
	return finish();
}
