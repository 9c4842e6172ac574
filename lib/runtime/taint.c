/* Bytes that were never written. Their value is undefined, so a byte that is read becomes an input,
 * and the run reports the use where a decision, an address or a result of the program depends on
 * it. To copy it, or to read it beside a bit-field or member that is used, is no use. For variables
 * in registers, woven code asks for a value (lib/front/unset), which is reported at once. With
 * --check uninit, the report comes at the decision that depends on such bytes. They are filled with
 * a pattern and marked in the shadow; a byte that is read becomes an expression without inputs, a
 * READ of a table of its own. In both cases, each node has a mask of the bits that depend on such
 * bytes. Masks are exact for bitwise operations, so that other bit-fields of the same unit do not
 * count, and an upper bound for arithmetic. */
#include "lib/runtime/rt.h"
#include <string.h>

#define PATTERN 0xbe

const uint8_t duct_arity[OP_COUNT] = {
#define OP(name, text, n) [OP_##name] = n,
	OP_LIST(OP)
#undef OP
};

#define LARGEST ((size_t)1 << 16) /* bytes of an object that are followed */
#define MOST \
	((size_t)1 << 16) /* bytes that a run gets by malloc and that are followed: it costs time \
	                   */

/* Where such objects are; the latest ones. Not in memory of the program's own, where leak.c would
 * take it for their use. */
static struct unset {
	uintptr_t base;
	size_t size;
	const char *name, *place;
} *unset;
static uint32_t unsets;
#define LATEST 1024u

static const struct unset *unset_at(uintptr_t a)
{
	for (uint32_t i = 0; i < LATEST && i < unsets; i++) {
		const struct unset *u = &unset[(unsets - 1 - i) % LATEST];

		if (a - u->base < u->size)
			return u;
	}
	return NULL;
}

static size_t append(char *to, size_t n, const char *s)
{
	while (*s && n < 200)
		to[n++] = *s++;
	to[n] = 0;
	return n;
}

/* The run used what has no value: the variable `name`, declared at `place`. */
static void used(const char *name, const char *place)
{
	char text[256];

	append(text, append(text, append(text, 0, name), *place ? " of " : ""), place);
	duct_limit("uninit", text, 0);
	duct_told_time = true; /* a test cannot give it: what it leads to is not compared */
}

static const char of_block[] = "malloc";

static uint64_t *taint; /* by node; NULL: no such byte was read yet */

static void make_taint(void)
{
	if (!taint)
		taint = duct_arena(((size_t)duct_nodes.max + 1) * sizeof *taint);
}

/* Inputs that stand for such bytes. */
static struct taint_source {
	duct_node n;
	const struct unset *of;
} *source;
static uint32_t sources;

static void note_source(duct_node n, uint32_t bits, const struct unset *of)
{
	make_taint();
	taint[n] = (uint64_t)duct_mask(bits);
	if (!source)
		source = duct_arena(LATEST * sizeof *source);
	source[sources++ % LATEST] = (struct taint_source){ n, of };
}

static const struct unset *source_of(duct_node n)
{
	for (uint32_t i = 0; i < LATEST && i < sources; i++)
		if (source[i].n == n)
			return source[i].of;
	return NULL;
}

/* An operand of n on account of which n is tainted, or 0. */
static duct_node tainted_operand(duct_node n)
{
	const struct channel_node *p = duct_at(n);
	duct_node of[3] = { p->a, p->b, p->c };

	for (uint32_t i = p->op == OP_READ ? 1 : 0; i < duct_arity[p->op]; i++)
		if (of[i] < n && taint[of[i]])
			return of[i];
	return 0;
}

void duct_taint_used(duct_node n)
{
	const struct unset *u;

	if (!n || !taint || !taint[n] || duct_watches(CHECK_UNINIT))
		return;
	for (duct_node m; (m = tainted_operand(n)) != 0;)
		n = m;
	u = source_of(n);
	if (u)
		used(u->name == of_block ? "memory of malloc()" : u->name, u->place);
	else
		used("memory", "");
}

bool duct_tainted(duct_node n)
{
	return n && taint && taint[n] && !duct_watches(CHECK_UNINIT);
}

/* Its value: any, as the input uninit.NAME. */
static struct duct_term any_value(const char *name, uint32_t bits)
{
	char text[256], root[256];

	append(text, append(text, 0, *name ? "uninit." : "uninit"), name);
	duct_input_root(root, text);
	return duct_input_var(root, INPUT_UINT, bits, 0);
}

uint64_t duct_rt_unset(const char *name, const char *place, uint32_t bits)
{
	struct duct_term t;

	duct_ret_from = NULL;
	duct_args_for = NULL;
	if (!duct_channel || !name)
		return 0;
	if (*name)
		used(name, place);
	duct_told_time = true;
	t = duct_t_extend(OP_ZEXT, 64, any_value(name, bits));
	duct_ret[0] = t.n;
	duct_ret_from = (void *)duct_rt_unset;
	duct_flow_ret = duct_flow_of(duct_inputs_met() - 1);
	return (uint64_t)t.v;
}

void duct_rt_unset_memory(void *p, size_t n, const char *name, const char *place)
{
	uintptr_t a = (uintptr_t)p;
	const struct duct_object *o = duct_channel ? duct_object_at(a) : NULL;

	if (o && o->limit && o->base == a)
		n = o->room; /* as long as any that has the same path */
	if (!duct_channel || !n || duct_watches(CHECK_UNINIT))
		return;
	if (n > LARGEST) {
		duct_limit("uninit", "an object of more than 64 KiB", LARGEST);
		return;
	}
	duct_live = 1;
	memset(p, PATTERN, n);
	duct_shadow_unset(a, n);
	if (!unset)
		unset = duct_arena(LATEST * sizeof *unset);
	unset[unsets++ % LATEST] = (struct unset){ a, n, name, place };
}

void duct_unset_block(void *p, size_t n)
{
	static size_t all;
	static bool full;

	if (full || !duct_channel || duct_watches(CHECK_UNINIT))
		return;
	full = n > MOST || all > MOST - n;
	all += n;
	if (full)
		duct_limit("unset", "", MOST);
	else
		duct_rt_unset_memory(p, n, of_block, "");
}

static void make_inputs(uintptr_t a, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++) {
		const struct unset *u;
		struct duct_term t;
		uint32_t n = 1;

		if (duct_entry(a + i) != DUCT_ENTRY_UNINIT)
			continue;
		if (*(const volatile uint8_t *)(a + i)
		    != PATTERN) { /* by code that is not instrumented */
			duct_entry_set(a + i, DUCT_ENTRY_NONE);
			continue;
		}
		u = unset_at(a + i);
		while (i + n < bytes && n < 8 && duct_entry(a + i + n) == DUCT_ENTRY_UNINIT
		    && *(const volatile uint8_t *)(a + i + n) == PATTERN)
			n++;
		t = any_value(u ? u->name : "memory", 8 * n);
		note_source(t.n, 8 * n, u);
		for (uint32_t k = 0; k < n; k++)
			((volatile uint8_t *)a)[i + k] = (uint8_t)(t.v >> 8 * k);
		duct_store_term(a + i, n, t.n);
		i += n - 1;
	}
}

void duct_unset_read(uintptr_t a, uint32_t bytes)
{
	make_inputs(a, bytes);
}

#define SMALL 128u /* bytes of an object all of which may become inputs */

static void note_fresh(struct duct_object *o)
{
	o->fresh = duct_arena(o->room);
	for (size_t i = 0; i < o->room; i++)
		o->fresh[i] = duct_entry(o->base + i) == DUCT_ENTRY_UNINIT;
	make_inputs(o->base, (uint32_t)o->room);
}

/* Where o begins to be a table and is not small, the bytes that were never written have the values
 * at hand. */
void duct_unset_array(struct duct_object *o)
{
	uintptr_t end = o->base + o->room;

	if (duct_watches(CHECK_UNINIT))
		return;
	for (uintptr_t a = o->base; (a = duct_next_flag(a, end)) < end; a++)
		if (duct_entry(a) == DUCT_ENTRY_UNINIT) {
			o->unset = true;
			if (o->room <= SMALL)
				return note_fresh(o);
			duct_entry_set(a, DUCT_ENTRY_NONE);
		}
}

void duct_unset_written(
    struct duct_object *o, uint64_t at, uint32_t bytes, duct_node offset, duct_node value)
{
	o->unset |= duct_tainted(offset) || duct_tainted(value);
	if (duct_tainted(offset))
		o->fresh = NULL;
	for (uint32_t i = 0; o->fresh && i < bytes && at + i < o->room; i++)
		o->fresh[at + i] = duct_tainted(value);
}

void duct_unset_read_at(const struct duct_object *o, uint64_t offset, uint32_t bytes)
{
	const struct unset *u = o->unset ? unset_at(o->base) : NULL;
	bool fresh = o->unset && !o->fresh;

	for (uint32_t i = 0; o->unset && o->fresh && i < bytes && offset + i < o->room; i++)
		fresh |= o->fresh[offset + i] != 0;
	if (fresh)
		used(u ? u->name : "memory", u ? u->place : "");
}

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

	if (now != PATTERN) { /* by code that is not instrumented */
		duct_entry_set(a, DUCT_ENTRY_NONE);
		return duct_constant(8, now);
	}
	table = duct_node_get(OP_TABLE, 0, (uint32_t)duct_blob(&now, 1), 1, 0, 0);
	zero = duct_term_node(duct_constant(64, 0));
	n = duct_node_get(OP_READ, 8, table, zero, 0, now);
	make_taint();
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
	return e < DUCT_ENTRY_NODE || !taint ? 0
	    : (e & 15) > 7                   ? taint[e >> 4] != 0
	                                     : taint[e >> 4] >> 8 * (e & 15) & 0xff;
}

int duct_rt_is_set(const void *p, size_t n)
{
	for (size_t i = 0; duct_channel && i < n; i++)
		if (duct_entry((uintptr_t)p + i) == DUCT_ENTRY_UNINIT)
			return 0;
	return 1;
}

/* Of several bytes that a read at a symbolic address may give, the ones at hand count; that others
 * are not written yet is not asked for. */
void duct_unwritten_read(duct_node n, const struct duct_object *o, uintptr_t p, uint32_t bytes)
{
	uint64_t m = 0;

	if (!duct_watches(CHECK_UNINIT)) {
		if (n)
			duct_unset_read_at(o, p - o->base, bytes);
		return;
	}
	for (size_t i = 0; i < o->size; i++)
		if (of_byte(o->base + i)) {
			duct_lost(NULL, 0, "uninitialised memory at a symbolic address", NULL);
			break;
		}
	for (uint32_t i = 0; i < bytes; i++)
		m |= of_byte(p + i) ? i < 8 ? of_byte(p + i) << 8 * i : 1 : 0;
	if (m)
		make_taint();
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

static uint64_t of_shift(
    enum op op, uint32_t width, const struct channel_node *by, uint64_t m, uint64_t ty)
{
	if (ty || by->value >= width)
		return m | ty ? ~(uint64_t)0 : 0;
	if (op == OP_SHL)
		return m << by->value;
	return m >> by->value
	    | (op == OP_ASHR && m >> (width - 1) & 1 ? ~(~(uint64_t)0 >> by->value) : 0);
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
	case OP_XOR:
	case OP_NOT: return x | y;
	case OP_ADD:
	case OP_SUB:
	case OP_MUL:
	case OP_NEG: return above_lowest(x | y);
	case OP_SHL:
	case OP_LSHR:
	case OP_ASHR: return of_shift(op, n->width, b, x, y);
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
	if (duct_channel && n && taint && taint[n]) {
		duct_fault(u, inst, CHECK_UNINIT);
		used("a decision", "");
	}
}
