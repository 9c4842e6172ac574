/* The runtime's expressions: random operations are built with its simplifying builders and
 * evaluated beside; the nodes must then give the right value for other inputs too, so that
 * a rule that only fits the run at hand is found. eval is compared with C's own arithmetic. */
#include "tests/unit/runtime.h"

#define INPUTS 6
#define TERMS 60
#define OTHER 6 /* assignments beside the run's own */

static const uint32_t widths[] = { 1, 8, 8, 16, 32, 32, 64, 33, 128 };

struct row {
	struct duct_term t;
	wide v[OTHER + 1];
};

static struct row row[TERMS];
static size_t rows;
static wide input[OTHER + 1][INPUTS];

static wide corner(uint32_t w)
{
	wide sign = (wide)1 << (w - 1), r = (wide)random_word() << 64 | random_word();

	switch (below(9)) {
	case 0: return 0;
	case 1: return duct_mask(w);
	case 2: return sign;
	case 3: return sign - 1;
	case 4: return 1 & duct_mask(w);
	case 5: return (random_word() & 15) & duct_mask(w);
	default: return r & duct_mask(w);
	}
}

static struct row *add(struct duct_term t)
{
	row[rows].t = t;
	return &row[rows++];
}

/* A row of this width (any if 0): an earlier one, or a new constant. */
static struct row *pick(uint32_t w)
{
	struct row *r;

	for (int tries = 0; tries < 30; tries++) {
		r = &row[below((uint32_t)rows)];
		if (!w || r->t.w == w)
			return r;
	}
	r = add(duct_constant(w, corner(w)));
	for (int k = 0; k <= OTHER; k++)
		r->v[k] = r->t.v;
	return r;
}

static void binary(void)
{
	enum op op = (enum op)(OP_ADD + below(OP_SLE - OP_ADD + 1));
	struct row *a = pick(0), *b = below(3) ? pick(a->t.w) : NULL, *r;

	if (op == OP_NOT || op == OP_NEG)
		return;
	if (!b) {
		b = add(duct_constant(a->t.w, corner(a->t.w)));
		for (int k = 0; k <= OTHER; k++)
			b->v[k] = b->t.v;
	}
	if (below(4) == 0) {
		r = a;
		a = b;
		b = r;
	}
	r = add(duct_t_binary(op, a->t, b->t));
	for (int k = 0; k <= OTHER; k++)
		r->v[k] = duct_eval(op, a->t.w, a->v[k], b->v[k]);
}

static void unary(void)
{
	struct row *a = pick(0), *r;
	uint32_t w = widths[below(9)], low;

	switch (below(5)) {
	case 0:
		r = add(duct_t_not(a->t));
		for (int k = 0; k <= OTHER; k++)
			r->v[k] = ~a->v[k] & duct_mask(a->t.w);
		break;
	case 1:
		r = add(duct_t_neg(a->t));
		for (int k = 0; k <= OTHER; k++)
			r->v[k] = -a->v[k] & duct_mask(a->t.w);
		break;
	case 2:
		if (w < a->t.w)
			return;
		r = add(duct_t_extend(OP_ZEXT, w, a->t));
		for (int k = 0; k <= OTHER; k++)
			r->v[k] = a->v[k];
		break;
	case 3:
		if (w < a->t.w)
			return;
		r = add(duct_t_extend(OP_SEXT, w, a->t));
		for (int k = 0; k <= OTHER; k++)
			r->v[k] = duct_sign_extend(a->v[k], a->t.w, w);
		break;
	default:
		if (w > a->t.w)
			return;
		low = below(2) ? 0 : below(a->t.w - w + 1);
		r = add(duct_t_extract(w, low, a->t));
		for (int k = 0; k <= OTHER; k++)
			r->v[k] = a->v[k] >> low & duct_mask(w);
	}
}

static void other(void)
{
	struct row *a, *b, *c, *r;

	if (below(2)) {
		c = pick(1);
		a = pick(0);
		b = pick(a->t.w);
		r = add(duct_t_ite(c->t, a->t, b->t));
		for (int k = 0; k <= OTHER; k++)
			r->v[k] = c->v[k] ? a->v[k] : b->v[k];
		return;
	}
	a = pick(0);
	b = pick(0);
	if (a->t.w + b->t.w > 128)
		return;
	r = add(duct_t_concat(a->t, b->t));
	for (int k = 0; k <= OTHER; k++)
		r->v[k] = a->v[k] << b->t.w | b->v[k];
}

static void show(struct channel *ch, uint32_t n, int depth)
{
	const struct channel_node *p = duct_at(n);
	int arity = p->op == OP_ITE                  ? 3
	    : p->op == OP_CONST || p->op == OP_INPUT ? 0
	    : p->op == OP_NOT || p->op == OP_NEG || p->op == OP_EXTRACT || p->op == OP_ZEXT
	        || p->op == OP_SEXT
	    ? 1
	    : 2;

	printf("# %*s%u op %u width %u c %u value %llx\n", depth * 2, "", n, p->op, p->width, p->c,
	    (unsigned long long)p->value);
	for (int i = 0; i < arity && depth < 8; i++)
		show(ch, i == 0 ? p->a : i == 1 ? p->b : p->c, depth + 1);
}

static bool agree(struct channel *ch, const struct row *r)
{
	for (int k = 0; k <= OTHER; k++) {
		wide v = r->t.n ? node_eval(ch, r->t.n, input[k]) : r->t.v;

		if (v != r->v[k] || (r->t.n && duct_at(r->t.n)->width != r->t.w)) {
			if (r->t.n)
				show(ch, r->t.n, 0);
			return false;
		}
	}
	return true;
}

static bool one_round(struct channel *ch)
{
	static char name[8];

	test_channel();
	duct_run_start(ch);
	rows = 0;
	for (uint32_t i = 0; i < INPUTS; i++) {
		uint32_t w = widths[below(9)];
		struct row *r;
		uint8_t bytes[16];

		for (int k = 0; k <= OTHER; k++)
			input[k][i] = corner(w);
		for (int k = 0; k < 16; k++)
			bytes[k] = (uint8_t)(input[0][i] >> k * 8);
		snprintf(name, sizeof name, "i%u", i);
		give(ch, name, bytes, (w + 7) / 8);
		duct_inputs_start(ch);
		r = add(duct_input_var(name, INPUT_UINT, w, 0));
		for (int k = 0; k <= OTHER; k++)
			r->v[k] = input[k][i];
	}
	while (rows < TERMS - 3)
		switch (below(6)) {
		case 0: unary(); break;
		case 1: other(); break;
		case 2: unary(); break;
		default: binary();
		}
	for (size_t i = 0; i < rows; i++)
		if (!agree(ch, &row[i]))
			return false;
	return true;
}

/* C's own arithmetic at 32 bits, with -fwrapv and the division that traps left out. */
static bool as_in_c(void)
{
	for (int i = 0; i < 20000; i++) {
		uint32_t a = (uint32_t)corner(32), b = (uint32_t)corner(32), s = b % 32;
		int32_t x = (int32_t)a, y = (int32_t)b;
		bool division = b && !(x == INT32_MIN && y == -1);

		if (duct_eval(OP_ADD, 32, a, b) != (uint32_t)(a + b)
		    || duct_eval(OP_SUB, 32, a, b) != (uint32_t)(a - b)
		    || duct_eval(OP_MUL, 32, a, b) != (uint32_t)(a * b)
		    || duct_eval(OP_SHL, 32, a, s) != a << s
		    || duct_eval(OP_LSHR, 32, a, s) != a >> s
		    || duct_eval(OP_ASHR, 32, a, s) != (uint32_t)(x >> s)
		    || duct_eval(OP_SLT, 32, a, b) != (x < y)
		    || duct_eval(OP_SLE, 32, a, b) != (x <= y)
		    || duct_eval(OP_ULT, 32, a, b) != (a < b)
		    || duct_eval(OP_ULE, 32, a, b) != (a <= b))
			return false;
		if (division
		    && (duct_eval(OP_SDIV, 32, a, b) != (uint32_t)(x / y)
		        || duct_eval(OP_SREM, 32, a, b) != (uint32_t)(x % y)
		        || duct_eval(OP_UDIV, 32, a, b) != a / b
		        || duct_eval(OP_UREM, 32, a, b) != a % b))
			return false;
	}
	return true;
}

static bool totals(void)
{
	return duct_eval(OP_UDIV, 8, 7, 0) == 255 && duct_eval(OP_SDIV, 8, 7, 0) == 255
	    && duct_eval(OP_SDIV, 8, 0xf9, 0) == 1 && duct_eval(OP_UREM, 8, 7, 0) == 7
	    && duct_eval(OP_SREM, 8, 0xf9, 0) == 0xf9 && duct_eval(OP_SHL, 8, 7, 8) == 0
	    && duct_eval(OP_ASHR, 8, 0x80, 200) == 0xff
	    && duct_eval(OP_SDIV, 8, 0x80, 0xff) == 0x80;
}

/* Forms that C's promotions make, and what is left of them. */
static bool promotions(struct channel *ch)
{
	struct duct_term c, wide_c, t;

	test_channel();
	duct_run_start(ch);
	c = duct_input_var("c", INPUT_CHAR, 8, 0);
	wide_c = duct_t_extend(OP_SEXT, 32, c);
	t = duct_t_binary(OP_EQ, wide_c, duct_constant(32, 'x'));
	if (duct_at(t.n)->op != OP_EQ || duct_at(t.n)->a != c.n)
		return false;
	/* (c == 'x') != 0 is the comparison itself */
	t = duct_t_extend(OP_ZEXT, 32, t);
	t = duct_t_not(duct_t_binary(OP_EQ, t, duct_constant(32, 0)));
	if (duct_at(t.n)->op != OP_EQ || duct_at(t.n)->a != c.n)
		return false;
	/* (char)(c + 1 - 1) is c */
	t = duct_t_binary(OP_ADD, wide_c, duct_constant(32, 1));
	t = duct_t_binary(OP_SUB, t, duct_constant(32, 1));
	return duct_t_extract(8, 0, t).n == c.n;
}

/* In runs that merge paths, a choice whose condition does not depend on inputs, so that it has no
 * node, is the side that was taken. */
static bool chosen(struct channel *ch)
{
	static const char merge[] = "merge=1";
	struct duct_term a, b, c;
	bool good;

	test_channel();
	ch->setup = (struct channel_area){ ch->blob.offset + AREA / 2, sizeof merge, sizeof merge };
	memcpy((char *)ch + ch->setup.offset, merge, sizeof merge);
	duct_run_start(ch);
	duct_merge_start();
	a = duct_input_var("a", INPUT_CHAR, 8, 0);
	b = duct_input_var("b", INPUT_CHAR, 8, 0);
	c = duct_t_binary(OP_ULT, a, b);
	good = duct_rt_chosen(8, 0, 1, a.n, 0, b.n, 0) == a.n
	    && duct_rt_chosen(8, 0, 0, a.n, 0, b.n, 0) == b.n
	    && duct_at(duct_rt_chosen(8, c.n, 0, a.n, 0, b.n, 0))->op == OP_ITE;
	ch->setup.used = 0;
	duct_merge_start();
	return good && duct_rt_chosen(8, c.n, 0, a.n, 0, b.n, 0) == b.n;
}

int main(void)
{
	struct channel *ch = test_channel();
	bool good = true;

	for (int i = 0; i < 20000 && good; i++)
		good = one_round(ch);
	ok(good, "simplified expressions have the value of what they stand for, for any input");
	ok(as_in_c(), "arithmetic is C's");
	ok(totals(), "division by zero and long shifts are SMT-LIB's");
	ok(promotions(ch), "promotions leave no trace");
	ok(chosen(ch), "merged runs choose values by conditions with inputs only");
	return finish();
}
