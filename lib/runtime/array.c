/* The content of an object that is accessed at symbolic addresses is described by an array
 * expression: a TABLE of its bytes when it was first met, then a STORE for each change since. It is
 * brought up to date lazily, at the next symbolic access, by comparing memory and entries with a
 * copy. After a write at a symbolic offset any byte may have changed, so all entries become
 * DUCT_ENTRY_ARRAY ("array mode"): such a byte is READ from the array when it is loaded. */
#include "lib/runtime/last.h"
#include <string.h>

#define LONGEST_WALK 4096 /* changes of an array that a read examines */

static duct_node offset_node(uint64_t offset)
{
	return duct_term_node(duct_constant(64, offset));
}

/* Bytes with a node are 0 in the table: each gets a STORE afterwards. The table must be the same in
 * every run that comes here on the same path. */
static void snapshot(struct duct_object *o)
{
	uint64_t at = duct_blob((const void *)o->base, o->room);
	uint8_t *table = (uint8_t *)duct_area(&duct_channel->blob) + at;

	for (size_t i = 0, next; i < o->room; i++) {
		next = duct_next_flag(o->base + i, o->base + o->room) - o->base;
		if (o->fresh)
			memset(o->fresh + i, 0, next - i);
		if ((i = next) == o->room)
			break;
		if (duct_entry(o->base + i) != DUCT_ENTRY_NONE)
			table[i] = 0;
		else if (o->fresh)
			o->fresh[i] = 0;
	}
	o->copied = 1;
	if (!o->bytes)
		o->bytes = duct_arena(o->room);
	memcpy(o->bytes, (const void *)o->base, o->room);
	if (o->entry)
		memset(o->entry, 0, o->room * sizeof *o->entry);
	o->array = duct_node_get(OP_TABLE, 0, (uint32_t)at, (uint32_t)o->room, 0, 0);
}

static uint32_t entry_then(const struct duct_object *o, size_t i)
{
	return o->array_mode ? DUCT_ENTRY_ARRAY : o->entry ? o->entry[i] : DUCT_ENTRY_NONE;
}

static bool differs(const struct duct_object *o, size_t i)
{
	return duct_entry(o->base + i) != entry_then(o, i)
	    || *(uint8_t *)(o->base + i) != o->bytes[i];
}

/* How many bytes from i on change together: they have one node, or are concrete. */
static uint32_t piece(const struct duct_object *o, size_t i)
{
	uint32_t first = duct_entry(o->base + i), n = 1;
	bool node = first >= DUCT_ENTRY_NODE;

	while (n < (node ? 16 : 8) && i + n < o->room && differs(o, i + n)
	    && duct_entry(o->base + i + n) == (node ? first + n : first))
		n++;
	return n;
}

static void note(struct duct_object *o, size_t i, uint32_t n)
{
	o->copied = 1;
	if (!o->array_mode && !o->entry && duct_flagged(o->base + i, n))
		o->entry = duct_arena(o->room * sizeof *o->entry);
	for (; n--; i++) {
		o->bytes[i] = *(uint8_t *)(o->base + i);
		if (o->array_mode)
			duct_entry_set(o->base + i, DUCT_ENTRY_ARRAY);
		else if (o->entry)
			o->entry[i] = duct_entry(o->base + i);
	}
}

static void change(struct duct_object *o, size_t i, uint32_t n)
{
	struct duct_term v = duct_load_term(o->base + i, n);

	duct_unset_written(o, i, n, 0, v.n);
	o->array = duct_node_get(OP_STORE, 0, o->array, offset_node(i), duct_term_node(v), 0);
	note(o, i, n);
}

static bool unchanged(const struct duct_object *o)
{
	return o->array && o->changes == duct_shadow_changes
	    && memcmp(o->bytes, (const void *)o->base, o->room) == 0;
}

static bool same_entries(const uint32_t *now, const uint32_t *then, uint32_t otherwise)
{
	for (int i = 0; i < 8; i++)
		if ((now ? now[i] : DUCT_ENTRY_NONE) != (then ? then[i] : otherwise))
			return false;
	return true;
}

/* Are the 8 bytes from i on unchanged? Only for whole lines. */
static bool line_same(const struct duct_object *o, size_t i)
{
	uintptr_t a = o->base + i;

	if (a % 8 || i + 8 > o->room || memcmp(o->bytes + i, (const void *)a, 8) != 0)
		return false;
	return same_entries(duct_line(a), !o->array_mode && o->entry ? o->entry + i : NULL,
	    o->array_mode ? DUCT_ENTRY_ARRAY : DUCT_ENTRY_NONE);
}

/* The same of 64 bytes. */
static bool lines_same(const struct duct_object *o, size_t i)
{
	uintptr_t a = o->base + i;

	if (a % 64 || i + 64 > o->room || memcmp(o->bytes + i, (const void *)a, 64) != 0)
		return false;
	return duct_entries_are(a, !o->array_mode && o->entry ? o->entry + i : NULL,
	    o->array_mode ? DUCT_ENTRY_ARRAY : DUCT_ENTRY_NONE);
}

/* The first byte from i on that changed; o->room: none did. */
static size_t next_change(const struct duct_object *o, size_t i)
{
	for (uint32_t same; i < o->room; i += same) {
		same = lines_same(o, i) ? 64 : line_same(o, i) ? 8 : !differs(o, i);
		if (!same)
			break;
	}
	return i;
}

/* Would a new TABLE be shorter than the STOREs of all changes? */
static bool mostly_new(const struct duct_object *o)
{
	size_t changed = 0;

	for (size_t i = 0; (i = next_change(o, i)) < o->room; i++)
		changed++;
	return changed * 4 > o->room;
}

duct_node duct_array_now(struct duct_object *o)
{
	if (o->array && o->constant)
		return o->array;
	if (!o->array)
		duct_unset_array(o);
	if (unchanged(o))
		return o->array;
	duct_grow_whole(o);
	if (!o->array || (!o->array_mode && mostly_new(o)))
		snapshot(o);
	for (size_t i = 0; (i = next_change(o, i)) < o->room;) {
		uint32_t n = piece(o, i);

		change(o, i, n);
		i += n;
	}
	o->changes = duct_shadow_changes;
	return o->array;
}

void duct_array_any(struct duct_object *o)
{
	if (!o->array_mode)
		duct_entry_fill(o->base, o->room, DUCT_ENTRY_ARRAY);
	o->array_mode = 1;
	o->entry = NULL;
}

/* ---- reads at constant offsets */

duct_wide duct_bytes_at(const uint8_t *p, uint32_t n)
{
	duct_wide v = 0;

	while (n--)
		v = v << 8 | p[n];
	return v;
}

static struct duct_term read_at(
    const struct duct_object *o, duct_node array, uint64_t offset, uint32_t n)
{
	for (int steps = 0; steps < LONGEST_WALK; steps++) {
		const struct channel_node *p = duct_at(array), *at;
		struct duct_term v, t;

		if (p->op == OP_TABLE) {
			const uint8_t *blob = duct_area(&duct_channel->blob);

			return duct_constant(n * 8, duct_bytes_at(blob + p->a + offset, n));
		}
		at = duct_at(p->b);
		if (at->op != OP_CONST)
			break;
		v = duct_term(p->c);
		if (offset + n <= at->value || at->value + v.w / 8 <= offset) {
			array = p->a;
			continue;
		}
		if (offset >= at->value && offset + n <= at->value + v.w / 8)
			return duct_t_extract(n * 8, (uint32_t)(offset - at->value) * 8, v);
		t = read_at(o, array, offset, 1); /* they overlap in part: byte by byte */
		for (uint32_t i = 1; i < n; i++)
			t = duct_t_concat(read_at(o, array, offset + i, 1), t);
		return t;
	}
	duct_wide now = duct_bytes_at(o->bytes + offset, n);

	return duct_term(duct_node_get(OP_READ, n * 8, array, offset_node(offset), 0, now));
}

struct duct_term duct_array_read(struct duct_object *o, uint64_t offset, uint32_t bytes)
{
	return read_at(o, o->array, offset, bytes);
}
