/* The functions by which woven code builds expressions (abi.h). */
#include "lib/runtime/rt.h"

static struct duct_term narrow(duct_node n, uint64_t v, uint32_t width)
{
	return n ? duct_term(n) : duct_constant(width, v);
}

static struct duct_term wide(duct_node n, const uint64_t *v, uint32_t width)
{
	return n ? duct_term(n) : duct_constant(width, (duct_wide)v[1] << 64 | v[0]);
}

/* A pointer that may be NULL, after the path has decided whether it is: the term names its object,
 * so it is to be compared, not dereferenced. */
static struct duct_term known(struct duct_term t)
{
	if (t.n && t.w == 64 && t.v && duct_at(t.n)->op == OP_ITE && duct_implied(t.n, 4))
		t.n = 0;
	return t;
}

/* A comparison of two pointers whose objects the run may still choose. For each, the path says
 * whether it is NULL; that the two lead to different objects is a limit, not a fact. */
static void compared(struct duct_term x, struct duct_term y)
{
	if (x.n && y.n && x.w == 64) {
		duct_grow_compared_read(x, y);
		duct_grow_compared_read(y, x);
	}
	duct_grow_compared_apart(x, y);
	if (x.n && !known(x).n)
		duct_grow_compared(x, duct_constant(y.w, y.v));
	if (y.n && !known(y).n)
		duct_grow_compared(y, duct_constant(x.w, x.v));
}

/* A comparison with NULL stays in the trace: the store finds functions that use a pointer and test
 * it for NULL afterwards (lib/store/needs.c). */
static bool is_null(struct duct_term t)
{
	return !t.n && !t.v;
}

/* Uses the width of the operands where both shadows agree; woven code passes the width of the
 * operands, because the result of a comparison has width 1. */
duct_node duct_rt_binary(
    uint32_t op, uint32_t width, duct_node a, uint64_t va, duct_node b, uint64_t vb)
{
	struct duct_term x, y;

	if (!duct_channel || (!a && !b))
		return 0;
	x = narrow(a, va, a ? 0 : b ? duct_at(b)->width : width);
	y = narrow(b, vb, b ? 0 : x.w);
	if (op == OP_XOR)
		duct_grow_compared_apart(x, y);
	if ((op == OP_SUB || (op >= OP_ULT && op <= OP_SLE)) && x.w == 64)
		duct_order(x, y, op == OP_SUB);
	if (op >= OP_EQ && op <= OP_SLE && !is_null(x) && !is_null(y)) {
		if (op == OP_EQ)
			compared(x, y);
		x = known(x);
		y = known(y);
	}
	return duct_t_binary((enum op)op, x, y).n;
}

duct_node duct_rt_binary_wide(
    uint32_t op, uint32_t width, duct_node a, const uint64_t *va, duct_node b, const uint64_t *vb)
{
	struct duct_term x, y;

	if (!duct_channel || (!a && !b))
		return 0;
	x = wide(a, va, a ? 0 : b ? duct_at(b)->width : width);
	y = wide(b, vb, b ? 0 : x.w);
	return duct_t_binary((enum op)op, x, y).n;
}

duct_node duct_rt_unary(uint32_t op, uint32_t width, uint32_t from, uint32_t low, duct_node a)
{
	(void)from;
	if (!a)
		return 0;
	switch (op) {
	case OP_NOT: return duct_t_not(duct_term(a)).n;
	case OP_NEG: return duct_t_neg(duct_term(a)).n;
	case OP_ZEXT:
	case OP_SEXT: return duct_t_extend((enum op)op, width, duct_term(a)).n;
	case OP_EXTRACT: return duct_t_extract(width, low, duct_term(a)).n;
	default: return 0;
	}
}

duct_node duct_rt_ite(
    uint32_t width, duct_node c, uint64_t vc, duct_node a, uint64_t va, duct_node b, uint64_t vb)
{
	if (!c)
		return vc & 1 ? a : b;
	return duct_t_ite(duct_term(c), narrow(a, va, width), narrow(b, vb, width)).n;
}

duct_node duct_rt_ite_wide(uint32_t width, duct_node c, uint64_t vc, duct_node a,
    const uint64_t *va, duct_node b, const uint64_t *vb)
{
	if (!c)
		return vc & 1 ? a : b;
	return duct_t_ite(duct_term(c), wide(a, va, width), wide(b, vb, width)).n;
}

/* The object that a pointer is derived from. The first byte of an object is also the end of the one
 * before it: then the resulting address decides, because `end[-i]` lies in the object before. */
static struct duct_object *derived_from(struct duct_object *o, uintptr_t base, uintptr_t to)
{
	struct duct_object *before;

	if (o->base != base || (to >= base && to < base + o->size))
		return o;
	before = duct_object_at(base - 1);
	return before && before->base + before->size == base && to >= before->base && to < base
	    ? before
	    : o;
}

/* Remembers the object that the base points into: an index that leaves it must not be
 * taken for an access to the object next to it. */
duct_node duct_rt_pointer(duct_node base, uint64_t vbase, duct_node offset, uint64_t voffset)
{
	uint64_t origin = 0;
	struct duct_object *o;
	duct_node n;

	if (base && vbase && duct_at(base)->op == OP_ITE && duct_implied(base, 4))
		base = 0; /* the path determines its target; a null pointer keeps its node, as
		             messages name the pointer */
	if (!duct_channel || (!base && !offset))
		return 0;
	n = duct_t_binary(OP_ADD, narrow(base, vbase, 64), narrow(offset, voffset, 64)).n;
	if (!n)
		return 0;
	if (base && duct_nodes.origin)
		origin = duct_nodes.origin[base];
	if (!base && (o = duct_object_at(vbase)))
		origin = derived_from(o, vbase, vbase + voffset)->base;
	if (!origin || n == base)
		return n;
	if (!duct_nodes.origin)
		duct_nodes.origin =
		    duct_arena(((size_t)duct_nodes.max + 1) * sizeof *duct_nodes.origin);
	duct_nodes.origin[n] = origin;
	return n;
}

/* The number of one bits, by adding halves in parallel. */
static struct duct_term ones(struct duct_term a)
{
	struct duct_term sum = duct_constant(a.w, 0);

	for (uint32_t i = 0; i < a.w; i++)
		sum = duct_t_binary(
		    OP_ADD, sum, duct_t_extend(OP_ZEXT, a.w, duct_t_extract(1, i, a)));
	return sum;
}

/* The number of zeros before the first one, from the top or from the bottom; the width if there is
 * no one. */
static struct duct_term zeros(struct duct_term a, bool top)
{
	struct duct_term n = duct_constant(a.w, a.w);

	for (uint32_t i = 0; i < a.w; i++) {
		struct duct_term bit = duct_t_extract(1, top ? i : a.w - 1 - i, a);

		n = duct_t_ite(bit, duct_constant(a.w, a.w - 1 - i), n);
	}
	return n;
}

/* Reverses the order of pieces of `bits` bits. */
static struct duct_term reversed(struct duct_term a, uint32_t bits)
{
	struct duct_term t = duct_t_extract(bits, 0, a);

	for (uint32_t low = bits; low < a.w; low += bits)
		t = duct_t_concat(t, duct_t_extract(bits, low, a));
	return t;
}

duct_node duct_rt_bits(uint32_t which, uint32_t width, duct_node a)
{
	struct duct_term t;

	(void)width;
	if (!a)
		return 0;
	t = duct_term(a);
	switch (which) {
	case DUCT_CTPOP: return ones(t).n;
	case DUCT_CTTZ: return zeros(t, false).n;
	case DUCT_CTLZ: return zeros(t, true).n;
	case DUCT_BSWAP: return reversed(t, 8).n;
	case DUCT_BITREVERSE: return reversed(t, 1).n;
	default: return 0;
	}
}
