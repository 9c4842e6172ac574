/* expr: simplified expressions against plain evaluation of the same operations. Random
 * DAGs are built twice: in the pool, and as a list of operations that is evaluated node by node. */
#include "lib/expr/batch.h"
#include "lib/expr/bits.h"
#include "lib/expr/expr.h"
#include "tests/unit/expr.h"
#include "tests/unit/tap.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct plain {
	enum op op;
	unsigned width;
	unsigned a, b, c;
	u128 value;
	expr e;
};
#define MOST 60
static struct plain node[MOST];
static unsigned nodes;
static uint8_t table[16];

/* Values near the corners are likelier than others. */
static u128 interesting(unsigned w)
{
	u128 r = (u128)draw() << 64 | draw();
	switch (below(8)) {
	case 0: r = 0; break;
	case 1: r = bits_mask(w); break;
	case 2: r = bits_sign(w); break;
	case 3: r = bits_sign(w) - 1; break;
	case 4: r = (u128)1 << below(w); break;
	case 5: r = below(10); break;
	case 6: r = bits_cut(r, 1 + below(w)); break;
	default: break;
	}
	return bits_cut(r, w);
}

static bool tiny; /* small widths, all assignments */

static unsigned pick_width(void)
{
	static const unsigned t[] = { 1, 3, 4, 6, 8 };
	if (tiny)
		return t[below(5)];
	static const unsigned w[] = { 1, 8, 8, 16, 32, 32, 64, 128, 5, 33 };
	return w[below(sizeof w / sizeof *w)];
}

/* A node of width w among the first n, or any when w is 0; 0: none. */
static unsigned pick(unsigned w)
{
	for (int i = 0; i < 40; i++) {
		unsigned k = 1 + below(nodes - 1);
		if (k < nodes && node[k].width && (!w || node[k].width == w))
			return k;
	}
	return 0;
}

static u128 plain_read(const struct plain *n, u128 off)
{
	uint8_t bytes[16];
	unsigned chain[MOST], len = 0, k = n->a;
	memcpy(bytes, table, sizeof bytes);
	for (; node[k].op == OP_STORE; k = node[k].a)
		chain[len++] = k;
	while (len--) {
		const struct plain *s = &node[chain[len]];
		for (unsigned i = 0; i < node[s->c].width / 8; i++) {
			uint64_t at = (uint64_t)node[s->b].value + i;
			if (at < sizeof bytes)
				bytes[at] = (uint8_t)(node[s->c].value >> (8 * i));
		}
	}
	u128 r = 0;
	for (unsigned i = 0; i < n->width / 8; i++)
		if ((uint64_t)off + i < sizeof bytes)
			r |= (u128)bytes[(uint64_t)off + i] << (8 * i);
	return r;
}

static u128 plain_value(const struct plain *n, const struct assignment *a)
{
	const struct plain *x = &node[n->a], *y = &node[n->b];
	switch (n->op) {
	case OP_INPUT: return bits_cut(bits_of(assignment_get(a, n->a)), n->width);
	case OP_CONST: return n->value;
	case OP_TABLE:
	case OP_STORE: return 0;
	case OP_READ: return plain_read(n, y->value);
	case OP_ITE: return x->value ? y->value : node[n->c].value;
	case OP_NOT:
	case OP_NEG:
	case OP_ZEXT:
	case OP_SEXT:
	case OP_EXTRACT: return bits_unary(n->op, n->width, x->width, n->c, x->value);
	default: return bits_binary(n->op, n->width, x->width, y->width, x->value, y->value);
	}
}

static bool add(struct expr_pool *p, struct plain n)
{
	if (op_arity(n.op))
		n.e = expr_make(p, n.op, n.width, node[n.a].e, op_arity(n.op) > 1 ? node[n.b].e : 0,
		    n.op == OP_EXTRACT       ? n.c
		        : op_arity(n.op) > 2 ? node[n.c].e
		                             : 0);
	if (!n.e || (n.op != OP_STORE && expr_width(p, n.e) != n.width))
		return false;
	node[nodes++] = n;
	return true;
}

static bool add_const(struct expr_pool *p, unsigned w, u128 v)
{
	return add(p,
	    (struct plain){ .op = OP_CONST,
	        .width = w,
	        .value = bits_cut(v, w),
	        .e = expr_const(p, w, bits_value(v)) });
}

static bool add_array(struct expr_pool *p)
{
	if (tiny)
		return false;
	unsigned arrays[MOST], n = 0, i64 = pick(64), v = pick(8 << below(3));
	for (unsigned i = 1; i < nodes; i++)
		if (!node[i].width)
			arrays[n++] = i;
	unsigned a = arrays[below(n)];
	if (!i64 || below(3) == 0) {
		add_const(p, 64, below(18));
		i64 = nodes - 1;
	}
	if (below(3) == 0 && v)
		return add(p, (struct plain){ .op = OP_STORE, .a = a, .b = i64, .c = v });
	return nodes < MOST
	    && add(p, (struct plain){ .op = OP_READ, .width = 8u << below(5), .a = a, .b = i64 });
}

static bool add_random(struct expr_pool *p)
{
	enum op op = (enum op)(OP_ADD + below(OP_READ + 1 - OP_ADD));
	/* chains of operations with constants: that is what rules look for */
	unsigned a = pick(0), last = nodes - 1;
	if (below(2) && node[last].width && node[last].op != OP_CONST)
		a = last;
	unsigned w = node[a].width, b = pick(w);
	if (below(2) && nodes + 1 < MOST && add_const(p, w, interesting(w)))
		b = nodes - 1;
	if (b && below(4) == 0) {
		unsigned t = a;
		a = b, b = t;
	}
	switch (op) {
	case OP_TABLE:
	case OP_STORE:
	case OP_READ: return add_array(p);
	case OP_NOT:
	case OP_NEG: return add(p, (struct plain){ .op = op, .width = w, .a = a });
	case OP_EQ:
	case OP_ULT:
	case OP_ULE:
	case OP_SLT:
	case OP_SLE: return b && add(p, (struct plain){ .op = op, .width = 1, .a = a, .b = b });
	case OP_ITE: {
		unsigned c = pick(1), d = pick(w);
		return c && d
		    && add(p, (struct plain){ .op = op, .width = w, .a = c, .b = a, .c = d });
	}
	case OP_CONCAT:
		b = pick(0);
		return w + node[b].width <= 128
		    && add(
		        p, (struct plain){ .op = op, .width = w + node[b].width, .a = a, .b = b });
	case OP_EXTRACT: {
		unsigned low = below(w), take = 1 + below(w - low);
		return add(p, (struct plain){ .op = op, .width = take, .a = a, .c = low });
	}
	case OP_ZEXT:
	case OP_SEXT: {
		unsigned to = pick_width();
		return to >= w && add(p, (struct plain){ .op = op, .width = to, .a = a });
	}
	default: return b && add(p, (struct plain){ .op = op, .width = w, .a = a, .b = b });
	}
}

static void add_inputs(struct expr_pool *p)
{
	static const unsigned large[] = { 8, 8, 32, 32, 64, 1 }, small[] = { 4, 3 };
	nodes = 1;
	for (unsigned i = 0; i < (tiny ? 2 : 6); i++) {
		char name[16];
		unsigned w = tiny ? small[i] : large[i];
		snprintf(name, sizeof name, "v%u", i);
		uint32_t v = expr_var(p, name, INPUT_INT, w);
		add(p, (struct plain){ .op = OP_INPUT, .width = w, .a = v, .e = expr_input(p, v) });
	}
	if (!tiny)
		add(p,
		    (struct plain){
		        .op = OP_TABLE, .a = 0, .e = expr_table(p, table, sizeof table) });
}

static bool agree(struct expr_pool *p, uint64_t seed, const struct assignment *a)
{
	expr_eval_start(p, a);
	for (unsigned i = 1; i < nodes; i++) {
		node[i].value = plain_value(&node[i], a);
		if (!node[i].width || bits_of(expr_eval_next(p, node[i].e)) == node[i].value)
			continue;
		char *text = expr_text(p, node[i].e);
		printf("# seed %llu node %u %s of %u %u %u became %s\n", (unsigned long long)seed,
		    i, op_name(node[i].op), node[i].a, node[i].b, node[i].c, text);
		free(text);
		return false;
	}
	return true;
}

static void draw_table(uint64_t seed)
{
	draw_state = seed * 0x9e3779b97f4a7c15ull + 1;
	for (size_t i = 0; i < sizeof table; i++)
		table[i] = (uint8_t)draw();
}

static bool test_dag(struct expr_pool *p, uint64_t seed)
{
	struct assignment a = { 0 };
	bool good = true;
	draw_table(seed);
	add_inputs(p);
	for (int tries = 0; tries < 200 && nodes < (tiny ? 40 : MOST - 2); tries++)
		add_random(p);
	for (unsigned round = 0; round < (tiny ? 128 : 12) && good; round++) {
		for (unsigned i = 1; i < nodes && node[i].op == OP_INPUT; i++)
			assignment_set(&a, node[i].a,
			    tiny ? (struct value){ i == 1 ? round % 16 : round / 16, 0 }
			         : bits_value(interesting(node[i].width)));
		good = agree(p, seed, &a);
	}
	assignment_clear(&a);
	return good;
}

static void test_random(bool small, uint64_t seeds)
{
	struct expr_pool *p = expr_pool_new();
	int bad = 0;
	tiny = small;
	for (uint64_t seed = 1; seed <= seeds && bad < 5; seed++) {
		bad += !test_dag(p, seed);
		if (expr_count(p) > 200000) {
			expr_pool_free(p);
			p = expr_pool_new();
		}
	}
	ok(!bad,
	    small ? "simplified expressions of small widths, all inputs"
	          : "simplified expressions have the values of the operations");
	expr_pool_free(p);
}

/* Every f(g(ext(x), k), l) with constants k, l or another input, in both orders. */
static bool test_chain(struct expr_pool *p, enum op ext, enum op g, enum op f, unsigned order)
{
	struct assignment a = { 0 };
	bool good = true;
	for (unsigned k = 0; k < 32 && good; k += 1 + below(4))
		for (unsigned l = 0; l < 33 && good; l += 1 + below(4)) {
			nodes = 1;
			add_inputs(p);
			unsigned x = 1, y = 2;
			if (ext) {
				add(p, (struct plain){ .op = ext, .width = 5, .a = 1 });
				x = nodes - 1;
				add(p, (struct plain){ .op = ext, .width = 5, .a = 2 });
				y = nodes - 1;
			}
			unsigned w = node[x].width;
			add_const(p, w, k);
			unsigned c = nodes - 1;
			bool cmp = g >= OP_EQ && g <= OP_SLE;
			if (g == OP_NOT || g == OP_NEG)
				add(p, (struct plain){ .op = g, .width = w, .a = x });
			else
				add(p,
				    (struct plain){ .op = g,
				        .width = cmp ? 1 : w,
				        .a = order & 1 ? c : x,
				        .b = order & 1 ? x : c });
			unsigned in = nodes - 1;
			if (l == 32 && (ext || w != node[in].width))
				y = in;
			if (l == 32 && node[y].width != node[in].width)
				break;
			if (l < 32)
				add_const(p, node[in].width, l);
			c = l < 32 ? nodes - 1 : y;
			cmp = f >= OP_EQ && f <= OP_SLE;
			add(p,
			    (struct plain){ .op = f,
			        .width = cmp ? 1 : node[in].width,
			        .a = order & 2 ? c : in,
			        .b = order & 2 ? in : c });
			for (unsigned round = 0; round < 128 && good; round += l == 32 ? 1 : 16) {
				assignment_set(&a, node[1].a,
				    (struct value){ l == 32 ? round % 16 : round / 8, 0 });
				assignment_set(&a, node[2].a, (struct value){ round / 16, 0 });
				good = agree(p, g * 100 + f, &a);
			}
		}
	assignment_clear(&a);
	return good;
}

static void test_chains(void)
{
	struct expr_pool *p = expr_pool_new();
	bool good = true;
	tiny = true;
	for (enum op g = OP_ADD; g <= OP_SLE && good; g++)
		for (enum op f = OP_ADD; f <= OP_SLE && good; f++)
			for (unsigned order = 0; order < 4 && f != OP_NOT && f != OP_NEG && good;
			    order++)
				good = test_chain(p, OP_NONE, g, f, order)
				    && test_chain(p, OP_ZEXT, g, f, order)
				    && test_chain(p, OP_SEXT, g, f, order);
	ok(good, "two operations with constants on a plain or extended input");
	expr_pool_free(p);
}

/* ---- forms that the solver layers rely on */

static void is(struct expr_pool *p, expr e, const char *want)
{
	char *text = expr_text(p, e);
	ok(strcmp(text, want) == 0, want);
	if (strcmp(text, want) != 0)
		printf("# got %s\n", text);
	free(text);
}

static void test_forms(void)
{
	struct expr_pool *p = expr_pool_new();
	expr x = in(p, "x", 8), y = in(p, "y", 8), i = in(p, "i", 32), j = in(p, "j", 32);
	expr x32 = zext(p, 32, x);
	is(p, op2(p, OP_EQ, 1, x32, num(p, 32, 65)), "x == 65");
	is(p, op2(p, OP_EQ, 1, x32, num(p, 32, 300)), "0");
	is(p, op2(p, OP_ULT, 1, op2(p, OP_ADD, 32, x32, num(p, 32, -48u)), num(p, 32, 10)),
	    "(x + -48) <u 10");
	is(p, op2(p, OP_EQ, 1, op2(p, OP_SUB, 32, i, j), num(p, 32, 0)), "i == j");
	is(p, expr_not(p, op2(p, OP_SLT, 1, i, j)), "j <= i");
	is(p,
	    op2(p, OP_EQ, 1,
	        expr_make(p, OP_ITE, 32, op2(p, OP_EQ, 1, x, y), num(p, 32, 1), num(p, 32, 0)),
	        num(p, 32, 0)),
	    "!(x == y)");
	is(p, op2(p, OP_AND, 32, i, num(p, 32, 255)), "u32(i[7:0])");
	is(p, op2(p, OP_OR, 16, zext(p, 16, x), op2(p, OP_SHL, 16, zext(p, 16, y), num(p, 16, 8))),
	    "y :: x");
	is(p, op2(p, OP_SLT, 1, op2(p, OP_SUB, 32, x32, zext(p, 32, y)), num(p, 32, 0)), "x <u y");
	is(p, op2(p, OP_ADD, 32, op2(p, OP_ADD, 32, i, num(p, 32, 3)), num(p, 32, -3u)), "i");
	is(p,
	    op2(p, OP_CONCAT, 16, expr_make(p, OP_EXTRACT, 8, i, 0, 8),
	        expr_make(p, OP_EXTRACT, 8, i, 0, 0)),
	    "i[15:0]");
	is(p, op2(p, OP_SLE, 1, x32, num(p, 32, 7)), "x <u 8");
	is(p, op2(p, OP_SREM, 32, x32, num(p, 32, 10)), "u32(x %u 10)");
	expr_pool_free(p);
}

static void test_vars(void)
{
	struct expr_pool *p = expr_pool_new();
	size_t n;
	expr sum = num(p, 32, 0);
	for (int i = 0; i < 1000; i++) {
		char name[16];
		snprintf(name, sizeof name, "a[%d]", i);
		sum = op2(p, OP_ADD, 32, op2(p, OP_MUL, 32, sum, num(p, 32, 31)), in(p, name, 32));
	}
	const uint32_t *v = expr_vars(p, sum, &n);
	ok(n == 1000 && v[0] == 0 && v[999] == 999, "variables of a deep expression");
	expr_vars(p, in(p, "a[7]", 32), &n);
	ok(n == 1, "one variable");
	ok(expr_var_find(p, "a[12]") == 12 && expr_var_find(p, "b") == UINT32_MAX,
	    "variables by name");
	ok(expr_make(p, OP_ADD, 32, sum, in(p, "c", 8), 0) == 0,
	    "operands of different widths are refused");
	expr_pool_free(p);
}

/* ---- terms that are as deep as a program loops, on a small stack */

enum { DEEP = 10000, STACK = 1 << 20 };

/* Folds DEEP operations, `a` and `b` by turns, over x, and compares the result with its value. */
static bool test_deep(enum op a, enum op b, bool constants)
{
	struct expr_pool *p = expr_pool_new();
	struct assignment is = { 0 };
	expr x = in(p, "x", 32), e = x, y = in(p, "y", 32);
	u128 v = 77, w;
	bool good = true;

	assignment_set(&is, 0, bits_value(77));
	assignment_set(&is, 1, bits_value(5));
	for (unsigned i = 0; i < DEEP; i++) {
		enum op op = i % 2 ? a : b;
		unsigned k = constants ? 2 * i + 1 : 5;
		expr by = constants ? num(p, 32, k) : y;
		if (op == OP_ITE) {
			e = expr_make(p, op, 32, op2(p, OP_ULT, 1, by, x), e, by);
			v = k < 77 ? v : k;
		} else if (op_arity(op) == 1) {
			e = expr_make(p, op, 32, e, 0, 0);
			v = bits_unary(op, 32, 32, 0, v);
		} else {
			e = op2(p, op, 32, e, by);
			v = bits_binary(op, 32, 32, 32, v, k);
		}
	}
	w = bits_of(expr_eval(p, op2(p, OP_EQ, 1, e, num(p, 32, (uint64_t)v)), &is));
	good &= w == 1;
	w = bits_of(expr_eval(p, op2(p, OP_EQ, 1, e, num(p, 32, (uint64_t)v ^ 4)), &is));
	good &= w == 0;
	w = bits_of(expr_eval(p, expr_make(p, OP_EXTRACT, 9, e, 0, 3), &is));
	good &= w == (v >> 3 & 511);
	w = bits_of(expr_eval(p, op2(p, OP_ULE, 1, e, num(p, 32, (uint64_t)v)), &is));
	good &= w == 1;
	if (!good)
		printf("# %s %s%s\n", op_name(a), op_name(b), constants ? ", constants" : "");
	assignment_clear(&is);
	expr_pool_free(p);
	return good;
}

static void *test_all_deep(void *good)
{
	static const enum op ops[] = { OP_ADD, OP_SUB, OP_MUL, OP_AND, OP_OR, OP_XOR, OP_NEG,
		OP_NOT, OP_ITE };
	enum { OPS = sizeof ops / sizeof *ops };

	for (unsigned i = 0; i < OPS * OPS; i++)
		*(bool *)good &= test_deep(ops[i / OPS], ops[i % OPS], false)
		    && test_deep(ops[i / OPS], ops[i % OPS], true);
	return NULL;
}

static void test_depth(void)
{
	bool good = true;
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	if (pthread_create(&thread, &attr, test_all_deep, &good) || pthread_join(thread, NULL))
		good = false;
	pthread_attr_destroy(&attr);
	ok(good, "deep terms on a small stack");
}

/* ---- conditions at all points of a grid */

/* A READ through stores of any widths at indices that overlap, in part or not, or lie outside. */
static expr random_read(struct expr_pool *p, const expr *input, unsigned inputs)
{
	expr a = expr_table(p, table, below(4) ? sizeof table : 8), at;
	for (unsigned i = 1 + below(4); i-- > 0;) {
		unsigned w = 8u << below(4);
		at = op2(p, OP_ADD, 64,
		    op2(p, OP_MUL, 64, zext(p, 64, input[below(inputs)]), num(p, 64, 1 + below(4))),
		    num(p, 64, (uint64_t)below(6) - 2));
		a = expr_make(p, OP_STORE, 0, a, at,
		    op2(p, OP_MUL, w, zext(p, w, input[below(inputs)]), num(p, w, draw())));
	}
	at = op2(p, OP_MUL, 64, zext(p, 64, input[below(inputs)]), num(p, 64, 1 + below(2)));
	return expr_make(p, OP_READ, 8u << below(4), a, at, 0);
}

static bool test_points(struct expr_pool *p, struct batch *b, uint64_t seed)
{
	enum { INPUTS = 3, COUNT = 7, POINTS = COUNT * COUNT * COUNT };
	struct batch_side side[INPUTS];
	uint64_t out[POINTS / 64 + 1];
	struct assignment a = { 0 };
	expr input[INPUTS];
	bool good = true;
	draw_table(seed);
	for (uint32_t i = 0; i < INPUTS; i++) {
		char name[8];
		snprintf(name, sizeof name, "p%u", i);
		input[i] = in(p, name, 3);
		side[i] = (struct batch_side){ expr_var_find(p, name), 0, COUNT };
	}
	expr value = random_read(p, input, INPUTS);
	expr cond = expr_make(p, OP_EXTRACT, 1, value, 0, below(expr_width(p, value)));
	if (!batch_run(b, cond, side, INPUTS, out))
		return false;
	for (unsigned i = 0; i < POINTS && good; i++) {
		for (unsigned k = 0, n = i; k < INPUTS; k++, n /= COUNT)
			assignment_set(&a, side[k].var, (struct value){ n % COUNT, 0 });
		good = (out[i / 64] >> i % 64 & 1) == expr_eval(p, cond, &a).lo;
	}
	if (!good)
		printf("# seed %llu\n", (unsigned long long)seed);
	assignment_clear(&a);
	return good;
}

static void test_reads(void)
{
	struct expr_pool *p = expr_pool_new();
	struct batch *b = batch_new(p);
	bool good = true;
	for (uint64_t seed = 1; seed <= 500 && good; seed++)
		good = test_points(p, b, seed);
	ok(good, "what is read through stores, at all points of a grid");
	batch_free(b);
	expr_pool_free(p);
}

int main(void)
{
	test_forms();
	test_vars();
	test_random(false, 1000);
	test_random(true, 1000);
	test_chains();
	test_depth();
	test_reads();
	return finish();
}
