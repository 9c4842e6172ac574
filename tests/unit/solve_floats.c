/* solve_floats: random conjunctions of floating-point conditions that a known assignment satisfies
 * are never said to have no answer; what ranges alone refute has no model in Z3 either; and the
 * search finds what it is for. */
#include "lib/expr/bits.h"
#include "lib/protocol/float.h"
#include "lib/solve/solve.h"
#include "tests/unit/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const unsigned format[] = { 32, 64, 80 };
static struct expr_pool *p;

static expr input(const char *name, unsigned w)
{
	return expr_input(p, expr_var(p, name, w == 16 ? INPUT_INT : INPUT_FLOAT, w));
}

static u128 number(unsigned w)
{
	static const double some[] = { 0, -0.0, 1, -1, 0.5, 3, 10, -100, 1e10, 1e-10, 1e300, -1e300,
		0x1p-1070 };
	union {
		double d;
		uint64_t i;
	} u = { some[below(13)] };
	if (below(8) == 0)
		u.d = below(2) ? 1 / some[below(2)] : some[0] / some[0];
	else if (below(3) == 0)
		u.d = (double)below(2000) / 8 - 100;
	return w == 64 ? u.i : duct_float_eval(OP_FCVT, w, 64, u.i, 0);
}

static expr term(unsigned w, int depth)
{
	static const enum op two[] = { OP_FADD, OP_FSUB, OP_FMUL, OP_FDIV, OP_FREM };
	static const enum op one[] = { OP_FSQRT, OP_FFLOOR, OP_FCEIL, OP_FTRUNC, OP_FRINT,
		OP_FROUND };
	static const char *const name[2][3] = { { "a", "b", "c" }, { "x", "y", "z" } };
	unsigned which = w == 32 ? 0 : w == 64 ? 1 : 2, from = format[(which + 1 + below(2)) % 3];
	expr e;
	switch (depth > 2 ? below(3) : below(9)) {
	case 0: return expr_const(p, w, bits_value(number(w)));
	case 1:
	case 2: return input(name[below(2)][which], w);
	case 3: return expr_make(p, OP_SITOF, w, input(below(2) ? "i" : "j", 16), 0, 0);
	case 4: return expr_make(p, one[below(6)], w, term(w, depth + 1), 0, 0);
	case 5: return expr_make(p, OP_FCVT, w, term(from, depth + 1), 0, 0);
	case 6:
		e = expr_make(p, OP_EXTRACT, w - 1, term(w, depth + 1), 0, 0);
		return expr_make(p, OP_ZEXT, w, e, 0, 0);
	default: return expr_make(p, two[below(5)], w, term(w, depth + 1), term(w, depth + 1), 0);
	}
}

static expr condition(void)
{
	static const enum op cmp[] = { OP_FEQ, OP_FLT, OP_FLT, OP_FLE };
	unsigned w = format[below(5) % 3];
	expr e, n;
	switch (below(8)) {
	case 0: /* a number, or none? */
		n = expr_make(p, OP_EXTRACT, w - 1, term(w, 1), 0, 0);
		e = expr_make(p, OP_ULT, 1, n,
		    expr_const(p, w - 1,
		        bits_value((u128)(w == 32 ? 0x7f800001 : 0x7ff0000000000001)
		            << (w == 80 ? 4 : 0))),
		    0);
		break;
	case 1:
		n = expr_make(p, OP_FTOSI, 32, term(w, 1), 0, 0);
		e = expr_make(p, below(2) ? OP_EQ : OP_SLT, 1, n,
		    expr_const(p, 32, (struct value){ below(200), 0 }), 0);
		break;
	default: e = expr_make(p, cmp[below(4)], 1, term(w, 0), term(w, below(3)), 0);
	}
	return e;
}

static struct solver *layers(const char *list, const char *engines, double timeout)
{
	char *error = NULL;
	struct solve_options o = { .layers = list, .engines = engines, .timeout = timeout };
	struct solver *s = solve_open(p, &o, &error);
	if (!s)
		printf("# %s\n", error);
	return s;
}

static enum answer ask(struct solver *s, const expr *cond, size_t n, struct assignment *model)
{
	struct query q = { .cond = cond, .n = n, .parent = NULL };
	return solve_ask(s, &q, model, NULL);
}

static void assign(struct assignment *a)
{
	for (uint32_t v = 0; v < expr_var_count(p); v++) {
		unsigned w = expr_var_width(p, v);
		assignment_set(a, v, bits_value(w == 16 ? below(65536) : number(w)));
	}
}

/* The parent's values are zeros: what is found is found from there. */
static void test_known(void)
{
	struct assignment a = { 0 }, model = { 0 };
	struct solver *s = layers("simplify,intervals,numbers", "boolector", 1);
	bool good = s != NULL;
	unsigned found = 0;
	for (int i = 0; i < 1500 && good; i++) {
		expr cond[5];
		size_t n = 1 + below(5);
		for (size_t k = 0; k < n; k++)
			cond[k] = condition();
		assign(&a);
		for (size_t k = 0; k < n; k++)
			if (!expr_eval(p, cond[k], &a).lo)
				cond[k] = expr_not(p, cond[k]);
		enum answer r = ask(s, cond, n, &model);
		good = r != ANSWER_UNSAT;
		found += r == ANSWER_SAT;
		for (size_t k = 0; k < n && !good; k++) {
			char *text = expr_text(p, cond[k]);
			printf("# %s\n", text);
			free(text);
		}
	}
	ok(good, "what has an answer is never said to have none");
	printf("# %u of 1500 found\n", found);
	ok(found > 1000, "most answers are found by searching");
	assignment_clear(&a), assignment_clear(&model);
	solve_close(s);
}

static void test_refuted(void)
{
	struct assignment model = { 0 };
	struct solver *s = layers("simplify,intervals", "boolector", 1),
	              *z = layers("none", "z3", 0.3);
	unsigned refuted = 0, agreed = 0;
	bool good = s && z;
	for (int i = 0; i < 400 && good && refuted < 40; i++) {
		expr cond[4];
		for (size_t k = 0; k < 4; k++)
			cond[k] = below(2) ? condition() : expr_not(p, condition());
		if (ask(s, cond, 4, &model) != ANSWER_UNSAT)
			continue;
		enum answer r = ask(z, cond, 4, &model);
		refuted++;
		agreed += r == ANSWER_UNSAT;
		good = r != ANSWER_SAT;
	}
	printf("# %u refuted, Z3 agreed on %u\n", refuted, agreed);
	ok(good && refuted > 10, "what ranges refute has no model");
	assignment_clear(&model);
	solve_close(s), solve_close(z);
}

int main(void)
{
	p = expr_pool_new();
	for (size_t i = 0; i < 3; i++)
		term(format[i], 0);
	test_known();
	test_refuted();
	expr_pool_free(p);
	return finish();
}
