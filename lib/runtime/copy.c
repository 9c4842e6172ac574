/* Block operations on memory: memcpy, memmove, memset. */
#include "lib/runtime/writers.h"

#define PAGE 4096u /* no object lies below */

static void copy_byte(uintptr_t d, uintptr_t s)
{
	uint32_t e = duct_entry(s);

	if (e == DUCT_ENTRY_ARRAY)
		duct_store_term(d, 1, duct_load_term(s, 1).n);
	else if (e || duct_entry(d))
		duct_entry_set(d, e);
}

/* Entries that belong to an array become expressions of their own, words if possible. */
static uint32_t copy_word(uintptr_t d, uintptr_t s, size_t left)
{
	if (left >= 8 && s % 8 == 0 && duct_entry(s) == DUCT_ENTRY_ARRAY) {
		duct_store_term(d, 8, duct_load_term(s, 8).n);
		return 8;
	}
	copy_byte(d, s);
	return 1;
}

/* The most bytes of a table that a copy keeps symbolic: each eight of them become an expression. */
#define LONGEST_TABLE ((size_t)256 << 10)

static void copy_up(uintptr_t d, uintptr_t s, size_t n)
{
	bool lost = false;

	for (size_t i = 0; i < n;) {
		uintptr_t next = duct_next_flag(s + i, s + n);

		if (n > LONGEST_TABLE && next == s + i && duct_entry(next) == DUCT_ENTRY_ARRAY) {
			lost = true;
			duct_entry_set(d + i++, DUCT_ENTRY_NONE);
			continue;
		}

		if (next > s + i) {
			duct_shadow_clear(d + i, next - (s + i));
			i = next - s;
			continue;
		}
		i += copy_word(d + i, s + i, n - i);
	}
	if (lost)
		duct_lost(
		    NULL, 0, "a long copy of a table that was written at symbolic addresses", NULL);
}

static void concretised(struct duct_unit *u, uint32_t place, duct_node n, const char *what)
{
	if (n && !duct_implied(n, 4))
		duct_lost(u, place, what, NULL);
}

/* ---- symbolic lengths: each byte that may be written is the source's byte or the old one */

#define LONGEST 4096

/* Bytes from a to the end of its object, which a length must not exceed; 0: the object is not
 * known. */
static size_t fits(struct duct_unit *u, uint32_t place, uintptr_t a, struct duct_term n)
{
	struct duct_object *o = duct_object_at(a);
	struct duct_term size, in;

	if (!o || a - o->base >= o->size)
		return 0;
	size = o->limit ? duct_term(o->limit) : duct_constant(64, o->size);
	in = duct_t_binary(OP_ULE, n, duct_t_binary(OP_SUB, size, duct_constant(64, a - o->base)));
	duct_model_condition(u, place, in);
	if (!in.v) {
		duct_grow_leave(o, (int64_t)o->size);
		duct_end(FAULT_BOUNDS, "a block of symbolic length leaves its object");
	}
	duct_grow_whole(o);
	return o->room - (a - o->base);
}

static void write_some(
    uintptr_t to, const struct duct_term *byte, size_t step, size_t room, struct duct_term n)
{
	for (size_t i = 0; i < room; i++) {
		struct duct_term is = duct_t_binary(OP_ULT, duct_constant(64, i), n);

		duct_store_term(
		    to + i, 1, duct_t_ite(is, byte[i * step], duct_load_term(to + i, 1)).n);
	}
}

/* The most bytes that may be written when n are requested; 0: too many. */
static size_t window(struct duct_unit *u, uint32_t place, uintptr_t to, struct duct_term n)
{
	size_t most = fits(u, place, to, n);

	return most ? duct_room(u, place, n, most < LONGEST ? most : LONGEST) : 0;
}

static bool copy_some(
    struct duct_unit *u, uint32_t place, uintptr_t to, uintptr_t from, struct duct_term n)
{
	static struct duct_term *byte;
	size_t have = fits(u, place, from, n), room = have ? window(u, place, to, n) : 0;

	if (!room)
		return false;
	if (!byte)
		byte = duct_arena(LONGEST * sizeof *byte);
	for (size_t i = 0; i < room; i++)
		byte[i] = i < have ? duct_load_term(from + i, 1) : duct_constant(8, 0);
	write_some(to, byte, 1, room, n);
	return true;
}

/* Called before a block at p, whose node is np, is accessed. If p is NULL, and some byte is
 * accessed, determines which pointer of the caller is NULL. If the length is symbolic, decides the
 * object, too. Returns the remaining node. */
static duct_node settle(
    struct duct_unit *u, uint32_t place, uintptr_t p, duct_node np, size_t n, duct_node nn)
{
	struct duct_term length = duct_size_term(nn, n);
	duct_node left = np && length.n ? duct_settle(NULL, 0, duct_term(np)).n
	                                : np; /* no place: NULL is allowed if no byte is touched */

	if (left && length.n && duct_implied(left, 4))
		left = 0; /* the path determines the address */
	if (p >= PAGE || !np)
		return left;
	duct_model_condition(u, place, duct_t_binary(OP_EQ, length, duct_constant(64, 0)));
	if (n)
		duct_grow_need_object(u, place, np);
	return left;
}

/* Ends the run if a block leaves an object of the caller, before the C library accesses it. */
static void stay(uintptr_t a, size_t n)
{
	struct duct_object *o = n && duct_may_grow(a, 1) ? duct_object_at(a) : NULL;

	if (o && o->input && a - o->base < o->size && n > o->size - (a - o->base))
		duct_grow_leave(o, (int64_t)o->size);
}

/* Makes copied bytes inputs. If the address is symbolic (0 here), this happens later: whether it
 * lies within its object is a condition of the path, which comes first. */
static void grow(uintptr_t from, uintptr_t to, size_t n)
{
	if (from && duct_may_grow(from, n))
		duct_grow_read(from, n);
	if (to && duct_may_grow(to, n))
		duct_grow_write(to, n);
}

/* Takes the length of this run. With pairs, whether any byte is copied is a decision of the path,
 * so that there are runs of both kinds. */
static void take_length(struct duct_unit *u, uint32_t place, size_t n, duct_node nn)
{
	struct duct_term length = duct_size_term(nn, n);

	if (length.n && duct_last_on())
		duct_model_condition(u, place, duct_t_binary(OP_EQ, length, duct_constant(64, 0)));
	concretised(u, place, nn, "length of a copy is symbolic");
}

void duct_rt_copy(struct duct_unit *u, uint32_t place, void *d, const void *s, size_t n,
    duct_node nd, duct_node ns, duct_node nn)
{
	uintptr_t to = (uintptr_t)d, from = (uintptr_t)s;
	struct duct_term length;

	if (!duct_channel || (!duct_live && !nd && !ns))
		return;
	nd = settle(u, place, to, nd, n, nn);
	ns = settle(u, place, from, ns, n, nn);
	if (n)
		duct_grow_meet(u, place, to, n, nd);
	if (n)
		duct_grow_meet(u, place, from, n, ns);
	if (!nn)
		grow(ns ? 0 : from, nd ? 0 : to, n);
	if (nn && !nd && !ns && (length = duct_size_term(nn, n)).n
	    && copy_some(u, place, to, from, length))
		return;
	take_length(u, place, n, nn);
	if ((nd || ns) && duct_copy_symbolic(u, place, to, from, n, nd, ns))
		return;
	stay(from, n);
	stay(to, n);
	grow(from, to, n);
	if (n > 4096) {
		concretised(u, place, nd, "long copy to a symbolic address");
		concretised(u, place, ns, "long copy from a symbolic address");
	}
	if (!duct_flagged(from, n))
		duct_shadow_clear(to, n);
	else if (to <= from || to >= from + n)
		copy_up(to, from, n);
	else
		for (size_t i = n; i-- > 0;)
			copy_byte(to + i, from + i);
}

/* Handles a symbolic length first, then a symbolic address; false if neither could be kept
 * symbolic. */
static bool fill_symbolic(struct duct_unit *u, uint32_t place, uintptr_t to, size_t n,
    struct duct_term byte, duct_node nd, duct_node nn)
{
	struct duct_term length = duct_size_term(nn, n);
	size_t room = !nd && length.n ? window(u, place, to, length) : 0;

	if (room) {
		write_some(to, &byte, 0, room, length);
		return true;
	}
	concretised(u, place, nn, "length of memset is symbolic");
	if (nd && duct_set_symbolic(u, place, to, n, byte, nd))
		return true;
	concretised(u, place, nd, "memset at a symbolic address");
	stay(to, n);
	return false;
}

void duct_rt_fill(struct duct_unit *u, uint32_t place, void *d, size_t n, uint32_t value,
    duct_node byte, duct_node nd, duct_node nn)
{
	uintptr_t to = (uintptr_t)d;
	struct duct_term t = duct_constant(8, (uint8_t)value);

	if (!duct_channel)
		return;
	nd = settle(u, place, to, nd, n, nn);
	if (n)
		duct_grow_meet(u, place, to, n, nd);
	if (byte)
		t = duct_t_extract(8, 0, duct_term(byte));
	if ((nd || nn) && fill_symbolic(u, place, to, n, t, nd, nn))
		return;
	if (!t.n)
		duct_shadow_clear(to, n);
	else
		for (size_t i = 0; i < n; i++)
			duct_store_term(to + i, 1, t.n);
}

void duct_rt_set(struct duct_unit *u, uint32_t place, void *d, size_t n, duct_node byte,
    duct_node nd, duct_node nn)
{
	duct_rt_fill(u, place, d, n, byte ? (uint32_t)duct_at(byte)->value : 0, byte, nd, nn);
}

void duct_rt_check(struct duct_unit *u, uint32_t place, duct_node n, uint64_t value, uint32_t width)
{
	uint64_t have, mask = (uint64_t)duct_mask(width);
	char text[96] = "instruction's operand is ";
	size_t at = 25;

	(void)u;
	if (!duct_channel || !n)
		return;
	have = duct_at(n)->value;
	if (have == (value & mask) && duct_at(n)->width == width)
		return;
	at += duct_digits(text + at, value & mask);
	for (const char *s = ", its expression "; *s; s++)
		text[at++] = *s;
	at += duct_digits(text + at, have);
	text[at] = 0;
	duct_channel->fault_line = place;
	duct_end(FAULT_CHECK, text);
}
