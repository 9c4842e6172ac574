/* What depends on bytes that were never written (--check uninit). Such a byte is filled with a
 * pattern and marked in the shadow; when it is read it becomes an expression of no input, a READ
 * of a table of its own, and each node beside its value has a mask of the bits that would be
 * other ones if that byte were. Masks are exact for bitwise operations, so that what a bit-field
 * shares its unit with does not count, and cautious upwards for arithmetic. */
#include "lib/runtime/rt.h"

#define PATTERN 0xbe

const uint8_t duct_arity[OP_COUNT] = {
#define OP(name, text, n) [OP_##name] = n,
	OP_LIST(OP)
#undef OP
};

static uint64_t *taint;          /* by node; NULL: no such byte was read yet */

void duct_rt_uninit(void *p, size_t bytes)
{
	if (!duct_channel)
		return;
	duct_live = 1;
	for (size_t i = 0; i < bytes; i++) {
		((volatile uint8_t *)p)[i] = PATTERN;
		duct_entry_set((uintptr_t)p + i, DUCT_ENTRY_UNINIT);
	}
}

struct duct_term duct_unwritten(uintptr_t a)
{
	uint8_t now = *(const volatile uint8_t *)a;
	duct_node n, table, zero;

	if (now != PATTERN) {    /* by code that is not instrumented */
		duct_entry_set(a, DUCT_ENTRY_NONE);
		return duct_constant(8, now);
	}
	table = duct_node_get(OP_TABLE, 0, (uint32_t)duct_blob(&now, 1), 1, 0, 0);
	zero = duct_term_node(duct_constant(64, 0));
	n = duct_node_get(OP_READ, 8, table, zero, 0, now);
	if (!taint)
		taint = duct_arena(((size_t)duct_nodes.max + 1) * sizeof *taint);
	taint[n] = 0xff;
	duct_entry_set(a, n << 4);
	return duct_term(n);
}

/* Does the byte depend on one that was never written? */
static uint64_t of_byte(uintptr_t a)
{
	uint32_t e = duct_entry(a);

	if (e == DUCT_ENTRY_UNINIT)
		return *(const volatile uint8_t *)a == PATTERN ? 0xff : 0;
	return e < DUCT_ENTRY_NODE || !taint ? 0 : (e & 15) > 7 ? taint[e >> 4] != 0 : taint[e >> 4] >> 8 * (e & 15) & 0xff;
}

/* Of several bytes that a read at a symbolic address may give, the ones at hand count; that others
 * are not written yet is not asked for. */
void duct_unwritten_read(duct_node n, const struct duct_object *o, uintptr_t p, uint32_t bytes)
{
	uint64_t m = 0;

	if (!duct_watches(CHECK_UNINIT))
		return;
	for (size_t i = 0; i < o->size; i++)
		if (of_byte(o->base + i)) {
			duct_lost(NULL, 0, "uninitialised memory at a symbolic address", NULL);
			break;
		}
	for (uint32_t i = 0; i < bytes; i++)
		m |= of_byte(p + i) ? i < 8 ? of_byte(p + i) << 8 * i : 1 : 0;
	if (m && !taint)
		taint = duct_arena(((size_t)duct_nodes.max + 1) * sizeof *taint);
	if (taint && n)
		taint[n] = m;
}

static uint64_t above_lowest(uint64_t m)
{
	return m ? ~(m & -m) + 1 : 0;
}

static uint64_t of_equality(const struct channel_node *a, const struct channel_node *b, uint64_t m)
{
	return m && !((a->value ^ b->value) & ~m);
}

static uint64_t of_shift(enum op op, uint32_t width, const struct channel_node *by, uint64_t m, uint64_t ty)
{
	if (ty || by->value >= width)
		return m | ty ? ~(uint64_t)0 : 0;
	if (op == OP_SHL)
		return m << by->value;
	return m >> by->value | (op == OP_ASHR && m >> (width - 1) & 1 ? ~(~(uint64_t)0 >> by->value) : 0);
}

/* Bits of a node of these operands that depend on unwritten bytes. */
static uint64_t mask_of(enum op op, const struct channel_node *n)
{
	bool two = duct_arity[op] > 1, three = duct_arity[op] > 2;
	const struct channel_node *a = duct_at(n->a), *b = two ? duct_at(n->b) : NULL;
	uint64_t x = taint[n->a], y = two ? taint[n->b] : 0, z = three ? taint[n->c] : 0;

	if (!(x | y | z))
		return 0;
	if (n->width > 64 || a->width > 64)
		return op == OP_EXTRACT && n->c < 64 ? x >> n->c : ~(uint64_t)0;
	switch (op) {
	case OP_AND: return (x & y) | (x & b->value) | (y & a->value);
	case OP_OR: return (x & y) | (x & ~b->value) | (y & ~a->value);
	case OP_XOR: case OP_NOT: return x | y;
	case OP_ADD: case OP_SUB: case OP_MUL: case OP_NEG: return above_lowest(x | y);
	case OP_SHL: case OP_LSHR: case OP_ASHR: return of_shift(op, n->width, b, x, y);
	case OP_EQ: return of_equality(a, b, x | y);
	case OP_ITE: return x ? ~(uint64_t)0 : a->value ? y : z;
	case OP_CONCAT: return x << b->width | y;
	case OP_EXTRACT: return x >> n->c;
	case OP_ZEXT: return x;
	case OP_SEXT: return x | (x >> (a->width - 1) & 1 ? ~(uint64_t)0 << a->width : 0);
	default: return ~(uint64_t)0;
	}
}

void duct_note_taint(duct_node n)
{
	const struct channel_node *p = duct_at(n);

	if (!taint || !duct_arity[p->op] || p->op == OP_STORE)
		return;
	taint[n] = p->op == OP_READ ? taint[p->b] : mask_of((enum op)p->op, p);
	if (p->width < 64)
		taint[n] &= ((uint64_t)1 << p->width) - 1;
}

void duct_rt_decides(struct duct_unit *u, uint32_t inst, duct_node n)
{
	if (duct_channel && n && taint && taint[n])
		duct_fault(u, inst, CHECK_UNINIT);
}
