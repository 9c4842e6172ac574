/* Floating-point expressions. Values are computed by the solver's evaluator, which is compiled into
 * the runtime, and compared with the program's own results. */
#include "lib/runtime/rt.h"

#pragma GCC visibility push(hidden)
#include "lib/protocol/float.h"
/* noipa: the call must not be moved across the change of the rounding mode. */
__attribute__((noipa)) duct_wide duct_float_eval(
    enum op op, unsigned w, unsigned wa, duct_wide a, duct_wide b);
#include "lib/protocol/float.c"
#pragma GCC visibility pop

/* Evaluates in the default floating-point environment; restores the program's exception flags and
 * rounding mode. */
duct_wide duct_float(enum op op, uint32_t w, uint32_t from, duct_wide a, duct_wide b)
{
	uint32_t sse, plain = 0x1f80;
	struct {
		uint32_t word[7];
	} x87;
	uint16_t control = 0x37f;
	duct_wide v;

	__asm__ volatile("stmxcsr %0\n\tldmxcsr %1" : "=m"(sse) : "m"(plain) : "memory");
	__asm__ volatile("fnstenv %0\n\tfldcw %1" : "=m"(x87) : "m"(control) : "memory");
	v = duct_float_eval(op, w, from, a, b);
	__asm__ volatile("fldenv %0\n\tldmxcsr %1" : : "m"(x87), "m"(sse) : "memory");
	return v;
}

static struct duct_term term(duct_node n, const uint64_t *v, uint32_t width)
{
	return n ? duct_term(n) : duct_constant(width, (duct_wide)v[1] << 64 | v[0]);
}

/* One operand: b.w is 0. */
static struct duct_term make(enum op op, uint32_t w, struct duct_term a, struct duct_term b)
{
	duct_wide v = duct_float(op, w, a.w, a.v, b.v);
	duct_node x = a.n || b.n ? duct_term_node(a) : 0;

	if (!x)
		return duct_constant(w, v);
	return (
	    struct duct_term){ v, duct_node_get(op, w, x, b.w ? duct_term_node(b) : 0, 0, v), w };
}

duct_node duct_rt_float(struct duct_unit *u, uint32_t op, uint32_t width, uint32_t from,
    duct_node a, const uint64_t *va, duct_node b, const uint64_t *vb, const uint64_t *result,
    uint32_t count)
{
	struct duct_term none = { 0, 0, 0 }, t;

	(void)u;
	if (!duct_channel || (!a && !b))
		return 0;
	t = make((enum op)op, width, term(a, va, from), vb ? term(b, vb, from) : none);
	if (!((t.v ^ ((duct_wide)result[1] << 64 | result[0])) & duct_mask(count)))
		return duct_t_extract(count, 0, t).n;
	duct_lost(NULL, 0, "floating-point result that is not IEEE's default", NULL);
	return 0;
}

static struct duct_term operand(const void *p, uint32_t width)
{
	struct duct_term t = duct_load_term((uintptr_t)p, width / 8);

	return t.n && duct_channel ? t : duct_constant(width, t.v);
}

/* The result in another rounding mode of the program (1 down, 2 up, 3 towards 0), as a constant. */
static struct duct_term rounded(enum op op, uint32_t mode, struct duct_term a, struct duct_term b)
{
	static const uint8_t integral_op[] = { OP_FRINT, OP_FFLOOR, OP_FCEIL, OP_FTRUNC };

	if (a.n || b.n)
		duct_lost(NULL, 0, "rounding mode other than to nearest", NULL);
	return duct_constant(
	    a.w, duct_float_eval(op == OP_FRINT ? integral_op[mode] : op, a.w, a.w, a.v, b.v));
}

void duct_rt_math(uint32_t op, uint32_t width, void *to, const void *a, const void *b)
{
	struct duct_term none = { 0, 0, 0 }, x = operand(a, width),
	                 y = b ? operand(b, width) : none, t;
	uint32_t control;

	__asm__ volatile("stmxcsr %0" : "=m"(control));
	control = control >> 13 & 3;
	t = control ? rounded((enum op)op, control, x, y) : make((enum op)op, width, x, y);
	for (uint32_t i = 0; i < width / 8; i++)
		((uint8_t *)to)[i] = (uint8_t)(t.v >> 8 * i);
	if (duct_channel)
		duct_store_term((uintptr_t)to, width / 8, t.n);
}

int duct_rt_computed(const void *p, uint32_t width)
{
	struct duct_term t = operand(p, width);

	return t.n && op_is_float(duct_at(t.n)->op) && duct_at(t.n)->op < OP_FTOSI;
}

/* Allows only the encodings that the x87 itself produces: the integer bit is set except for zeros
 * and denormals. */
void duct_float_input(struct duct_term t)
{
	struct duct_term exponent = duct_t_extract(15, 64, t);
	struct duct_term small = duct_t_binary(OP_EQ, exponent, duct_constant(15, 0));

	duct_input_assume(duct_t_binary(OP_EQ, duct_t_extract(1, 63, t), duct_t_not(small)),
	    "an invalid encoding of the x87");
}
