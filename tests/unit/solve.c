/* solve: random conjunctions over a few small inputs, answered by each engine, by all layers and
 * without any, against trying all inputs. */
#include "lib/expr/bits.h"
#include "lib/solve/solve.h"
#include "tests/unit/tap.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define VARS 3
#define WIDTH 4 /* bits of an input: 4096 assignments */
static uint32_t var[VARS];
static uint8_t table[32];

static expr num(struct expr_pool *p, unsigned w, uint64_t v)
{
	return expr_const(p, w, (struct value){ v, 0 });
}

static expr resize(struct expr_pool *p, expr e, unsigned w)
{
	unsigned we = expr_width(p, e);
	if (we > w)
		return expr_make(p, OP_EXTRACT, w, e, 0, below(we - w + 1));
	return expr_make(p, below(2) ? OP_ZEXT : OP_SEXT, w, e, 0, 0);
}

static expr term(struct expr_pool *p, unsigned w, int depth);

static expr condition(struct expr_pool *p, int depth)
{
	static const enum op cmp[] = { OP_EQ, OP_EQ, OP_ULT, OP_ULE, OP_SLT, OP_SLE };
	unsigned w = below(3) ? 8 : 4;
	expr e = expr_make(p, cmp[below(6)], 1, term(p, w, depth),
	    below(3) ? num(p, w, below(256)) : term(p, w, depth), 0);
	return below(3) ? e : expr_not(p, e);
}

/* An array of inputs: so many stores that the layer `pinned` considers it. */
static expr filled(struct expr_pool *p, expr a)
{
	for (unsigned n = 260; n-- > 0;) {
		expr at = below(100) ? num(p, 64, below(34)) : resize(p, term(p, 8, 3), 64);
		a = expr_make(p, OP_STORE, 0, a, at, term(p, 8u << below(2), 3));
	}
	return a;
}

static expr read_table(struct expr_pool *p, unsigned w, int depth)
{
	expr a = expr_table(p, table, 1 + below(sizeof table));
	if (!below(3))
		a = filled(p, a);
	for (unsigned n = below(3); n-- > 0;) {
		expr at = below(2) ? num(p, 64, below(34)) : resize(p, term(p, 8, depth + 1), 64);
		a = expr_make(p, OP_STORE, 0, a, at, term(p, 8u << below(2), depth + 1));
	}
	expr off = expr_make(
	    p, OP_ADD, 64, resize(p, term(p, 8, depth + 1), 64), num(p, 64, below(5) - 2ull), 0);
	if (below(3) == 0)
		off = expr_make(p, OP_MUL, 64, off, num(p, 64, 1 + below(4)), 0);
	return resize(p, expr_make(p, OP_READ, 8u << below(3), a, off, 0), w);
}

static expr term(struct expr_pool *p, unsigned w, int depth)
{
	static const enum op two[] = { OP_ADD, OP_SUB, OP_MUL, OP_UDIV, OP_SDIV, OP_UREM, OP_SREM,
		OP_AND, OP_OR, OP_XOR, OP_SHL, OP_LSHR, OP_ASHR };
	switch (depth > 2 ? below(2) : below(9)) {
	case 0: return num(p, w, below(256));
	case 1:
	case 2: return resize(p, expr_input(p, var[below(VARS)]), w);
	case 3: return expr_make(p, below(2) ? OP_NOT : OP_NEG, w, term(p, w, depth + 1), 0, 0);
	case 4:
		return expr_make(p, OP_ITE, w, condition(p, depth + 1), term(p, w, depth + 1),
		    term(p, w, depth + 1));
	case 5:
		return resize(p,
		    expr_make(p, OP_CONCAT, 12, term(p, 4, depth + 1), term(p, 8, depth + 1), 0),
		    w);
	case 6:
		if (depth < 2)
			return read_table(p, w, depth); /* fall through */
	default:
		return expr_make(
		    p, two[below(13)], w, term(p, w, depth + 1), term(p, w, depth + 1), 0);
	}
}

/* Conditions of a sorting function: comparisons of inputs with each other and with constants. */
static expr comparison(struct expr_pool *p)
{
	static const enum op cmp[] = { OP_EQ, OP_ULT, OP_ULE, OP_SLT, OP_SLE };
	static unsigned sign;
	expr a = expr_input(p, var[below(VARS)]), b = expr_input(p, var[below(VARS)]);
	enum op op = cmp[below(3) + 2 * (sign % 2)];
	sign += below(8) == 0;
	if (below(6) == 0)
		op = OP_EQ;
	if (below(3) == 0)
		b = num(p, WIDTH, below(16));
	if (below(8) == 0)
		a = expr_make(p, OP_ADD, WIDTH, a, num(p, WIDTH, below(16)), 0);
	expr e = below(2) ? expr_make(p, op, 1, a, b, 0) : expr_make(p, op, 1, b, a, 0);
	return below(3) ? e : expr_not(p, e);
}

static bool brute(struct expr_pool *p, const expr *c, size_t n, struct assignment *a)
{
	for (unsigned i = 0; i < 1u << VARS * WIDTH; i++) {
		for (unsigned k = 0; k < VARS; k++)
			assignment_set(
			    a, var[k], (struct value){ i >> k * WIDTH & ((1u << WIDTH) - 1), 0 });
		if (expr_first_false(p, c, n, a) == n)
			return true;
	}
	return false;
}

struct way {
	const char *name;
	struct solve_options o;
	struct solver *s;
	int wrong, unknown;
};

static void ask(struct way *w, struct expr_pool *p, const struct query *q, bool sat)
{
	struct assignment m = { 0 };
	enum answer a = solve_ask(w->s, q, &m, NULL);
	w->unknown += a == ANSWER_UNKNOWN;
	if (a == ANSWER_SAT)
		w->wrong += !sat || expr_first_false(p, q->cond, q->n, &m) != q->n;
	if (a == ANSWER_UNSAT)
		w->wrong += sat;
	assignment_clear(&m);
}

/* A condition that is no constant, if that can be had, and holds under the parent's values or does
 * not. */
static expr drawn(struct expr_pool *p, bool order, bool holds, const struct assignment *parent)
{
	expr e;
	int tries = 0;
	do
		e = order ? comparison(p) : condition(p, 0);
	while (expr_is_const(p, e, NULL) && tries++ < 20);
	return expr_eval(p, e, parent).lo == holds ? e : expr_not(p, e);
}

/* A path: the prefix holds under the parent's values, the last condition does not. The first `kept`
 * conditions are there already. */
static size_t path(struct expr_pool *p, expr *c, size_t kept, const struct assignment *parent)
{
	bool orders = !kept && below(2);
	size_t n = kept + 1 + below(orders ? 12 : 6);
	for (size_t i = kept; i < n; i++)
		c[i] = drawn(p, orders, i < n - 1, parent);
	return n;
}

#define NAMES 21
static const char *const names[NAMES] = { "listed", "simplify", "slice", "reuse", "cores", "cuts",
	"repair", "known", "numerals", "equal", "split", "order", "small", "search", "tables",
	"intervals", "numbers", "texts", "pinned", "narrow", "canon" };

/* All layers but one. */
static struct way without(size_t off, char *list, char *text)
{
	*list = 0;
	for (size_t i = 0; i < NAMES; i++)
		if (i != off)
			strcat(strcat(list, *list ? "," : ""), names[i]);
	sprintf(text, "without %s", names[off]);
	return (struct way){ text, { .layers = list, .engines = "sat,z3", .partial = off % 2 }, 0,
		0, 0 };
}

static const struct way listed[] = {
	{ "all layers", { .engines = "z3,boolector" }, 0, 0, 0 },
	{ "all layers, all engines", { 0 }, 0, 0, 0 },
	{ "no layers, sat", { .layers = "none", .engines = "sat" }, 0, 0, 0 },
	{ "no layers, z3", { .layers = "none", .engines = "z3" }, 0, 0, 0 },
	{ "no layers, boolector", { .layers = "none", .engines = "boolector" }, 0, 0, 0 },
	{ "all engines compared", { .cross = true }, 0, 0, 0 },
	{ "slice only", { .layers = "slice", .engines = "z3" }, 0, 0, 0 },
	{ "canon only", { .layers = "canon", .engines = "z3" }, 0, 0, 0 },
	{ "equal, split", { .layers = "equal,split", .engines = "z3" }, 0, 0, 0 },
	{ "search only", { .layers = "search", .engines = "z3" }, 0, 0, 0 },
	{ "cuts only", { .layers = "cuts", .engines = "z3" }, 0, 0, 0 },
	{ "slice, cuts, repair", { .layers = "slice,cuts,repair", .engines = "z3" }, 0, 0, 0 },
	{ "narrow, canon", { .layers = "narrow,canon", .engines = "z3" }, 0, 0, 0 },
	{ "pinned only", { .layers = "pinned", .engines = "z3" }, 0, 0, 0 },
	{ "order only", { .layers = "order", .engines = "z3" }, 0, 0, 0 },
	{ "order, small", { .layers = "simplify,order,small", .engines = "z3" }, 0, 0, 0 },
	{ "simplify, cores, reuse", { .layers = "simplify,cores,reuse", .engines = "z3" }, 0, 0,
	    0 },
	{ "partial", { .engines = "sat,z3", .partial = true }, 0, 0, 0 },
	{ "partial, no layers", { .layers = "none", .engines = "sat,z3", .partial = true }, 0, 0,
	    0 },
	{ "partial, the last", { .engines = "sat,z3", .partial = true, .refine = REFINE_LAST }, 0,
	    0, 0 },
	{ "partial, all",
	    { .layers = "none", .engines = "sat,z3", .partial = true, .refine = REFINE_ALL }, 0, 0,
	    0 },
	{ "partial, shared",
	    { .layers = "slice", .engines = "sat,z3", .partial = true, .refine = REFINE_SHARED }, 0,
	    0, 0 },
};

enum { LISTED = sizeof listed / sizeof *listed };

/* Those listed, one without each layer, and with a filter two that ask it; how many they are. */
static size_t list_ways(struct way *way, char *filter)
{
	static char list[NAMES][160], label[NAMES][32];
	size_t n = LISTED;

	memcpy(way, listed, sizeof listed);
	for (size_t i = 0; i < NAMES; i++)
		way[n++] = without(i, list[i], label[i]);
	if (filter) {
		way[n++] = (struct way){ "partial, as a co-process",
			{ .command = filter, .engines = "sat,z3", .partial = true }, 0, 0, 0 };
		way[n++] = (struct way){ "as a co-process", { .command = filter, .engines = "z3" },
			0, 0, 0 };
	}
	return n;
}

static void open_way(struct way *way, struct expr_pool *p)
{
	char *error;

	if (!(way->s = solve_open(p, &way->o, &error))) {
		printf("Bail out! %s\n", error);
		exit(1);
	}
}

static void make_vars(struct expr_pool *p)
{
	for (int i = 0; i < VARS; i++) {
		char name[24];
		snprintf(name, sizeof name, "v%d", i);
		var[i] = expr_var(p, name, INPUT_UINT, WIDTH);
	}
	for (size_t i = 0; i < sizeof table; i++)
		table[i] = (uint8_t)(i * 37 + 11);
}

/* Asks all ways about the same random path, and compares with running all values. */
static void ask_all(struct way *way, size_t ways, struct expr_pool *p)
{
	struct assignment parent = { 0 }, a = { 0 };
	expr c[16];
	for (unsigned k = 0; k < VARS; k++)
		assignment_set(&parent, var[k], (struct value){ below(1 << WIDTH), 0 });
	size_t n = path(p, c, 0, &parent);
	bool sat = brute(p, c, n, &a);
	for (size_t w = 0; w < ways; w++)
		ask(&way[w], p, &(struct query){ .cond = c, .n = n, .parent = &parent }, sat);
	assignment_clear(&parent), assignment_clear(&a);
}

static void close_way(struct way *way)
{
	const struct solve_counts *k = solve_counts(way->s);
	const char *name;
	char text[100];
	uint64_t n;

	snprintf(text, sizeof text, "%s: right, never unknown", way->name);
	ok(!way->wrong && !way->unknown && !k->bad_models && !k->disagreed, text);
	printf("# %s: %d wrong, %d unknown; %llu sat %llu unsat; %llu cached\n", way->name,
	    way->wrong, way->unknown, (unsigned long long)k->sat, (unsigned long long)k->unsat,
	    (unsigned long long)k->cached);
	for (size_t i = 0; solve_layer(way->s, i, &name, &n); i++)
		printf("#   %s %llu\n", name, (unsigned long long)n);
	solve_close(way->s);
}

static void test_random(int queries)
{
	struct way way[LISTED + NAMES + 2];
	struct expr_pool *p = expr_pool_new();
	char *filter = NULL;
	if (getenv("LIBEXEC") && asprintf(&filter, "%s/solve", getenv("LIBEXEC")) < 0)
		filter = NULL;
	size_t ways = list_ways(way, filter);
	make_vars(p);
	for (size_t w = 0; w < ways; w++)
		open_way(&way[w], p);
	for (int i = 0; i < queries; i++)
		ask_all(way, ways, p);
	for (size_t w = 0; w < ways; w++)
		close_way(&way[w]);
	free(filter);
	expr_pool_free(p);
}

/* Paths with a prefix in common, of comparisons, against all values: values of the inputs are
 * listed once. */
static void test_listed(int prefixes)
{
	char *error;
	const char *name;
	uint64_t answered;
	struct expr_pool *p = expr_pool_new();
	struct way w = { "listed", { .layers = "listed", .engines = "z3" }, NULL, 0, 0 };
	w.s = solve_open(p, &w.o, &error);
	for (int i = 0; i < VARS; i++) {
		const char text[] = { 'l', (char)('0' + i), 0 };
		var[i] = expr_var(p, text, INPUT_UINT, WIDTH);
	}
	for (int i = 0; i < prefixes; i++) {
		struct assignment parent = { 0 }, a = { 0 };
		expr c[16];
		size_t kept = 1 + below(6);
		for (unsigned k = 0; k < VARS; k++)
			assignment_set(&parent, var[k], (struct value){ below(1 << WIDTH), 0 });
		for (size_t k = 0; k < kept; k++)
			c[k] = drawn(p, true, true, &parent);
		for (int k = 0; k < 8; k++) {
			size_t n = path(p, c, kept, &parent);
			ask(&w, p, &(struct query){ .cond = c, .n = n, .parent = &parent },
			    brute(p, c, n, &a));
		}
		assignment_clear(&parent), assignment_clear(&a);
	}
	solve_layer(w.s, 0, &name, &answered);
	ok(!w.wrong && !w.unknown, "a list of values: right, never unknown");
	ok(answered > (uint64_t)prefixes, "a list of values serves several questions");
	printf("# %d wrong, %d unknown; %s %llu\n", w.wrong, w.unknown, name,
	    (unsigned long long)answered);
	solve_close(w.s);
	expr_pool_free(p);
}

/* One input of six bits within drawn bounds of all kinds, and a product of it: the engine that
 * takes bounds for widths against all values. */
static void test_bounds(int queries)
{
	static const enum op cmp[] = { OP_EQ, OP_ULT, OP_ULE, OP_SLT, OP_SLE };
	struct expr_pool *p = expr_pool_new();
	char *error;
	struct solver *s =
	    solve_open(p, &(struct solve_options){ .layers = "none", .engines = "sat" }, &error);
	expr x = expr_input(p, expr_var(p, "x", INPUT_INT, 6));
	struct assignment a = { 0 }, m = { 0 };
	int wrong = 0, sat = 0;
	for (int i = 0; i < queries; i++) {
		expr c[6], square = expr_make(p, OP_MUL, 6, x, x, 0);
		size_t n = 1 + below(5);
		bool want = false;
		for (size_t k = 0; k < n; k++) {
			expr v = num(p, 6, below(3) ? below(64) : 31 + below(3));
			c[k] = expr_make(p, cmp[below(5)], 1, below(2) ? x : v, v, 0);
			if (expr_is_const(p, c[k], NULL))
				c[k] = expr_make(p, cmp[1 + below(4)], 1, v, x, 0);
			c[k] = below(4) ? c[k] : expr_not(p, c[k]);
		}
		c[n++] = expr_make(p, OP_ULT, 1, square, num(p, 6, below(64)), 0);
		for (unsigned v = 0; v < 64 && !want; v++) {
			assignment_set(&a, 0, (struct value){ v, 0 });
			want = expr_first_false(p, c, n, &a) == n;
		}
		enum answer got = solve_ask(s, &(struct query){ .cond = c, .n = n }, &m, NULL);
		wrong += got != (want ? ANSWER_SAT : ANSWER_UNSAT);
		sat += want;
	}
	printf("# %d of %d satisfiable\n", sat, queries);
	ok(!wrong && sat && sat < queries, "sat: bounds of an input");
	assignment_clear(&a), assignment_clear(&m);
	solve_close(s);
	expr_pool_free(p);
}

/* table[i] == v and table[i + 1] == w in a large table, i a signed 32-bit input; then behind stores
 * at symbolic places. */
static void test_large(const char *engine, unsigned size)
{
	struct expr_pool *p = expr_pool_new();
	struct solve_options o = { .layers = "none", .engines = engine, .timeout = 60 };
	struct assignment m = { 0 };
	char *error, text[100];
	uint8_t *big = malloc(size);
	for (unsigned i = 0; i < size; i++)
		big[i] = (uint8_t)(i * 2654435761u >> 13);
	struct solver *s = solve_open(p, &o, &error);
	expr i = expr_input(p, expr_var(p, "i", INPUT_INT, 32)),
	     j = expr_input(p, expr_var(p, "j", INPUT_INT, 32));
	expr v = expr_input(p, expr_var(p, "v", INPUT_UINT, 32));
	expr at = expr_make(p, OP_SEXT, 64, i, 0, 0),
	     other = expr_make(p, OP_SHL, 64, expr_make(p, OP_SEXT, 64, j, 0, 0), num(p, 64, 2), 0);
	expr a = expr_table(p, big, size);
	expr c[3] = {
		expr_make(
		    p, OP_EQ, 1, expr_make(p, OP_READ, 8, a, at, 0), num(p, 8, big[size / 2]), 0),
		expr_make(p, OP_EQ, 1,
		    expr_make(p, OP_READ, 32, a, expr_make(p, OP_ADD, 64, at, num(p, 64, 1), 0), 0),
		    num(p, 32,
		        big[size / 2 + 1] | big[size / 2 + 2] << 8 | big[size / 2 + 3] << 16
		            | (uint64_t)big[size / 2 + 4] << 24),
		    0),
	};
	struct query q = { .cond = c, .n = 2, .parent = &m };
	struct assignment out = { 0 };
	enum answer got = solve_ask(s, &q, &out, NULL);
	snprintf(text, sizeof text, "%s: an index of a large table", engine);
	ok(got == ANSWER_SAT && expr_first_false(p, c, 2, &out) == 2, text);
	/* words 4j is overwritten with v; the word at 4 * 100 is then v + 1, that at 4j is not */
	expr b = expr_make(p, OP_STORE, 0, expr_table(p, big, 4096), other, v);
	c[0] = expr_make(p, OP_EQ, 1,
	    expr_make(p, OP_READ, 32, b, expr_make(p, OP_ADD, 64, other, num(p, 64, 4), 0), 0), v,
	    0);
	c[1] = expr_make(p, OP_EQ, 1, expr_make(p, OP_READ, 32, b, num(p, 64, 400), 0), v, 0);
	c[2] = expr_make(p, OP_ULT, 1, j, num(p, 32, 1000), 0);
	q.n = 3;
	got = solve_ask(s, &q, &out, NULL);
	snprintf(text, sizeof text, "%s: a store at a symbolic place", engine);
	ok(got == ANSWER_SAT && expr_first_false(p, c, 3, &out) == 3, text);
	c[1] = expr_not(p, expr_make(p, OP_EQ, 1, expr_make(p, OP_READ, 32, b, other, 0), v, 0));
	got = solve_ask(s, &q, &out, NULL);
	snprintf(text, sizeof text, "%s: what was stored is read", engine);
	ok(got == ANSWER_UNSAT, text);
	solve_close(s);
	assignment_clear(&out);
	free(big);
	expr_pool_free(p);
}

/* A path on which each condition depends on an input of its own takes time in proportion to its
 * length. */
static void test_independent(unsigned n)
{
	struct expr_pool *p = expr_pool_new();
	struct solve_options o = { .layers = "split", .engines = "sat", .timeout = 60 };
	struct assignment parent = { 0 }, out = { 0 };
	char *error, name[24];
	struct solver *s = solve_open(p, &o, &error);
	expr *c = malloc(n * sizeof *c);
	for (unsigned i = 0; i < n; i++) {
		snprintf(name, sizeof name, "x%u", i);
		uint32_t v = expr_var(p, name, INPUT_UINT, 8);
		assignment_set(&parent, v, (struct value){ 5, 0 });
		c[i] = expr_make(p, OP_EQ, 1, expr_input(p, v), num(p, 8, 5), 0);
	}
	c[n - 1] = expr_not(p, c[n - 1]);
	clock_t began = clock();
	enum answer got =
	    solve_ask(s, &(struct query){ .cond = c, .n = n, .parent = &parent }, &out, NULL);
	double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
	ok(got == ANSWER_SAT && expr_first_false(p, c, n, &out) == n,
	    "many conditions, each with an input of its own");
	ok(seconds < 1, "they take no more time than is in proportion to their number");
	printf("# %u conditions: %.2f s\n", n, seconds);
	solve_close(s);
	free(c);
	assignment_clear(&parent), assignment_clear(&out);
	expr_pool_free(p);
}

int main(int argc, char **argv)
{
	test_independent(50000);
	test_random(argc > 1 ? atoi(argv[1]) : 150);
	test_bounds(3000);
	test_listed(60);
	test_large("sat", 65536);
	test_large("z3", 8192);
	test_large("boolector", 65536);
	return finish();
}
