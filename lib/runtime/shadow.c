/* Shadow memory: which node each byte carries. Flags (1 byte for 8, at DUCT_FLAGS) are read
 * by woven code; entries (32 bits a byte) lie in leaves of 4 KiB of addresses, made on demand
 * and found through a hash of page numbers. A flag may be set although its bytes
 * have no entry, never the other way round. */
#include "lib/runtime/rt.h"
#include <sys/mman.h>

#define PAGE 4096u
#define FIRST_PAGES 64u

typedef uint64_t __attribute__((may_alias, aligned(1))) words;

struct leaf {
	uintptr_t page;
	uint32_t *entry;
};

static struct leaf first_leaves[FIRST_PAGES];
static struct {
	struct leaf *leaf;
	uint32_t mask, used;
	struct leaf last;
} shadow = { .leaf = first_leaves, .mask = FIRST_PAGES - 1 };

uint64_t duct_shadow_changes;

/* All bytes that ever had an entry lie in between. Complements: leak.c must not take them for
 * pointers to a block. */
static uintptr_t not_lowest, not_highest = UINTPTR_MAX;

static inline uint8_t *flag(uintptr_t a)
{
	return (uint8_t *)((a >> 3) + DUCT_FLAGS);
}

bool duct_shadow_map(void)
{
	size_t size = DUCT_FLAGS_SIZE;
	long p = sys6(SYS_mmap, DUCT_FLAGS, size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	if (p != (long)DUCT_FLAGS)
		return false;
	sys3(SYS_madvise, p, size, MADV_NOHUGEPAGE);
	sys3(SYS_madvise, p, size, MADV_DONTDUMP);
	return true;
}

static struct leaf *place(struct leaf *table, uint32_t mask, uintptr_t page)
{
	uint32_t i = (uint32_t)((page * 0x9e3779b97f4a7c15u) >> 32);

	while (table[i &= mask].entry && table[i].page != page)
		i++;
	return &table[i];
}

static void grow(void)
{
	uint32_t mask = shadow.mask * 4 + 3;
	struct leaf *bigger = duct_arena((mask + 1) * sizeof *bigger);

	for (uint32_t i = 0; i <= shadow.mask; i++)
		if (shadow.leaf[i].entry)
			*place(bigger, mask, shadow.leaf[i].page) = shadow.leaf[i];
	shadow.leaf = bigger;
	shadow.mask = mask;
}

/* Entries of a's page, or NULL when it has none and they are not to be made. */
static uint32_t *entries(uintptr_t a, bool create)
{
	uintptr_t page = a / PAGE;
	struct leaf *l;

	if (shadow.last.entry && shadow.last.page == page)
		return shadow.last.entry;
	l = place(shadow.leaf, shadow.mask, page);
	if (!l->entry) {
		if (!create)
			return NULL;
		if (++shadow.used > shadow.mask / 2) {
			grow();
			l = place(shadow.leaf, shadow.mask, page);
		}
		l->page = page;
		l->entry = duct_arena(PAGE * sizeof *l->entry);
		*(volatile uint32_t *)&l->entry[a % PAGE] =
		    0; /* a write fault now, not a read fault first */
	}
	shadow.last = *l;
	return l->entry;
}

/* A flag of 2 and more has a bit for each of the line's bytes that was never written: the others
 * have no entry, nor has the line any in memory. */
static uint8_t unset_bytes(uintptr_t a)
{
	uint8_t f = *flag(a);

	return f > 1 ? f : 0;
}

/* Bits of the bytes from a on, at most `bytes`, in a's line. */
static uint8_t bits(uintptr_t a, size_t bytes)
{
	uint32_t from = a % 8;

	return (uint8_t)((bytes < 8 - from ? (1u << bytes) - 1 : 0xff) << from);
}

static void write_out(uintptr_t a)
{
	uintptr_t line = a & ~(uintptr_t)7;
	uint8_t f = unset_bytes(a);
	uint32_t *e = f ? entries(line, true) : NULL;

	for (uint32_t i = 0; e && i < 8; i++)
		e[line % PAGE + i] = f >> i & 1 ? DUCT_ENTRY_UNINIT : DUCT_ENTRY_NONE;
	if (e)
		*flag(a) = 1;
}

/* Bytes of a line that were never written are; false: it has other entries. */
static bool written(uintptr_t a, size_t bytes)
{
	uint8_t f = unset_bytes(a), left = f & (uint8_t)~bits(a, bytes);

	if (!f || left == 1)
		return false;
	*flag(a) = left;
	duct_shadow_changes++;
	return true;
}

const uint32_t *duct_line(uintptr_t a)
{
	uint32_t *e;

	write_out(a);
	e = *flag(a) ? entries(a, false) : NULL;

	return e ? e + a % PAGE : NULL;
}

uint32_t duct_entry(uintptr_t a)
{
	uint32_t *e = *flag(a) ? entries(a, false) : NULL;

	if (unset_bytes(a))
		return unset_bytes(a) >> a % 8 & 1 ? DUCT_ENTRY_UNINIT : DUCT_ENTRY_NONE;
	return e ? e[a % PAGE] : DUCT_ENTRY_NONE;
}

static void widen(uintptr_t from, uintptr_t to)
{
	if (~from > not_lowest)
		not_lowest = ~(from & ~(uintptr_t)7);
	if (~to < not_highest)
		not_highest = ~(to | 7);
}

void duct_entry_set(uintptr_t a, uint32_t entry)
{
	uint32_t *e;

	write_out(a);
	e = entries(a, entry != DUCT_ENTRY_NONE);
	if (!e || e[a % PAGE] == entry)
		return;
	e[a % PAGE] = entry;
	duct_shadow_changes++;
	if (!entry)
		return;
	*flag(a) = 1;
	widen(a, a);
}

void duct_entry_fill(uintptr_t a, size_t n, uint32_t entry)
{
	uintptr_t end = a + n;

	for (; a < end && (a % 8 || end - a < 8); a++)
		duct_entry_set(a, entry);
	for (; a + 8 <= end; a += 8) {
		uint32_t *e = entries(a, true);

		for (uint32_t i = 0; i < 8; i++)
			e[a % PAGE + i] = entry;
		*flag(a) = 1;
		widen(a, a + 7);
	}
	duct_shadow_changes++;
	for (; a < end; a++)
		duct_entry_set(a, entry);
}

bool duct_entries_are(uintptr_t a, const uint32_t *then, uint32_t otherwise)
{
	const uint64_t in_memory = 0x0101010101010101; /* flags of 8 lines */
	uint64_t f = *(const words *)flag(a);
	const uint32_t *e = f ? entries(a, false) : NULL;
	uint32_t other = 0;

	if ((f && f != in_memory) || (f && !e))
		return false;
	for (uint32_t i = 0; i < 64; i++)
		other |= (e ? e[a % PAGE + i] : DUCT_ENTRY_NONE) ^ (then ? then[i] : otherwise);
	return !other;
}

void duct_shadow_watch(uintptr_t a)
{
	write_out(a);
	*flag(a) = 1;
	widen(a, a);
}

void duct_shadow_unset(uintptr_t a, size_t n)
{
	uintptr_t end = a + n;

	for (; a < end && (a % 8 || end - a < 8); a++)
		duct_entry_set(a, DUCT_ENTRY_UNINIT);
	if (a < end)
		widen(a, end - 1);
	for (; a + 8 <= end; a += 8)
		*flag(a) = 0xff;
	duct_shadow_changes++;
	for (; a < end; a++)
		duct_entry_set(a, DUCT_ENTRY_UNINIT);
}

uintptr_t duct_next_flag(uintptr_t a, uintptr_t end)
{
	uintptr_t line = a & ~(uintptr_t)7;

	if (a > ~not_highest || end <= ~not_lowest)
		return end;
	for (; line < end; line += 64) { /* 8 lines at once */
		size_t lines = (end - line + 7) / 8;
		uint64_t f = *(const words *)flag(line);

		if (lines < 8)
			f &= ((uint64_t)1 << 8 * lines) - 1;
		if (f) {
			line += (uintptr_t)__builtin_ctzll(f) & ~(uintptr_t)7;
			return line < a ? a : line;
		}
	}
	return end;
}

bool duct_flagged(uintptr_t a, size_t n)
{
	return n && duct_next_flag(a, a + n) < a + n;
}

void duct_shadow_clear(uintptr_t a, size_t n)
{
	uintptr_t end = a + n;

	if (a > ~not_highest || end <= ~not_lowest)
		return;
	if (duct_may_grow(a, n))
		duct_grow_write(a, n);
	while ((a = duct_next_flag(a, end)) < end) {
		uintptr_t line = a & ~(uintptr_t)7, stop = line + 8 < end ? line + 8 : end;
		uint32_t *e;
		bool left = false;

		if (written(a, stop - a)) {
			a = stop;
			continue;
		}
		write_out(a);
		e = entries(a, false);
		for (uintptr_t i = line; e && i < line + 8; i++) {
			if (i >= a && i < stop && e[i % PAGE]) {
				e[i % PAGE] = DUCT_ENTRY_NONE;
				duct_shadow_changes++;
			}
			left |= e[i % PAGE] != DUCT_ENTRY_NONE;
		}
		if (!left && !(duct_edges && duct_is_edge(line, 8)))
			*flag(line) = 0;
		a = stop;
	}
}

static duct_wide memory(uintptr_t a, uint32_t bytes)
{
	duct_wide v = 0;

	duct_touched = a;
	for (uint32_t i = bytes; i-- > 0;)
		v = v << 8 | *(const uint8_t *)(a + i);
	return v;
}

/* The term that entries say these bytes have, `first` being the first one's; entries after
 * it follow on. */
static struct duct_term piece(uintptr_t a, uint32_t bytes, uint32_t first)
{
	struct duct_object *o;

	if (first >= DUCT_ENTRY_NODE)
		return duct_t_extract(bytes * 8, (first & 15) * 8, duct_term(first >> 4));
	if (first == DUCT_ENTRY_UNINIT)
		return duct_unwritten(a);
	o = first == DUCT_ENTRY_ARRAY ? duct_object_at(a) : NULL;
	if (o && o->array_mode && a + bytes <= o->base + o->room)
		return duct_array_read(o, a - o->base, bytes);
	return duct_constant(bytes * 8, memory(a, bytes));
}

/* Are all entries consecutive bytes of one node, or all the array's? */
static bool one_piece(uintptr_t a, uint32_t bytes, uint32_t first)
{
	for (uint32_t i = 1; i < bytes; i++)
		if (duct_entry(a + i) != (first == DUCT_ENTRY_ARRAY ? first : first + i))
			return false;
	return first == DUCT_ENTRY_ARRAY
	    || (first & 15) + bytes <= (duct_at(first >> 4)->width + 7u) / 8;
}

/* The term for bytes of which some have a shadow entry. */
static struct duct_term shadow_term(uintptr_t a, uint32_t bytes)
{
	uint32_t first = duct_entry(a);
	struct duct_term t;

	if (first != DUCT_ENTRY_NONE && first != DUCT_ENTRY_UNINIT && one_piece(a, bytes, first))
		return piece(a, bytes, first);
	t = piece(a, 1, first);
	for (uint32_t i = 1; i < bytes; i++)
		t = duct_t_concat(piece(a + i, 1, duct_entry(a + i)), t);
	return t;
}

bool duct_peek_term(uintptr_t a, uint32_t bytes, struct duct_term *t)
{
	if (!duct_flagged(a, bytes)) {
		*t = duct_constant(bytes * 8, memory(a, bytes));
		return true;
	}
	for (uint32_t i = 0; i < bytes; i++) {
		uint32_t e = duct_entry(a + i);
		if (e == DUCT_ENTRY_UNINIT || e == DUCT_ENTRY_LATER || e == DUCT_ENTRY_ARRAY)
			return false;
	}
	*t = shadow_term(a, bytes);
	return t->v == memory(a, bytes);
}

struct duct_term duct_load_term(uintptr_t a, uint32_t bytes)
{
	duct_wide now;
	struct duct_term t;

	if (!duct_flagged(a, bytes))
		return duct_constant(bytes * 8, memory(a, bytes));
	if (duct_may_grow(a, bytes))
		duct_grow_read(a, bytes);
	if (!duct_watches(CHECK_UNINIT))
		duct_unset_read(a, bytes);
	now = memory(a, bytes);
	t = shadow_term(a, bytes);
	if (t.v == now)
		return t;
	duct_shadow_clear(a, bytes);
	duct_lost(NULL, 0, "memory written by code that is not instrumented", NULL);
	return duct_constant(bytes * 8, now);
}

void duct_store_term(uintptr_t a, uint32_t bytes, duct_node v)
{
	if (!v) {
		duct_shadow_clear(a, bytes);
		return;
	}
	if (duct_may_grow(a, bytes))
		duct_grow_write(a, bytes);
	for (uint32_t i = 0; i < bytes; i++)
		duct_entry_set(a + i, v << 4 | i);
}

/* Some bytes of a pointer in a union are read as a number: a decision of the path whether a number
 * is there; else an address decides. */
static void read_part(uintptr_t a)
{
	uint32_t first = duct_entry(a);
	struct duct_term is;

	if (first < DUCT_ENTRY_NODE || !(duct_at(first >> 4)->reserved & DUCT_UNION))
		return;
	is = duct_is_number(first >> 4);
	duct_model_condition(NULL, 0, is);
	if (is.v)
		return;
	duct_limit("address", "a read of a union", 0);
	duct_told_time = true;
}

duct_node duct_rt_load(const void *p, uint32_t bytes, uint32_t width)
{
	uint8_t f = unset_bytes((uintptr_t)p);
	struct duct_term t;

	if (!duct_channel || bytes > 16
	    || (f && (uintptr_t)p % 8 + bytes <= 8 && !(f & bits((uintptr_t)p, bytes))))
		return 0;
	if (duct_grow_cycle)
		duct_grow_round();
	if (duct_edges)
		duct_meet_edge((uintptr_t)p, bytes);
	t = duct_load_term((uintptr_t)p, bytes);
	if (t.n && bytes < 8)
		read_part((uintptr_t)p);
	return t.n && width < t.w ? duct_t_extract(width, 0, t).n : t.n;
}

void duct_rt_store(void *p, uint32_t bytes, uint32_t width, duct_node v)
{
	if (duct_edges)
		duct_meet_edge((uintptr_t)p, bytes);
	if (!v && (uintptr_t)p % 8 + bytes <= 8 && written((uintptr_t)p, bytes))
		return;
	if (v && width < bytes * 8)
		v = duct_t_extend(OP_ZEXT, bytes * 8, duct_term(v)).n;
	duct_store_term((uintptr_t)p, bytes, v);
}

duct_node duct_rt_node_at(const void *p, uint32_t bytes)
{
	return duct_rt_load(p, bytes, bytes * 8);
}
