/* solve_cuts: random conditions on places in a hash table and on elements of a constant table with
 * few different ones, answered with the layers cuts, repair and tables, against trying all inputs.
 */
#include "lib/solve/solve.h"
#include "tests/unit/tap.h"

#include <stdlib.h>
#include <string.h>

#define VARS 3
#define WIDTH 4 /* bits of an input: 4096 assignments */
#define PATHS 1200
#define MOST 8 /* conditions */

static struct expr_pool *p;
static uint32_t var[VARS];
static uint8_t table[1 << VARS * WIDTH];

static expr num(unsigned w, uint64_t v)
{
	return expr_const(p, w, (struct value){ v, 0 });
}

static expr op2(enum op op, expr a, expr b)
{
	bool is_condition = op >= OP_EQ && op <= OP_SLE;

	return expr_make(p, op, is_condition ? 1 : expr_width(p, a), a, b, 0);
}

static expr wide(unsigned w, expr e)
{
	return expr_make(p, OP_ZEXT, w, e, 0, 0);
}

/* A hash of some of the inputs; its lowest bits are a place. */
static expr place(void)
{
	expr h = num(32, 5381);
	unsigned from = below(VARS - 1), bits = 1 + below(4);

	for (unsigned i = from; i < VARS; i++)
		h = op2(OP_ADD, op2(OP_MUL, h, num(32, 33)), wide(32, expr_input(p, var[i])));
	return expr_make(p, OP_EXTRACT, bits, h, 0, below(4) ? 0 : below(6));
}

/* An element of the constant table, by one or more inputs; one of two bytes may lie over its end.
 */
static expr element(void)
{
	unsigned w = below(3) ? 8 : 16, first = below(VARS), last = first + below(VARS - first);
	expr at = expr_input(p, var[first]);

	for (unsigned i = first + 1; i <= last; i++)
		at = expr_make(
		    p, OP_CONCAT, expr_width(p, at) + WIDTH, at, expr_input(p, var[i]), 0);
	at = op2(OP_MUL, wide(64, at), num(64, 1u << WIDTH * (VARS - 1 - last + first)));
	if (!below(3))
		at = op2(OP_ADD, at, num(64, below(3)));
	return expr_make(p, OP_READ, w, expr_table(p, table, sizeof table - below(9)), at, 0);
}

/* A read at a symbolic index after writes at other symbolic indices. */
static expr slot(void)
{
	static const uint8_t zeros[32];
	expr a = expr_table(p, zeros, sizeof zeros);

	for (unsigned n = 1 + below(3); n-- > 0;)
		a = expr_make(p, OP_STORE, 0, a, wide(64, place()),
		    below(2) ? num(8, 1 + below(3)) : element());
	return expr_make(p, OP_READ, 8, a, below(2) ? wide(64, place()) : num(64, below(8)), 0);
}

static expr condition(void)
{
	static const enum op cmp[] = { OP_EQ, OP_EQ, OP_ULT, OP_SLT };
	enum op op = cmp[below(4)];
	expr a, b;

	switch (below(5)) {
	case 0:
		a = wide(8, place());
		b = below(2) ? wide(8, place()) : num(8, below(8));
		break;
	case 1:
		a = element();
		b = num(expr_width(p, a), table[below(sizeof table)] * (below(3) ? 1u : 257u));
		break;
	case 2:
		a = wide(32, element());
		b = op2(OP_ADD, wide(32, element()), num(32, below(40)));
		break;
	case 3:
		a = slot();
		b = num(8, below(4));
		break;
	default:
		a = expr_input(p, var[below(VARS)]);
		b = below(3) ? num(WIDTH, below(16)) : expr_input(p, var[below(VARS)]);
	}
	expr e = op2(op, a, b);
	return below(2) ? e : expr_not(p, e);
}

static void set(struct assignment *a, unsigned values)
{
	for (unsigned k = 0; k < VARS; k++)
		assignment_set(
		    a, var[k], (struct value){ values >> k * WIDTH & ((1 << WIDTH) - 1), 0 });
}

/* The prefix holds under the parent's values, the last condition does not. */
static size_t path(expr *c, const struct assignment *parent)
{
	size_t n = 1 + below(MOST);

	for (size_t i = 0; i < n; i++) {
		do
			c[i] = condition();
		while (expr_is_const(p, c[i], NULL));
		if (expr_eval(p, c[i], parent).lo != (i < n - 1))
			c[i] = expr_not(p, c[i]);
	}
	return n;
}

static bool brute(const expr *c, size_t n)
{
	struct assignment a = { 0 };
	unsigned i = 0;

	for (; i < 1u << VARS * WIDTH; i++) {
		set(&a, i);
		if (expr_first_false(p, c, n, &a) == n)
			break;
	}
	assignment_clear(&a);
	return i < 1u << VARS * WIDTH;
}

static void test(const char *layers, bool answers)
{
	struct solve_options o = { .layers = layers, .engines = "sat" };
	struct assignment parent = { 0 }, m = { 0 };
	int wrong = 0, sat = 0;
	char *error;
	struct solver *s = solve_open(p, &o, &error);

	for (int i = 0; i < PATHS; i++) {
		expr c[MOST];
		set(&parent, below(1 << VARS * WIDTH));
		size_t n = path(c, &parent);
		bool want = brute(c, n);
		enum answer got =
		    solve_ask(s, &(struct query){ .cond = c, .n = n, .parent = &parent }, &m, NULL);
		wrong += got != (want ? ANSWER_SAT : ANSWER_UNSAT);
		wrong += got == ANSWER_SAT && expr_first_false(p, c, n, &m) != n;
		sat += want;
	}
	const struct solve_counts *k = solve_counts(s);
	okf(!wrong && !k->bad_models, "%s: right, never unknown", layers);
	if (answers)
		okf(k->cached > PATHS / 4, "%s: many without an engine", layers);
	printf("# %d of %d satisfiable, %d wrong; %llu by an engine\n", sat, PATHS, wrong,
	    (unsigned long long)k->engine);
	assignment_clear(&parent), assignment_clear(&m);
	solve_close(s);
}

int main(void)
{
	static const uint8_t different[] = { 0, 3, 5, 250, 17 };

	p = expr_pool_new();
	for (unsigned i = 0; i < VARS; i++) {
		const char name[] = { 'c', (char)('0' + i), 0 };
		var[i] = expr_var(p, name, INPUT_UINT, WIDTH);
	}
	for (size_t i = 0; i < sizeof table; i++)
		table[i] = different[1 + (i * 2654435761u >> 20) % 4];
	test("cuts", true);
	test("simplify,slice,cuts,repair", true);
	test("repair", true);
	test("tables", false);
	expr_pool_free(p);
	return finish();
}
