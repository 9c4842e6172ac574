/* blast: circuits against the values of the expressions: every operation with all operands of up to
 * eight bits, drawn ones of up to 128; whole expressions; clauses; and AIGER as berkeley-abc reads
 * it. */
#include "lib/blast/blast.h"
#include "lib/blast/rup.h"
#include "lib/blast/inner.h"
#include "lib/expr/bits.h"
#include "tests/unit/tap.h"

#include <stdlib.h>
#include <string.h>

/* ---- evaluation of the graph: 64 assignments at a time */

struct sim {
	const struct aig *g;
	uint64_t *v;
	size_t cap;
};

static uint64_t lane(const struct sim *s, lit l)
{
	return s->v[l >> 1] ^ (l & 1 ? ~0ull : 0);
}

/* Inputs have their values already. */
static void simulate(struct sim *s)
{
	s->v = grow(s->v, &s->cap, aig_size(s->g), sizeof *s->v);
	aig_evaluate(s->g, s->v);
}

static u128 value_of(const struct sim *s, unsigned w, const lit *l, unsigned k)
{
	u128 r = 0;
	for (unsigned i = 0; i < w; i++)
		r |= (u128)(lane(s, l[i]) >> k & 1) << i;
	return r;
}

static void set_input(struct sim *s, unsigned w, const lit *l, unsigned k, u128 v)
{
	s->v = grow(s->v, &s->cap, aig_size(s->g), sizeof *s->v);
	for (unsigned i = 0; i < w; i++)
		s->v[l[i] >> 1] = (s->v[l[i] >> 1] & ~(1ull << k)) | (uint64_t)(v >> i & 1) << k;
}

/* ---- operations */

static const enum op two[] = { OP_ADD, OP_SUB, OP_MUL, OP_UDIV, OP_SDIV, OP_UREM, OP_SREM, OP_AND,
	OP_OR, OP_XOR, OP_SHL, OP_LSHR, OP_ASHR, OP_EQ, OP_ULT, OP_ULE, OP_SLT, OP_SLE, OP_CONCAT };
static const enum op one[] = { OP_NOT, OP_NEG, OP_ZEXT, OP_SEXT, OP_EXTRACT };
#define COUNT(a) (sizeof(a) / sizeof *(a))

static u128 boundary(unsigned w)
{
	u128 r = (u128)draw() << 64 | draw();
	switch (below(8)) {
	case 0: r = 0; break;
	case 1: r = bits_mask(w); break;
	case 2: r = bits_sign(w); break;
	case 3: r = bits_sign(w) - 1; break;
	case 4: r = 1; break;
	case 5: r = below(2 * w); break;
	case 6: r &= bits_mask(1 + below(w)); break;
	}
	return bits_cut(r, w);
}

/* Pairs of operands, 64 at a time, into a circuit with inputs, and into one with a constant. */
static size_t wrong_pairs(enum op op, unsigned w, const u128 *x, const u128 *y, unsigned n)
{
	bool cmp = op >= OP_EQ && op <= OP_SLE;
	unsigned wr = cmp ? 1 : op == OP_CONCAT ? 2 * w : w;
	struct aig *g = aig_new();
	struct sim s = { .g = g };
	lit a[128], b[128], k[128], out[128], fixed[128];
	size_t wrong = 0;
	blast_inputs(g, w, a), blast_inputs(g, w, b);
	for (unsigned i = 0; i < n; i++)
		set_input(&s, w, a, i, x[i]), set_input(&s, w, b, i, y[i]);
	blast_const(w, bits_value(y[0]), k);
	wrong += !blast_op(g, op, wr, w, w, a, b, NULL, 0, out)
	    || !blast_op(g, op, wr, w, w, a, k, NULL, 0, fixed);
	simulate(&s);
	for (unsigned i = 0; i < n; i++) {
		wrong += value_of(&s, wr, out, i) != bits_binary(op, wr, w, w, x[i], y[i]);
		wrong += value_of(&s, wr, fixed, i) != bits_binary(op, wr, w, w, x[i], y[0]);
	}
	free(s.v);
	aig_free(g);
	return wrong;
}

static size_t all_pairs(enum op op, unsigned w)
{
	u128 x[64], y[64];
	unsigned n = 0;
	size_t wrong = 0;
	for (unsigned b = 0; b < 1u << w; b++)
		for (unsigned a = 0; a < 1u << w; a++) {
			x[n] = a, y[n++] = b;
			if (n == 64 || (a + 1 == 1u << w && b + 1 == 1u << w))
				wrong += wrong_pairs(op, w, x, y, n), n = 0;
		}
	return wrong;
}

static size_t drawn_pairs(enum op op, unsigned w)
{
	u128 x[64], y[64];
	for (int i = 0; i < 64; i++)
		x[i] = boundary(w), y[i] = boundary(w);
	return wrong_pairs(op, w, x, y, 64);
}

static size_t wrong_single(enum op op, unsigned w, unsigned wr, unsigned low)
{
	struct aig *g = aig_new();
	struct sim s = { .g = g };
	lit a[128], out[128];
	u128 x[64];
	size_t wrong;
	blast_inputs(g, w, a);
	for (unsigned i = 0; i < 64; i++)
		set_input(&s, w, a, i, x[i] = w <= 6 ? bits_cut(i, w) : boundary(w));
	wrong = !blast_op(g, op, wr, w, 0, a, NULL, NULL, low, out);
	simulate(&s);
	for (unsigned i = 0; i < 64; i++)
		wrong += value_of(&s, wr, out, i) != bits_unary(op, wr, w, low, x[i]);
	free(s.v);
	aig_free(g);
	return wrong;
}

static void test_operations(void)
{
	char text[64];
	for (size_t k = 0; k < COUNT(two); k++) {
		size_t wrong = 0;
		for (unsigned w = 1; w <= 8; w++)
			wrong += all_pairs(two[k], w);
		for (int i = 0; i < 40; i++)
			wrong += drawn_pairs(
			    two[k], two[k] == OP_CONCAT ? 1 + below(64) : 1 + below(128));
		wrong += drawn_pairs(two[k], two[k] == OP_CONCAT ? 64 : 128);
		snprintf(text, sizeof text, "%s", op_name(two[k]));
		ok(!wrong, text);
	}
	for (size_t k = 0; k < COUNT(one); k++) {
		size_t wrong = 0;
		for (unsigned w = 1; w <= 128; w += w < 9 ? 1 : 7) {
			bool wider = one[k] == OP_ZEXT || one[k] == OP_SEXT;
			unsigned low = one[k] == OP_EXTRACT ? below(w) : 0;
			wrong += wrong_single(one[k], w, wider ? w + below(129 - w) : w - low, low);
		}
		snprintf(text, sizeof text, "%s", op_name(one[k]));
		ok(!wrong, text);
	}
}

/* ---- expressions */

#define VARS 4
static const unsigned widths[VARS] = { 8, 32, 5, 64 };

static expr draw_expr(struct expr_pool *p, unsigned w, int depth);

static expr resize(struct expr_pool *p, expr e, unsigned w)
{
	unsigned we = expr_width(p, e);
	if (we > w)
		return expr_make(p, OP_EXTRACT, w, e, 0, below(we - w + 1));
	return we == w ? e : expr_make(p, below(2) ? OP_ZEXT : OP_SEXT, w, e, 0, 0);
}

static expr draw_read(struct expr_pool *p, unsigned w, int depth)
{
	uint8_t byte[20];
	for (size_t i = 0; i < sizeof byte; i++)
		byte[i] = (uint8_t)draw();
	expr a = expr_table(p, byte, 1 + below(sizeof byte));
	for (unsigned n = below(3); n-- > 0;) {
		expr at =
		    resize(p, expr_make(p, OP_EXTRACT, 5, draw_expr(p, 8, depth + 1), 0, 0), 64);
		a = expr_make(p, OP_STORE, 0, a, at, draw_expr(p, 8u << below(2), depth + 1));
	}
	expr off = resize(p, expr_make(p, OP_EXTRACT, 5, draw_expr(p, 8, depth + 1), 0, 0), 64);
	return resize(p, expr_make(p, OP_READ, 8u << below(3), a, off, 0), w);
}

static expr draw_expr(struct expr_pool *p, unsigned w, int depth)
{
	enum op op = two[below(18)];
	unsigned wo = 1 + below(40);
	switch (depth > 3 ? below(3) : below(9)) {
	case 0: return expr_const(p, w, bits_value(boundary(w)));
	case 1:
	case 2: return resize(p, expr_input(p, below(VARS)), w);
	case 3: return expr_make(p, one[below(2)], w, draw_expr(p, w, depth + 1), 0, 0);
	case 4:
		return expr_make(p, OP_ITE, w, draw_expr(p, 1, depth + 1),
		    draw_expr(p, w, depth + 1), draw_expr(p, w, depth + 1));
	case 5:
		return resize(p,
		    expr_make(p, OP_CONCAT, wo + 9, draw_expr(p, wo, depth + 1),
		        draw_expr(p, 9, depth + 1), 0),
		    w);
	case 6:
		if (depth < 3)
			return draw_read(p, w, depth); /* fall through */
	default:
		if (op >= OP_EQ)
			return resize(p,
			    expr_make(p, op, 1, draw_expr(p, wo, depth + 1),
			        draw_expr(p, wo, depth + 1), 0),
			    w);
		return expr_make(
		    p, op, w, draw_expr(p, w, depth + 1), draw_expr(p, w, depth + 1), 0);
	}
}

static struct expr_pool *new_pool(void)
{
	struct expr_pool *p = expr_pool_new();
	for (unsigned i = 0; i < VARS; i++) {
		char name[8];
		snprintf(name, sizeof name, "v%u", i);
		expr_var(p, name, INPUT_UINT, widths[i]);
	}
	return p;
}

/* Drawn expressions under drawn inputs, all in one graph. */
static void test_expressions(int rounds)
{
	struct expr_pool *p = new_pool();
	struct aig *g = aig_new();
	struct blast *b = blast_new(p, g);
	struct sim s = { .g = g };
	struct assignment a[64];
	int wrong = 0, never = 0;
	memset(a, 0, sizeof a);
	for (unsigned v = 0; v < VARS; v++) {
		const lit *l = blast_expr(b, expr_input(p, v));
		for (unsigned k = 0; k < 64; k++) {
			u128 x = boundary(widths[v]);
			assignment_set(&a[k], v, bits_value(x));
			set_input(&s, widths[v], l, k, x);
		}
	}
	for (int i = 0; i < rounds; i++) {
		unsigned w = 1 + below(128);
		expr e = draw_expr(p, w, 0);
		const lit *l = blast_expr(b, e);
		never += !l;
		simulate(&s);
		for (unsigned k = 0; k < 64 && l; k++)
			wrong += value_of(&s, w, l, k) != bits_of(expr_eval(p, e, &a[k]));
	}
	ok(!wrong && !never, "expressions, arrays in them too");
	expr f = expr_make(p, OP_FREM, 32, expr_input(p, 1), expr_input(p, 1), 0);
	ok(!blast_expr(b, expr_make(p, OP_EQ, 1, f, expr_input(p, 1), 0)),
	    "a remainder of numbers is refused");
	static uint8_t large[5000];
	expr r = expr_make(p, OP_READ, 8, expr_table(p, large, sizeof large), expr_input(p, 3), 0);
	ok(!expr_is_const(p, r, NULL) && !blast_expr(b, r), "so is a large array");
	for (unsigned k = 0; k < 64; k++)
		assignment_clear(&a[k]);
	free(s.v);
	blast_free(b);
	aig_free(g);
	expr_pool_free(p);
}

/* ---- clauses */

static bool brute(struct expr_pool *p, expr e)
{
	struct assignment a = { 0 };
	bool found = false;
	for (unsigned i = 0; i < 1u << 13 && !found; i++) {
		assignment_set(&a, 0, (struct value){ i & 255, 0 });
		assignment_set(&a, 2, (struct value){ i >> 8, 0 });
		found = expr_eval(p, e, &a).lo;
	}
	assignment_clear(&a);
	return found;
}

static expr comparison(struct expr_pool *p)
{
	expr x = expr_input(p, 0), y = resize(p, expr_input(p, 2), 8);
	expr t = expr_make(p, two[below(13)], 8, below(2) ? x : y,
	    below(2) ? y : expr_const(p, 8, bits_value(boundary(8))), 0);
	expr c = expr_make(p, two[13 + below(5)], 1, t,
	    below(2) ? x : expr_const(p, 8, bits_value(boundary(8))), 0);
	return below(2) ? c : expr_not(p, c);
}

/* One solver, many questions under assumptions; the core of an unsat answer is unsat by itself. */
static void test_clauses(int rounds)
{
	struct expr_pool *p = new_pool();
	struct aig *g = aig_new();
	struct blast *b = blast_new(p, g);
	struct cnf *c = cnf_new(g);
	int wrong = 0, sat = 0, bad_cores = 0;
	blast_expr(b, expr_input(p, 0)), blast_expr(b, expr_input(p, 2));
	for (int i = 0; i < rounds; i++) {
		lit l[4];
		expr e[4], all = expr_bool(p, true), core = all;
		for (int k = 0; k < 4; k++) {
			e[k] = comparison(p);
			l[k] = *blast_expr(b, e[k]);
			all = expr_make(p, OP_AND, 1, all, e[k], 0);
			cnf_assume(c, l[k]);
		}
		enum cnf_answer r = cnf_solve(c, -1, 0);
		wrong += r != (brute(p, all) ? CNF_SAT : CNF_UNSAT);
		for (int k = 0; k < 4 && r == CNF_SAT; k++)
			wrong += !cnf_value(c, l[k]);
		sat += r == CNF_SAT;
		for (int k = 0; k < 4 && r == CNF_UNSAT; k++)
			if (cnf_failed(c, l[k]))
				core = expr_make(p, OP_AND, 1, core, e[k], 0);
		bad_cores += r == CNF_UNSAT && brute(p, core);
	}
	printf("# %d of %d satisfiable, %zu clauses\n", sat, rounds, cnf_clauses(c));
	ok(!wrong && sat && sat < rounds, "answers under assumptions");
	ok(!bad_cores, "failed assumptions are a core");
	cnf_assume(c, LIT_FALSE);
	ok(cnf_solve(c, -1, 0) == CNF_UNSAT, "false is not satisfiable");
	cnf_assume(c, LIT_TRUE);
	ok(cnf_solve(c, -1, 0) == CNF_SAT, "true is, afterwards");
	/* 61-bit factors of a product */
	lit x[61], y[61], z[122], q[122], k[122], zero[61];
	blast_const(61, (struct value){ 0, 0 }, zero);
	blast_inputs(g, 61, x), blast_inputs(g, 61, y);
	lit wx[122], wy[122];
	blast_op(g, OP_ZEXT, 122, 61, 0, x, NULL, NULL, 0, wx);
	blast_op(g, OP_ZEXT, 122, 61, 0, y, NULL, NULL, 0, wy);
	blast_op(g, OP_MUL, 122, 122, 122, wx, wy, NULL, 0, z);
	blast_const(122, bits_value((u128)2305843009213693951ull * 2305843009213693921ull), k);
	blast_op(g, OP_EQ, 1, 122, 122, z, k, NULL, 0, q);
	cnf_assume(c, q[0]);
	ok(cnf_solve(c, 20, 0) == CNF_UNKNOWN, "the limit on conflicts ends it");
	cnf_free(c);
	blast_free(b);
	aig_free(g);
	expr_pool_free(p);
}

/* ---- AIGER: what berkeley-abc makes of it */

/* Writes m, runs abc's commands on it, and returns what they said; the caller frees. */
static char *abc(const struct aig *g, const struct aiger *m, const char *commands)
{
	char *command, *out = calloc(1, 1 << 16);
	FILE *f = fopen("model.aig", "wb"), *pipe;
	const char *wrong = aiger_write(f, g, m);
	fclose(f);
	if (wrong)
		printf("# %s\n", wrong);
	if (!out || asprintf(&command, "echo; berkeley-abc -q '%s' 2>&1", commands) < 0)
		exit(1);
	pipe = popen(command, "r");
	size_t n = fread(out, 1, (1 << 16) - 1, pipe);
	out[n] = 0;
	pclose(pipe);
	free(command);
	return out;
}

static void expect(char *said, const char *what, const char *text)
{
	ok(strstr(said, what) != NULL, text);
	if (!strstr(said, what))
		printf("# %s\n", said);
	free(said);
}

/* A counter of 8 bits, from 0 or anywhere, by steps of 2 while an input says so. */
static void test_counter(void)
{
	struct aig *g = aig_new();
	lit at[8], next[8], step[8], go, five[8], odd, is5;
	struct aiger_latch latch[8];
	go = aig_input(g);
	blast_inputs(g, 8, at);
	blast_const(8, (struct value){ 2, 0 }, step);
	blast_const(8, (struct value){ 5, 0 }, five);
	blast_op(g, OP_ADD, 8, 8, 8, at, step, NULL, 0, next);
	blast_op(g, OP_EQ, 1, 8, 8, at, five, NULL, 0, &is5);
	odd = at[0];
	for (int i = 0; i < 8; i++)
		latch[i] =
		    (struct aiger_latch){ at[i], aig_mux(g, go, next[i], at[i]), AIGER_ZERO };
	lit bad[] = { is5 };
	struct aiger m = {
		.input = &go, .inputs = 1, .latch = latch, .latches = 8, .bad = bad, .bads = 1
	};
	expect(abc(g, &m, "read_aiger model.aig; pdr"), "Property proved",
	    "abc proves that an even counter is never 5");
	latch[0].reset = AIGER_ONE;
	expect(abc(g, &m, "read_aiger model.aig; pdr"), "was asserted in frame 2",
	    "from 1 it is after two steps");
	lit never = lit_not(odd);
	m.constraint = &never, m.constraints = 1;
	latch[0].reset = AIGER_FREE;
	expect(abc(g, &m, "read_aiger model.aig; fold; pdr"), "Property proved",
	    "from anywhere, but only even, it is not");
	FILE *f = fopen("bad.aig", "wb");
	m.inputs = 0;
	ok(aiger_write(f, g, &m) != NULL, "a leaf that is neither input nor latch is refused");
	fclose(f);
	aig_free(g);
}

/* x / y * y + x % y == x for all x and y of five bits, and the same with an error. */
static void test_miter(void)
{
	for (int error = 0; error < 2; error++) {
		struct aig *g = aig_new();
		lit in[10], q[5], r[5], t[5], u[5], same;
		blast_inputs(g, 10, in);
		blast_op(g, OP_UDIV, 5, 5, 5, in, in + 5, NULL, 0, q);
		blast_op(g, error ? OP_SREM : OP_UREM, 5, 5, 5, in, in + 5, NULL, 0, r);
		blast_op(g, OP_MUL, 5, 5, 5, q, in + 5, NULL, 0, t);
		blast_op(g, OP_ADD, 5, 5, 5, t, r, NULL, 0, u);
		blast_op(g, OP_EQ, 1, 5, 5, u, in, NULL, 0, &same);
		lit out = lit_not(same);
		struct aiger m = { .input = in, .inputs = 10, .output = &out, .outputs = 1 };
		expect(abc(g, &m, "read_aiger model.aig; sat"),
		    error ? "\nSATISFIABLE" : "UNSATISFIABLE",
		    error ? "abc finds operands that a wrong remainder fails for"
		          : "abc proves division");
		aig_free(g);
	}
}

static void test_rup(void)
{
	const int either[] = { 1, 2 }, not_first[] = { -1 }, first[] = { 1 }, not_second[] = { -2 },
	          second[] = { 2 };
	struct rup *r = rup_new(1000);
	rup_given(r, either, 2);
	rup_learned(r, not_first, 1), rup_learned(r, first, 1), rup_learned(r, NULL, 0);
	ok(!rup_refuted(r), "what does not follow is not taken over");
	rup_given(r, not_second, 1);
	rup_learned(r, first, 1);
	rup_given(r, not_first, 1);
	ok(rup_refuted(r), "what follows is");
	rup_free(r);
	r = rup_new(0);
	rup_given(r, either, 2), rup_given(r, not_first, 1), rup_given(r, second, 1),
	    rup_given(r, not_second, 1);
	ok(!rup_refuted(r), "without steps nothing is refuted");
	rup_free(r);
}

/* n + 1 pigeons in n holes: a proof of many steps, and with n pigeons a solution. */
static void test_certificate(int pigeons, int holes)
{
	struct aig *g = aig_new();
	struct cnf *c = cnf_new(g);
	lit in[10][10];
	char text[80];
	cnf_certify(c);
	for (int p = 0; p < pigeons; p++) {
		lit somewhere = LIT_FALSE;
		for (int h = 0; h < holes; h++)
			somewhere = aig_or(g, somewhere, in[p][h] = aig_input(g));
		cnf_assert(c, somewhere);
	}
	for (int h = 0; h < holes; h++)
		for (int p = 0; p < pigeons; p++)
			for (int q = 0; q < p; q++)
				cnf_assert(c, lit_not(aig_and(g, in[p][h], in[q][h])));
	enum cnf_answer a = cnf_solve(c, -1, 0);
	snprintf(text, sizeof text, "%d pigeons in %d holes: %s", pigeons, holes,
	    pigeons > holes ? "a checked proof" : "none");
	ok(pigeons > holes ? a == CNF_UNSAT && cnf_certified(c) : a == CNF_SAT && !cnf_certified(c),
	    text);
	cnf_free(c);
	aig_free(g);
}

int main(void)
{
	test_rup();
	test_certificate(7, 6);
	test_certificate(6, 6);
	test_operations();
	test_expressions(300);
	test_clauses(400);
	test_counter();
	test_miter();
	return finish();
}
