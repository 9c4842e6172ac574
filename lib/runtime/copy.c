/* Block operations on memory: memcpy, memmove, memset. */
#include "lib/runtime/rt.h"

static void copy_byte(uintptr_t d, uintptr_t s)
{
	uint32_t e = duct_entry(s);

	if (e == DUCT_ENTRY_ARRAY)
		duct_store_term(d, 1, duct_load_term(s, 1).n);
	else if (e || duct_entry(d))
		duct_entry_set(d, e);
}

/* Entries that belong to an array become expressions of their own, in words where possible. */
static uint32_t copy_word(uintptr_t d, uintptr_t s, size_t left)
{
	if (left >= 8 && s % 8 == 0 && duct_entry(s) == DUCT_ENTRY_ARRAY) {
		duct_store_term(d, 8, duct_load_term(s, 8).n);
		return 8;
	}
	copy_byte(d, s);
	return 1;
}

static void copy_up(uintptr_t d, uintptr_t s, size_t n)
{
	for (size_t i = 0; i < n;) {
		uintptr_t next = duct_next_flag(s + i, s + n);

		if (next > s + i) {
			duct_shadow_clear(d + i, next - (s + i));
			i = next - s;
			continue;
		}
		i += copy_word(d + i, s + i, n - i);
	}
}

static void concretised(struct duct_unit *u, uint32_t place, duct_node n, const char *what)
{
	if (n && !duct_implied(n, 4))
		duct_lost(u, place, what, NULL);
}

void duct_rt_copy(struct duct_unit *u, uint32_t place, void *d, const void *s, size_t n,
                  duct_node nd, duct_node ns, duct_node nn)
{
	uintptr_t to = (uintptr_t)d, from = (uintptr_t)s;

	if (!duct_channel || (!duct_live && !nd && !ns))
		return;
	concretised(u, place, nn, "length of a copy is symbolic");
	if ((nd || ns) && duct_copy_symbolic(u, place, to, from, n, nd, ns))
		return;
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

void duct_rt_set(struct duct_unit *u, uint32_t place, void *d, size_t n, duct_node byte,
                 duct_node nd, duct_node nn)
{
	uintptr_t to = (uintptr_t)d;

	if (!duct_channel)
		return;
	concretised(u, place, nn, "length of memset is symbolic");
	concretised(u, place, nd, "memset at a symbolic address");
	if (!byte) {
		duct_shadow_clear(to, n);
		return;
	}
	byte = duct_t_extract(8, 0, duct_term(byte)).n;
	for (size_t i = 0; i < n; i++)
		duct_store_term(to + i, 1, byte);
}

void duct_rt_check(struct duct_unit *u, uint32_t place, duct_node n, uint64_t value, uint32_t width)
{
	uint64_t have, mask = (uint64_t)duct_mask(width);
	char text[96] = "instruction's operand is ";
	size_t at = 25;

	(void)u;
	if (!duct_channel || !n || width > 64)
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
