/* blast_float: circuits of floating-point operations against their values (lib/protocol/float.h),
 * on awkward patterns, with inputs and with constants; and questions about numbers that are asked
 * as clauses. */
#include "lib/blast/blast.h"
#include "lib/expr/bits.h"
#include "lib/protocol/float.h"
#include "tests/unit/tap.h"

#include <stdlib.h>
#include <string.h>

#define LANES 64

/* A pattern of w bits: any, or one with an awkward exponent or fraction. */
static uint64_t pattern(unsigned w)
{
	unsigned f = w == 32 ? 23 : 52, e = w - 1 - f;
	uint64_t most = (UINT64_C(1) << e) - 1, bias = most / 2, x = draw() & most,
	         all = (UINT64_C(1) << f) - 1, fraction = draw() & all;
	switch (draw() % 8) {
	case 0: x = 0; break;
	case 1: x = most - draw() % 2; break;
	case 2: x = bias + draw() % (f + 4); break;
	case 3: x = bias - 2 + draw() % 5; break;
	case 4: x = bias + 30 + draw() % 36; break;
	case 5: x = draw() % (f + 3); break;
	default: break;
	}
	switch (draw() % 7) {
	case 0: fraction = 0; break;
	case 1: fraction = 1; break;
	case 2: fraction = all; break;
	case 3: fraction &= all << draw() % f; break;
	case 4: fraction >>= draw() % f; break;
	default: break;
	}
	return (draw() & 1) << (w - 1) | x << f | fraction;
}

/* Numbers near the first: they cancel out, or are the same. */
static uint64_t near(unsigned w, uint64_t a)
{
	uint64_t b = draw() % 3 ? a ^ (draw() & draw() & draw() & 0xff) : a + draw() % 5 - 2;
	return (draw() % 2 ? b : b ^ UINT64_C(1) << (w - 1)) & (uint64_t)bits_mask(w);
}

static uint64_t integer(unsigned w)
{
	uint64_t v = draw() >> draw() % 64;
	return (draw() % 2 ? v : -v) & (uint64_t)bits_mask(w);
}

static u128 value_of(const uint64_t *word, unsigned w, const lit *l, unsigned k)
{
	u128 r = 0;
	for (unsigned i = 0; i < w; i++)
		r |= (u128)((word[l[i] >> 1] ^ (l[i] & 1 ? ~UINT64_C(0) : 0)) >> k & 1) << i;
	return r;
}

static void set(uint64_t *word, unsigned w, const lit *l, unsigned k, uint64_t v)
{
	for (unsigned i = 0; i < w; i++)
		word[l[i] >> 1] |= (v >> i & 1) << k;
}

struct shape {
	enum op op;
	unsigned w, wa;
};

/* Of 64 pairs of operands; b[0] also as a constant. */
static unsigned wrong(const struct shape *s, const uint64_t *x, const uint64_t *y)
{
	struct aig *g = aig_new();
	lit a[64], b[64], k[64], out[64], fixed[64];
	bool two = op_arity(s->op) == 2;
	unsigned n = 0;
	uint64_t *word;
	blast_inputs(g, s->wa, a), blast_inputs(g, s->wa, b);
	blast_const(s->wa, bits_value(y[0]), k);
	if (!blast_op(g, s->op, s->w, s->wa, two ? s->wa : 0, a, two ? b : NULL, NULL, 0, out)
	    || !blast_op(
	        g, s->op, s->w, s->wa, two ? s->wa : 0, a, two ? k : NULL, NULL, 0, fixed)) {
		aig_free(g);
		return LANES;
	}
	word = calloc(aig_size(g), sizeof *word);
	for (unsigned i = 0; i < LANES; i++)
		set(word, s->wa, a, i, x[i]), set(word, s->wa, b, i, y[i]);
	aig_evaluate(g, word);
	for (unsigned i = 0; i < LANES; i++) {
		u128 want = duct_float_eval(s->op, s->w, s->wa, x[i], two ? y[i] : 0),
		     other = duct_float_eval(s->op, s->w, s->wa, x[i], two ? y[0] : 0),
		     have = value_of(word, s->w, out, i);
		if (have != want && !n)
			printf("# %s %u %u: %llx %llx: %llx, not %llx\n", op_name(s->op), s->w,
			    s->wa, (long long)x[i], (long long)y[i], (long long)want,
			    (long long)have);
		n += have != want;
		n += value_of(word, s->w, fixed, i) != other;
	}
	free(word);
	aig_free(g);
	return n;
}

static void test_op(enum op op, unsigned w, unsigned wa, int rounds)
{
	const struct shape s = { op, w, wa };
	bool whole = op == OP_SITOF || op == OP_UITOF;
	unsigned n = 0;
	char text[64];
	for (int r = 0; r < rounds; r++) {
		uint64_t x[LANES], y[LANES];
		for (unsigned i = 0; i < LANES; i++) {
			x[i] = whole ? integer(wa) : pattern(wa);
			y[i] = whole || i % 3
			    ? pattern(wa == 32 ? 32 : 64) & (uint64_t)bits_mask(wa)
			    : near(wa, x[i]);
		}
		n += wrong(&s, x, y);
	}
	snprintf(text, sizeof text, "%s, %u bits of %u", op_name(op), w, wa);
	ok(!n, text);
}

static expr number(struct expr_pool *p, double v)
{
	uint64_t bits;
	memcpy(&bits, &v, sizeof bits);
	return expr_const(p, 64, bits_value(bits));
}

/* Is there an x with 0 <= x <= most and x + 1 > 11? */
static enum cnf_answer solve(double most)
{
	struct expr_pool *p = expr_pool_new();
	struct aig *g = aig_new();
	struct blast *b = blast_new(p, g);
	struct cnf *c = cnf_new(g);
	expr x = expr_input(p, expr_var(p, "x", INPUT_UINT, 64)),
	     sum = expr_make(p, OP_FADD, 64, x, number(p, 1), 0);
	enum cnf_answer r;
	cnf_assert(c, *blast_expr(b, expr_make(p, OP_FLE, 1, number(p, 0), x, 0)));
	cnf_assert(c, *blast_expr(b, expr_make(p, OP_FLE, 1, x, number(p, most), 0)));
	cnf_assert(c, *blast_expr(b, expr_make(p, OP_FLT, 1, number(p, 11), sum, 0)));
	r = cnf_solve(c, -1, 0);
	cnf_free(c);
	blast_free(b);
	aig_free(g);
	expr_pool_free(p);
	return r;
}

int main(void)
{
	static const enum op same[] = { OP_FADD, OP_FSUB, OP_FMUL, OP_FDIV, OP_FSQRT, OP_FFLOOR,
		OP_FCEIL, OP_FTRUNC, OP_FRINT, OP_FROUND };
	static const enum op tests[] = { OP_FEQ, OP_FLT, OP_FLE };
	static const unsigned width[] = { 32, 64 }, whole[] = { 8, 16, 32, 64, 1, 33 };
	struct aig *g = aig_new();
	lit l[128];
	for (size_t k = 0; k < 2; k++) {
		unsigned w = width[k];
		for (size_t i = 0; i < sizeof same / sizeof *same; i++)
			test_op(same[i], w, w, 150);
		for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
			test_op(tests[i], 1, w, 150);
		test_op(OP_FCVT, w, 96 - w, 150);
		for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
			test_op(OP_SITOF, w, whole[i], 60);
			test_op(OP_UITOF, w, whole[i], 60);
			if (whole[i] > 1) {
				test_op(OP_FTOSI, whole[i], w, 60);
				test_op(OP_FTOUI, whole[i], w, 60);
			}
		}
	}
	blast_inputs(g, 80, l);
	ok(!blast_op(g, OP_FADD, 80, 80, 80, l, l, NULL, 0, l)
	        && !blast_op(g, OP_FREM, 64, 64, 64, l, l, NULL, 0, l),
	    "80 bits and remainders are refused");
	aig_free(g);
	ok(solve(10) == CNF_UNSAT, "no number up to 10, and one, is more than 11");
	ok(solve(10.5) == CNF_SAT, "one up to 10.5 is");
	return finish();
}
