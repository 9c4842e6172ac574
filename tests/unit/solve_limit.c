/* solve_limit: questions that take much longer than they may end in time, whatever works on them.
 */
#include "lib/base/clock.h"
#include "lib/engine/engine.h"
#include "lib/solve/solve.h"
#include "tests/unit/tap.h"

#include <stdlib.h>

#define SECONDS 0.1 /* that a question may take */
#define SLACK 0.15  /* more that it takes on a machine that does other things */
#define TRIES 4     /* of which the fastest counts */

static struct expr_pool *p;

static expr input(const char *name, unsigned w)
{
	return expr_input(p, expr_var(p, name, INPUT_UINT, w));
}

static expr num(unsigned w, uint64_t v)
{
	return expr_const(p, w, (struct value){ v, 0 });
}

static expr op2(enum op op, unsigned w, expr a, expr b)
{
	return expr_make(p, op, w, a, b, 0);
}

/* Asks for all conditions; the last one does not hold when all inputs are 0. */
static void test(const char *what, const expr *c, size_t n)
{
	struct solve_options o = { 0 };
	struct assignment parent = { 0 }, m = { 0 };
	double best = 1e9;
	bool wrong = false;

	for (int i = 0; i < TRIES && best > SECONDS + SLACK; i++) {
		char *error;
		struct solver *s = solve_open(p, &o, &error);
		double before = clock_now();
		struct query q = { .cond = c, .n = n, .parent = &parent, .seconds = SECONDS };
		enum answer a = solve_ask(s, &q, &m, NULL);
		double took = clock_now() - before;
		wrong |= a == ANSWER_SAT && expr_first_false(p, c, n, &m) != n;
		best = took < best ? took : best;
		solve_close(s);
	}
	okf(!wrong && best <= SECONDS + SLACK, "%s: in time", what);
	printf("# %.3f s\n", best);
	assignment_clear(&parent), assignment_clear(&m);
}

static expr wide(expr e)
{
	return expr_make(p, OP_ZEXT, 32, e, 0, 0);
}

enum { TERMS = 12 };

/* Quotients of 16-bit numbers, rounded down; Z3 takes longer than the limit that it is given to
 * make a circuit of them. How many conditions they are. */
static size_t quotients(expr *c)
{
	expr a = wide(input("m", 16)), b = wide(input("n", 16)), d = wide(input("o", 16));
	expr two = num(64, 0x4000000000000000);

	c[0] = op2(OP_ULT, 1, num(32, 2), b), c[1] = op2(OP_ULT, 1, b, d);
	for (unsigned k = 1; k <= TERMS; k++) {
		expr step =
		    op2(OP_UDIV, 32, d, op2(OP_ADD, 32, op2(OP_UREM, 32, a, b), num(32, k)));
		expr x = op2(OP_FDIV, 64, two,
		    expr_make(p, OP_UITOF, 64, op2(OP_ADD, 32, step, num(32, k)), 0, 0));
		expr y = op2(OP_FSUB, 64,
		    expr_make(p, OP_SITOF, 64, op2(OP_ADD, 32, a, num(32, k)), 0, 0), x);
		y = op2(OP_FDIV, 64, op2(OP_FMUL, 64, y, y),
		    expr_make(p, OP_SITOF, 64, op2(OP_ADD, 32, d, num(32, 1)), 0, 0));
		expr floor = expr_make(p, OP_FTOSI, 32, expr_make(p, OP_FFLOOR, 64, y, 0, 0), 0, 0);
		c[1 + k] = op2(OP_EQ, 1, op2(OP_UREM, 32, floor, num(32, 7)), num(32, k % 7));
	}
	return TERMS + 2;
}

static void floats(void)
{
	expr c[TERMS + 2];

	test("quotients of floating-point numbers", c, quotients(c));
}

/* Its process goes on with a question that took too long while the caller does something else. */
static void late(void)
{
	char *error = NULL;
	struct engine *z = engine_find("z3")->open(p, &error);
	expr c[TERMS + 2], easy = op2(OP_FEQ, 1, input("x", 64), num(64, 0x4004000000000000));
	size_t n = quotients(c);

	if (z) {
		okf(z->class->check(z, c, n, SECONDS) == ENGINE_UNKNOWN, "Z3 is too late");
		okf(z->class->check(z, &easy, 1, 10) == ENGINE_SAT, "Z3 answers the next question");
		z->class->close(z);
	}
	free(error);
}

/* A product of two primes of 31 bits, and of two other ones, both factors of each unknown. */
static void factors(void)
{
	expr c[6];
	static const char *const name[] = { "a", "b", "c", "d" };
	expr f[4];

	for (int i = 0; i < 4; i++) {
		f[i] = expr_make(p, OP_ZEXT, 64, input(name[i], 32), 0, 0);
		c[i] = op2(OP_ULT, 1, num(64, 1), f[i]);
	}
	c[4] = op2(OP_EQ, 1, op2(OP_MUL, 64, f[0], f[1]), num(64, 2147483647ull * 2147483629));
	c[5] =
	    op2(OP_EQ, 1, op2(OP_MUL, 64, op2(OP_ADD, 64, f[2], f[0]), op2(OP_MUL, 64, f[3], f[1])),
	        num(64, 2147483587ull * 2147483579));
	test("factors", c, 6);
}

/* Elements of a large table whose indices are elements of it. */
static void tables(void)
{
	enum { SIZE = 1 << 18 };
	uint8_t *bytes = malloc(SIZE);
	expr c[3], at[2];

	for (unsigned i = 0; i < SIZE; i++)
		bytes[i] = (uint8_t)((i + 12345u) * 2654435761u >> 11);
	expr table = expr_table(p, bytes, SIZE);
	for (int k = 0; k < 2; k++) {
		at[k] = input(k ? "k" : "i", 32);
		for (int i = 0; i < 3; i++) {
			expr wide = expr_make(p, OP_ZEXT, 64, at[k], 0, 0);
			expr sum =
			    op2(OP_ADD, 64, op2(OP_UREM, 64, wide, num(64, SIZE - 4)), num(64, 1));
			at[k] = op2(OP_READ, 32, table, sum);
		}
	}
	c[0] = op2(OP_ULT, 1, num(32, 5), at[0]);
	c[1] = op2(OP_EQ, 1, op2(OP_ADD, 32, at[0], at[1]), num(32, 0x12345678));
	c[2] = op2(OP_EQ, 1, op2(OP_MUL, 32, at[0], at[1]), num(32, 0x9abcdef1));
	test("elements of a large table", c, 3);
	free(bytes);
}

int main(void)
{
	p = expr_pool_new();
	floats();
	late();
	factors();
	tables();
	expr_pool_free(p);
	return finish();
}
