/* expr_numbers: a number that an integer decides, compared with a constant. */
#include <stdio.h>

#include "tests/unit/expr.h"
#include "tests/unit/tap.h"

static expr random_number(struct expr_pool *p, unsigned w)
{
	static const double some[] = { 0, -0.0, 1, -1, 0.5, 3, 10, 100, -1000, 65535, 1e-300,
		1e300 };
	union {
		double d;
		uint64_t i;
	} u = { some[below(12)] };
	if (below(2))
		u.d = (double)below(140000) / 8 - 9000;
	return w == 64 ? num(p, 64, u.i) : expr_make(p, OP_FCVT, w, num(p, 64, u.i), 0, 0);
}

/* The same steps for any start: drawn from a seed. */
static expr steps(struct expr_pool *p, expr from, uint64_t seed)
{
	static const enum op two[] = { OP_FADD, OP_FSUB, OP_FMUL, OP_FDIV };
	static const enum op one[] = { OP_FFLOOR, OP_FCEIL, OP_FTRUNC, OP_FRINT, OP_FROUND };
	draw_state = seed;
	unsigned w = below(2) ? 32 : 64;
	expr k, e = expr_make(p, below(2) ? OP_SITOF : OP_UITOF, w, from, 0, 0);
	for (unsigned n = below(4); n > 0; n--) {
		switch (below(8)) {
		case 0: e = expr_make(p, one[below(5)], w, e, 0, 0); break;
		case 1:
			e = expr_make(p, OP_FCVT, 96 - w, e, 0, 0);
			w = 96 - w;
			break;
		case 2: e = op2(p, OP_XOR, w, e, num(p, w, 1ull << (w - 1))); break;
		default:
			k = random_number(p, w);
			e = below(4) ? op2(p, two[below(4)], w, e, k)
			             : op2(p, two[below(3)], w, k, e);
		}
	}
	k = random_number(p, w);
	enum op compare = OP_FEQ + below(3);
	return below(2) ? op2(p, compare, 1, e, k) : op2(p, compare, 1, k, e);
}

static bool test_steps_of(struct expr_pool *p, uint64_t seed, unsigned *plain)
{
	struct assignment a = { 0 };
	expr x = in(p, "i", 16), cond = steps(p, x, seed);
	bool good = cond != 0;
	*plain += !op_is_float(expr_op(p, cond));
	for (unsigned v = 0; v < 65536 && good; v += 1 + below(40)) {
		expr direct = steps(p, num(p, 16, v), seed);
		assignment_set(&a, expr_var_find(p, "i"), (struct value){ v, 0 });
		good = expr_eval(p, cond, &a).lo == (direct == expr_bool(p, true))
		    && (direct == expr_bool(p, true) || direct == expr_bool(p, false));
		draw_state = seed + v;
	}
	if (!good)
		printf("# seed %llu\n", (unsigned long long)seed);
	assignment_clear(&a);
	return good;
}

static void test_steps(void)
{
	struct expr_pool *p = expr_pool_new();
	bool good = true;
	unsigned plain = 0;
	for (uint64_t seed = 1; seed <= 300 && good; seed++)
		good = test_steps_of(p, seed * 7919, &plain);
	ok(good, "comparisons of numbers that an integer decides, at all integers");
	ok(plain > 200, "most are comparisons of the integer");
	expr_pool_free(p);
}

int main(void)
{
	test_steps();
	return finish();
}
