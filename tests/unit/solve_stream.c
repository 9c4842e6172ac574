/* solve_stream: the solver on the queries that depth-first search poses to small programs, whose
 * conditions are built here by hand: the number of paths is known for each. With arguments
 * [-l LAYERS] [-e ENGINES] NAME... it prints what answered and how fast. */
#include "lib/expr/bits.h"
#include "lib/solve/solve.h"
#include "tests/unit/tap.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST 4000

/* The run of a program: its inputs' values and the path condition. */
static struct expr_pool *p;
static struct assignment *in;
static expr path[MOST];
static size_t length;
static bool assumed[MOST];
static bool rejected;

static expr num(unsigned w, uint64_t v)
{
	return expr_const(p, w, (struct value){ v, 0 });
}
static expr op2(enum op op, expr a, expr b)
{
	bool cmp = op >= OP_EQ && op <= OP_SLE;
	return expr_make(p, op, cmp ? 1 : expr_width(p, a), a, b, 0);
}
static expr input(const char *name, int i, unsigned w)
{
	char text[32];
	snprintf(text, sizeof text, "%s[%d]", name, i);
	uint32_t v = expr_var(p, text, INPUT_INT, w);
	assignment_set(in, v, assignment_get(in, v));
	return expr_input(p, v);
}
static expr zext(expr e)
{
	return expr_make(p, OP_ZEXT, 32, e, 0, 0);
}

/* Takes the branch that the inputs take. */
static bool branch(expr c)
{
	if (rejected)
		return false;
	bool taken = expr_eval(p, c, in).lo;
	if (!expr_is_const(p, c, NULL) && length < MOST) {
		assumed[length] = false;
		path[length++] = taken ? c : expr_not(p, c);
	}
	return taken;
}
static void assume(expr c)
{
	if (rejected || expr_is_const(p, c, NULL))
		return;
	rejected = !expr_eval(p, c, in).lo;
	assumed[length] = !rejected;
	path[length++] = rejected ? expr_not(p, c) : c;
}
static bool is(expr e, int k)
{
	return branch(op2(OP_EQ, e, num(expr_width(p, e), (uint64_t)k)));
}
static bool between(expr c, int lo, int hi)
{
	expr e = zext(c);
	return branch(op2(OP_SLE, num(32, (unsigned)lo), e))
	    && branch(op2(OP_SLE, e, num(32, (unsigned)hi)));
}

/* ---- programs */

static void independent(int n)
{
	for (int i = 0; i < n; i++)
		branch(op2(OP_SLT, num(32, 10), input("x", i, 32)));
}

static void is_sorted(int n)
{
	for (int i = 0; i + 1 < n; i++)
		if (branch(op2(OP_SLT, input("a", i + 1, 32), input("a", i, 32))))
			return;
}

/* strcmp(a, "abcdefgh") and then of two inputs with each other */
static void strcmp2(int n)
{
	for (int i = 0; i < n; i++) {
		expr a = input("a", i, 8), b = input("b", i, 8);
		if (branch(op2(OP_EQ, a, num(8, 0))))
			break;
		if (!branch(op2(OP_EQ, zext(a), zext(b))))
			break;
	}
	for (int i = 0; i < 4; i++)
		if (!is(input("c", i, 8), "word"[i]))
			break;
}

static void tokenizer(int n)
{
	for (int i = 0; i < n; i++) {
		expr c = input("s", i, 8);
		if (is(c, 0))
			return;
		if (is(c, ' ') || is(c, '\t') || is(c, '\n'))
			continue;
		if (between(c, '0', '9')) {
			while (i + 1 < n && between(input("s", i + 1, 8), '0', '9'))
				i++;
			continue;
		}
		if (between(c, 'a', 'z') || is(c, '_'))
			continue;
		if (is(c, '+') || is(c, '-') || is(c, '(') || is(c, ')'))
			continue;
		return;
	}
}

static void bsort(int n)
{
	expr a[16];
	for (int i = 0; i < n; i++)
		a[i] = input("a", i, 32);
	for (int i = 0; i < n; i++)
		for (int j = 0; j + 1 < n - i; j++)
			if (branch(op2(OP_SLT, a[j + 1], a[j]))) {
				expr t = a[j];
				a[j] = a[j + 1], a[j + 1] = t;
			}
}

static void bounded(expr x, int lo, int hi)
{
	assume(op2(OP_SLE, num(32, (unsigned)lo), x));
	assume(op2(OP_SLE, x, num(32, (unsigned)hi)));
}

static void gcd(int n)
{
	expr a = input("a", 0, 32), b = input("a", 1, 32);
	bounded(a, 1, n);
	bounded(b, 1, n);
	while (!rejected && !is(b, 0)) {
		expr t = op2(OP_SREM, a, b);
		a = b, b = t;
	}
}

static void prime(int n)
{
	expr x = input("n", 0, 32);
	bounded(x, 2, n);
	for (int i = 2; !rejected
	    && branch(op2(OP_SLE, op2(OP_MUL, num(32, (unsigned)i), num(32, (unsigned)i)), x));
	    i++)
		if (is(op2(OP_SREM, x, num(32, (unsigned)i)), 0))
			return;
}

static void factor(int n)
{
	expr x = input("n", 0, 32);
	bounded(x, 2, n);
	for (int i = 2;
	    !rejected && i * i <= n && branch(op2(OP_SLE, num(32, (unsigned)(i * i)), x)); i++)
		while (is(op2(OP_SREM, x, num(32, (unsigned)i)), 0))
			x = op2(OP_SDIV, x, num(32, (unsigned)i));
}

/* expr := term (('+'|'-') term)*, term := digit+ | '(' expr ')', the value compared at the end */
static int at, size;
static expr peek(void)
{
	return at < size ? input("s", at, 8) : 0;
}
static bool calc_expr(int depth, expr *value);
static bool calc_term(int depth, expr *value)
{
	expr c = peek();
	if (!c)
		return false;
	if (is(c, '(') && depth < 4) {
		at++;
		if (!calc_expr(depth + 1, value) || !(c = peek()) || !is(c, ')'))
			return false;
		at++;
		return true;
	}
	*value = num(32, 0);
	int digits = 0;
	for (; (c = peek()) && between(c, '0', '9'); at++, digits++)
		*value = op2(
		    OP_ADD, op2(OP_MUL, *value, num(32, 10)), op2(OP_SUB, zext(c), num(32, '0')));
	return digits > 0;
}
static bool calc_expr(int depth, expr *value)
{
	expr c, v;
	if (!calc_term(depth, value))
		return false;
	while ((c = peek())) {
		bool plus = is(c, '+');
		if (!plus && !is(c, '-'))
			return true;
		at++;
		if (!calc_term(depth, &v))
			return false;
		*value = op2(plus ? OP_ADD : OP_SUB, *value, v);
	}
	return true;
}
static void calc(int n)
{
	expr v;
	at = 0, size = n;
	if (calc_expr(0, &v) && (at == n || is(peek(), 0)))
		branch(op2(OP_EQ, v, num(32, 42)));
}

/* A look-up in a table, as a character class or a CRC does it. */
static void lookup(int n)
{
	uint8_t table[256];
	expr crc = num(8, 0);
	for (int i = 0; i < 256; i++)
		table[i] = (uint8_t)(i * 167 + 13);
	for (int i = 0; i < n; i++) {
		expr off = expr_make(p, OP_ZEXT, 64, op2(OP_XOR, crc, input("d", i, 8)), 0, 0);
		crc = expr_make(p, OP_READ, 8, expr_table(p, table, 256), off, 0);
		branch(op2(OP_ULT, crc, num(8, 128)));
	}
	is(crc, 77);
}

static const struct program {
	const char *name;
	void (*run)(int);
	int n;
	size_t paths;
} program[] = {
	{ "independent 8", independent, 8, 256 },
	{ "independent 10", independent, 10, 1024 },
	{ "is_sorted 3", is_sorted, 3, 3 },
	{ "is_sorted 12", is_sorted, 12, 12 },
	{ "strcmp", strcmp2, 12, 125 },
	{ "tokenizer 4", tokenizer, 4, 0 },
	{ "tokenizer 5", tokenizer, 5, 0 },
	{ "bsort 5", bsort, 5, 120 },
	{ "gcd 30", gcd, 30, 0 },
	{ "prime 2000", prime, 2000, 0 },
	{ "factor 2000", factor, 2000, 0 },
	{ "calculator 5", calc, 5, 0 },
	{ "lookup 3", lookup, 3, 0 },
};
#define PROGRAMS (sizeof program / sizeof *program)

struct result {
	size_t paths, queries, unknown;
	double seconds;
	struct solve_counts counts;
};

/* One pending branch: the conditions of its path, the last one to be flipped. */
struct job {
	expr *cond;
	size_t n;
	struct assignment parent;
};

static void push(struct job **jobs, size_t *n, size_t *cap, size_t i)
{
	if (*n == *cap)
		*jobs = realloc(*jobs, (*cap += *cap + 64) * sizeof **jobs);
	struct job *j = &(*jobs)[(*n)++];
	*j = (struct job){ malloc((i + 1) * sizeof(expr)), i + 1, { 0 } };
	memcpy(j->cond, path, (i + 1) * sizeof(expr));
	j->cond[i] = expr_not(p, path[i]);
	assignment_copy(&j->parent, in);
}

/* Depth first, each path once. Checks that each answer takes the path that was asked for. */
static struct result explore(const struct program *g, const struct solve_options *o)
{
	struct result r = { 0 };
	struct job *jobs = NULL;
	size_t n = 0, cap = 0, from = 0;
	struct assignment input_values = { 0 };
	char *error;
	p = expr_pool_new();
	in = &input_values;
	struct solver *s = solve_open(p, o, &error);
	if (!s) {
		printf("Bail out! %s\n", error);
		exit(1);
	}
	for (;;) {
		length = 0, rejected = false;
		g->run(g->n);
		r.paths += !rejected;
		for (size_t i = from; i < length; i++)
			if (!assumed[i])
				push(&jobs, &n, &cap, i);
		enum answer a = ANSWER_UNSAT;
		while (n && a != ANSWER_SAT) {
			struct job j = jobs[--n];
			struct query q = { .cond = j.cond, .n = j.n, .parent = &j.parent };
			a = solve_ask(s, &q, in, NULL);
			from = j.n;
			r.unknown += a == ANSWER_UNKNOWN;
			free(j.cond);
			assignment_clear(&j.parent);
		}
		if (a != ANSWER_SAT)
			break;
	}
	r.counts = *solve_counts(s);
	if (o->seed)
		for (size_t i = 0;; i++) {
			const char *name;
			uint64_t k;
			if (!solve_layer(s, i, &name, &k))
				break;
			if (k)
				printf("#    %s %llu\n", name, (unsigned long long)k);
		}
	solve_close(s);
	if (o->seed)
		printf("#    nodes %zu\n", expr_count(p));
	expr_pool_free(p);
	assignment_clear(&input_values);
	free(jobs);
	return r;
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int measure(int argc, char **argv)
{
	struct solve_options o = { .seed = 1 };
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-l") && i + 1 < argc)
			o.layers = argv[++i];
		else if (!strcmp(argv[i], "-e") && i + 1 < argc)
			o.engines = argv[++i];
		else
			for (size_t k = 0; k < PROGRAMS; k++) {
				if (strncmp(program[k].name, argv[i], strlen(argv[i]))
				    && strcmp(argv[i], "all"))
					continue;
				double begin = now(), cpu = (double)clock() / CLOCKS_PER_SEC;
				struct result r = explore(&program[k], &o);
				double wall = now() - begin;
				cpu = (double)clock() / CLOCKS_PER_SEC - cpu;
				printf(
				    "%-16s %6zu paths %6llu asked %6llu engine %8.3f s %8.3f cpu %8.3f solve %8.3f child; %7.1f us/query\n",
				    program[k].name, r.paths, (unsigned long long)r.counts.asked,
				    (unsigned long long)r.counts.engine, wall, cpu,
				    r.counts.seconds, r.counts.child_seconds,
				    (cpu + r.counts.child_seconds) * 1e6 / (double)r.counts.asked);
			}
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return measure(argc, argv);
	for (size_t i = 0; i < PROGRAMS; i++) {
		struct result r = explore(&program[i], &(struct solve_options){ 0 });
		bool good = !r.unknown && !r.counts.bad_models
		    && (!program[i].paths || r.paths == program[i].paths);
		okf(good, "%s: %zu paths", program[i].name, r.paths);
	}
	return finish();
}
