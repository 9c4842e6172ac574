/* solve_numerals: random conditions on the numbers that are written in two short texts, and on
 * characters of these: layers numerals and known find what asking for the characters finds. Then
 * ten long texts, which no engine decides as characters in that time. */
#include "lib/base/clock.h"
#include "lib/expr/bits.h"
#include "lib/solve/solve.h"
#include "tests/unit/tap.h"

#include <stdlib.h>
#include <string.h>

#define TEXTS 10
#define LONG 16
#define FACTS 8 /* characters */

static struct expr_pool *p;
static struct assignment parent;

static expr num(unsigned w, int64_t v)
{
	return expr_const(p, w, bits_value(bits_cut((u128)v, w)));
}
static expr op2(enum op op, expr a, expr b)
{
	bool is_condition = op >= OP_EQ && op <= OP_SLE;

	return expr_make(p, op, is_condition ? 1 : expr_width(p, a), a, b, 0);
}
static expr character(int text, int i)
{
	char name[32];

	snprintf(name, sizeof name, "arg%d[%d]", text, i);
	return expr_input(p, expr_var(p, name, INPUT_CHAR, 8));
}

static expr is_digit(expr c)
{
	return op2(OP_ULT, op2(OP_SUB, c, num(8, '0')), num(8, 10));
}

/* The value of the digits from a place on, up to the first character that is none. */
static expr digits(int text, int from, int to)
{
	expr value = num(32, 0), goes_on = expr_bool(p, true);

	for (int i = from; i < to; i++) {
		expr c = character(text, i), digit = op2(OP_SUB, c, num(8, '0'));
		expr next = op2(OP_ADD, op2(OP_MUL, value, num(32, 10)),
		    expr_make(p, OP_ZEXT, 32, digit, 0, 0));

		goes_on = op2(OP_AND, goes_on, is_digit(c));
		value = expr_make(p, OP_ITE, 32, goes_on, next, value);
	}
	return value;
}

/* atoi without leading blanks. */
static expr number(int text, int to)
{
	return expr_make(p, OP_ITE, 32, op2(OP_EQ, character(text, 0), num(8, '-')),
	    op2(OP_SUB, num(32, 0), digits(text, 1, to)), digits(text, 0, to));
}

static expr random_condition(int chars)
{
	int t = (int)below(2);
	expr a = number(t, chars), b = number(1 - t, chars);

	switch (below(8)) {
	case 0: return op2(OP_SLT, a, b);
	case 1: return op2(OP_EQ, op2(OP_ADD, a, b), num(32, (int)below(2200) - 1100));
	case 2: return op2(OP_EQ, op2(OP_SREM, a, num(32, 7)), num(32, (int)below(9) - 1));
	case 3: return op2(OP_SLT, num(32, (int)below(3000) - 1500), a);
	case 4:
		return op2(
		    OP_EQ, character(t, (int)below((uint64_t)chars)), num(8, "0159-x"[below(7)]));
	case 5: return op2(OP_EQ, character(0, 0), character(1, (int)below((uint64_t)chars)));
	default: return op2(OP_EQ, op2(OP_MUL, a, num(32, 3)), b);
	}
}

static struct solver *open_solver(const char *layers)
{
	char *error;
	struct solver *s = solve_open(p, &(struct solve_options){ .layers = layers }, &error);

	if (!s) {
		printf("Bail out! %s\n", error);
		exit(1);
	}
	return s;
}

static uint64_t answered(const struct solver *s, const char *layer)
{
	const char *name;
	uint64_t n;

	for (size_t i = 0; solve_layer(s, i, &name, &n); i++)
		if (strcmp(name, layer) == 0)
			return n;
	return 0;
}

/* Conditions of which the parent's values satisfy all but the last. */
static size_t random_path(expr *cond, int chars)
{
	size_t n = 1 + below(4);

	for (size_t i = 0; i < n; i++) {
		cond[i] = random_condition(chars);
		if (i + 1 < n && !expr_eval(p, cond[i], &parent).lo)
			cond[i] = expr_not(p, cond[i]);
	}
	return n;
}

static void set_parent(int texts, int chars)
{
	for (int t = 0; t < texts; t++)
		for (int i = 0; i < chars; i++)
			assignment_set(&parent, expr_input_var(p, character(t, i)),
			    (struct value){ (uint8_t)"-0123456789, x"[below(15)], 0 });
}

/* Which characters of a longer text are digits is known, then its number. */
static size_t random_facts(expr *cond)
{
	size_t n = 1 + below(3);

	set_parent(1, FACTS);
	for (size_t i = 0; i < n; i++) {
		cond[i] = is_digit(character(0, (int)below(3)));
		if (!expr_eval(p, cond[i], &parent).lo)
			cond[i] = expr_not(p, cond[i]);
	}
	cond[n] = op2(OP_EQ, number(0, FACTS), num(32, (int)below(20)));
	return n + 1;
}

static void test_short(const char *layers, int queries)
{
	struct solver *with = open_solver(layers), *without = open_solver("none");
	int differ = 0, unknown = 0;

	for (int i = 0; i < queries; i++) {
		int chars = 2 + (int)below(3);
		struct assignment model = { 0 };
		expr cond[4];
		size_t n;

		set_parent(2, chars);
		n = i % 2 ? random_path(cond, chars) : random_facts(cond);
		struct query q = { .cond = cond, .n = n, .parent = &parent };
		enum answer a = solve_ask(with, &q, &model, NULL);
		enum answer b = solve_ask(without, &q, &model, NULL);
		differ += a != b;
		unknown += a == ANSWER_UNKNOWN;
		assignment_clear(&model);
	}
	okf(!differ && !unknown, "short texts, %s: right, never unknown (%d differ, %d unknown)",
	    layers, differ, unknown);
	ok(!solve_counts(with)->bad_models && !solve_counts(with)->disagreed,
	    "short texts: each solution satisfies the conditions");
	if (strstr(layers, "numerals"))
		okf(answered(with, "numerals") > (uint64_t)queries / 4,
		    "short texts: many are solved as numbers (%d of %d)",
		    (int)answered(with, "numerals"), queries);
	solve_close(with), solve_close(without);
}

/* n numbers, each above the one before; the last below the first: not possible. */
static void test_long(void)
{
	struct solver *s = open_solver(NULL);
	struct assignment model = { 0 };
	expr cond[TEXTS + 1];
	double began = clock_now();

	set_parent(TEXTS, LONG);
	for (int t = 0; t + 1 < TEXTS; t++)
		cond[t] = op2(OP_SLT, number(t, LONG), number(t + 1, LONG));
	cond[TEXTS - 1] = op2(OP_EQ, op2(OP_SREM, number(4, LONG), num(32, 1000)), num(32, 777));
	struct query q = { .cond = cond, .n = TEXTS };
	ok(solve_ask(s, &q, &model, NULL) == ANSWER_SAT, "ten long texts: a solution");
	cond[TEXTS] = op2(OP_SLT, number(TEXTS - 1, LONG), number(0, LONG));
	q.n = TEXTS + 1;
	ok(solve_ask(s, &q, &model, NULL) == ANSWER_UNSAT, "ten long texts: no solution");
	printf("# %.2f s\n", clock_now() - began);
	assignment_clear(&model);
	solve_close(s);
}

int main(void)
{
	p = expr_pool_new();
	test_short("numerals", 150);
	test_short("known", 150);
	test_short("known,numerals,order,split", 150);
	test_long();
	assignment_clear(&parent);
	expr_pool_free(p);
	return finish();
}
