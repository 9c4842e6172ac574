/* Accesses at symbolic addresses: finds the object and the offset; array.c reads or writes its
 * content. */
#include "lib/runtime/last.h"
#include <string.h>

enum duct_aliases duct_aliases;

#define LARGEST ((size_t)4 << 20)

/* ---- accesses */

/* For an address outside of all objects: the object of the pointer that an offset was added to. */
static struct duct_object *base_of(duct_node a, int depth)
{
	const struct channel_node *n = duct_at(a);
	struct duct_object *o = n->width == 64 ? duct_object_at((uintptr_t)n->value) : NULL;

	if (!o && n->op == OP_ADD && depth) {
		o = base_of(n->a, depth - 1);
		o = o ? o : base_of(n->b, depth - 1);
	}
	return o;
}

/* The object that the address was derived from, or else the one that it points to in this run, if
 * any. */
static struct duct_object *object_of(duct_node a, uintptr_t p)
{
	const struct channel_node *n = duct_at(a);
	struct duct_object *o;

	if (duct_nodes.origin && duct_nodes.origin[a]) {
		o = duct_object_at(duct_nodes.origin[a]);
		if (o && o->base == duct_nodes.origin[a])
			return o;
	}
	if (n->op == OP_ADD && duct_at(n->b)->op == OP_CONST
	    && (o = duct_object_at(duct_at(n->b)->value)))
		return o;
	o = p >> 47 ? NULL : duct_object_at(p);
	return o ? o : base_of(a, 4);
}

struct access {
	struct duct_object *object; /* NULL: concrete address, or nothing is known */
	struct duct_term offset;
	struct channel_address *record;
};

static struct channel_address *add_record(struct channel_address record, uint64_t *index)
{
	struct channel_area *a = &duct_channel->address;
	struct channel_address *r = (struct channel_address *)((char *)duct_area(a) + a->used);

	if (a->used + sizeof *r > a->capacity)
		duct_end(FAULT_LIMIT, "too many symbolic addresses");
	*index = a->used / sizeof *r;
	*r = record;
	duct_area_grow(a, sizeof *r);
	return r;
}

/* offset + bytes <= size, without overflow. */
static struct duct_term within(struct duct_term offset, struct duct_term size, size_t bytes)
{
	struct duct_term n = duct_constant(64, bytes);

	return duct_t_binary(OP_AND, duct_t_binary(OP_ULE, n, size),
	    duct_t_binary(OP_ULE, offset, duct_t_binary(OP_SUB, size, n)));
}

struct duct_term duct_within(const struct duct_object *o, struct duct_term offset, size_t bytes)
{
	if (o->limit)
		return within(offset, duct_term(o->limit), bytes);
	if (bytes > o->size)
		return duct_constant(1, 0);
	return duct_t_binary(OP_ULE, offset, duct_constant(64, o->size - bytes));
}

/* Records the access; the run ends if it is not within the object. */
static struct channel_address *bounds(struct duct_unit *u, uint32_t place,
    const struct duct_object *o, struct duct_term offset, uintptr_t p, size_t bytes,
    struct duct_term in)
{
	struct channel_address *r;
	uint64_t index;

	r = add_record((struct channel_address){ .node = offset.n,
	                   .object = o->base,
	                   .object_size = o->size,
	                   .address = p,
	                   .bytes = (uint32_t)bytes },
	    &index);
	if (in.n && duct_implied(in.n, 4))
		in.n = 0;
	duct_event(EV_BOUNDS, 0, u, place, in.n, (uint64_t)in.v, index + 1);
	if (in.n)
		duct_fix(in.n);
	if (!in.v) {
		duct_grow_leave(o, (int64_t)(p - o->base));
		duct_end(FAULT_BOUNDS, "a symbolic index leaves its object");
	}
	return r;
}

void duct_bounds(struct duct_unit *u, uint32_t place, const struct duct_object *o,
    struct duct_term offset, uintptr_t p, size_t bytes, struct duct_term in)
{
	offset.n = duct_term_node(offset);
	bounds(u, place, o, offset, p, bytes, in);
}

struct duct_object *duct_object_of(duct_node a, uintptr_t p)
{
	struct duct_object *o = a ? object_of(a, p) : duct_object_at(p);

	return o && o->room <= LARGEST ? o : NULL;
}

/* The number of low bits of n that are 0 whatever the inputs are. */
static uint32_t zero_bits(duct_node n, int depth)
{
	const struct channel_node *p = duct_at(n);
	uint32_t a, b;

	if (p->op == OP_CONST)
		return p->value ? (uint32_t)__builtin_ctzll(p->value) : 63;
	if (depth == 0
	    || (p->op != OP_ADD && p->op != OP_SUB && p->op != OP_MUL && p->op != OP_SHL
	        && p->op != OP_ZEXT && p->op != OP_SEXT))
		return 0;
	a = zero_bits(p->a, depth - 1);
	if (p->op == OP_ZEXT || p->op == OP_SEXT)
		return a;
	if (p->op == OP_SHL)
		return duct_at(p->b)->op == OP_CONST && duct_at(p->b)->value < 63 - a
		    ? a + (uint32_t)duct_at(p->b)->value
		    : a;
	b = zero_bits(p->b, depth - 1);
	return p->op == OP_MUL ? (a + b < 63 ? a + b : 63) : a < b ? a : b;
}

/* With early aliases, the offset is decided at its use: by bisection, in an order that does not
 * depend on the input, so that a search finds the other offsets by negating these conditions. */
static void decide_offset(struct duct_unit *u, const struct access *a, size_t bytes)
{
	uint64_t step = (uint64_t)1 << zero_bits(a->offset.n, 8), v = (uint64_t)a->offset.v;
	uint64_t low = 0, high = (a->object->room - bytes) / step;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		duct_model_condition(
		    u, 0, duct_t_binary(OP_ULE, a->offset, duct_constant(64, middle * step)));
		if (v <= middle * step)
			high = middle;
		else
			low = middle + 1;
	}
	duct_fix(a->offset.n);
}

uint32_t duct_zero_bits(duct_node n)
{
	return zero_bits(n, 8);
}

/* An object that can grow ends at a limit but begins where its pointer points: the two bounds are
 * different questions. */
static void ask_below(
    struct duct_unit *u, uint32_t place, const struct duct_object *o, struct duct_term offset)
{
	struct duct_term in = duct_t_binary(OP_SLE, duct_constant(64, 0), offset);

	if (!o->input || o->input->how == DUCT_SIZE_EXACT || !in.n || duct_implied(in.n, 4))
		return;
	duct_model_condition(u, place, in);
	if (!in.v)
		duct_grow_leave(o, -1);
}

void duct_address_own(uintptr_t p, duct_node n)
{
	const struct duct_object *from = n ? base_of(n, 4) : NULL;

	struct duct_term offset;

	if (!from)
		return;
	offset = duct_t_binary(OP_SUB, duct_term(n), duct_constant(64, from->base));
	bounds(duct_block_unit, duct_block, from, offset, p, 1, duct_within(from, offset, 1));
}

/* The content of a large object is not tracked by offset, but accesses to it are still checked. */
static void access_large(struct duct_unit *u, uint32_t place, const struct duct_object *o,
    struct duct_term address, uintptr_t p, size_t bytes)
{
	struct duct_term offset = duct_t_binary(OP_SUB, address, duct_constant(64, o->base));

	if (o->kind != DUCT_OBJECT_FREED)
		bounds(u, place, o, offset, p, bytes, duct_within(o, offset, bytes));
	duct_lost(u, place, "symbolic address in a large object", NULL);
}

/* Finds the object, records the address, and ends the run if the access is not within the
 * object. */
static struct access access_at(
    struct duct_unit *u, uint32_t place, uintptr_t p, duct_node n, size_t bytes)
{
	struct access a = { 0 };
	struct duct_term t = duct_settle(u, place, duct_term(n));

	duct_grow_meet(u, place, p, bytes, n);
	duct_grow_need_data(p, n);
	if (!t.n)
		return a;
	duct_need_real(t.n);
	a.object = object_of(t.n, p);
	if (!a.object)
		duct_grow_need_address(t.n);
	if (!a.object || a.object->room > LARGEST) {
		if (a.object)
			access_large(u, place, a.object, t, p, bytes);
		else
			duct_lost(u, place, "symbolic address of no known object", NULL);
		a.object = NULL;
		return a;
	}
	if (a.object->kind == DUCT_OBJECT_FREED)
		duct_end_freed(a.object, "memory is used after it was freed");
	if (!a.object->limit && p >= a.object->base && p - a.object->base + bytes <= a.object->size
	    && duct_implied(t.n, 4)) {
		a.object = NULL; /* this path has one address here, which is within */
		return a;
	}
	a.offset = duct_t_binary(OP_SUB, t, duct_constant(64, a.object->base));
	ask_below(u, place, a.object, a.offset);
	a.record =
	    bounds(u, place, a.object, a.offset, p, bytes, duct_within(a.object, a.offset, bytes));
	if (a.offset.n && duct_aliases == ALIASES_EARLY)
		decide_offset(u, &a, bytes);
	else if (a.offset.n && duct_aliases == ALIASES_FIX)
		duct_lost(u, place, "symbolic address (--aliases=fix)", NULL);
	if (!a.offset.n || duct_aliases != ALIASES_LATE)
		a.object = NULL;
	return a;
}

void duct_address_wild(struct duct_unit *u, uint32_t place, uintptr_t p, duct_node n, size_t bytes)
{
	duct_last_unaliased();
	access_at(u, place, p, n, bytes);
}

void duct_address_alone(struct duct_unit *u, uint32_t place, uintptr_t p, duct_node n, size_t bytes)
{
	struct duct_term t = duct_term(n), in;
	struct duct_object *o = object_of(n, p);

	if (o && o->room <= LARGEST && o->kind != DUCT_OBJECT_FREED) {
		in = duct_within(o, duct_t_binary(OP_SUB, t, duct_constant(64, o->base)), bytes);
		if (in.v && (!in.n || duct_implied(in.n, 4)))
			return; /* the same state as after another access to these bytes */
	}
	duct_several_wild(u, place, p, n, (uint32_t)bytes);
}

struct duct_term duct_element_read(struct duct_object *o, struct duct_term offset, uint32_t bytes)
{
	duct_node array = duct_array_now(o);

	if (!offset.n) {
		struct duct_term t = duct_array_read(o, (uint64_t)offset.v, bytes);

		if (t.n && duct_at(t.n)->op == OP_READ)
			duct_unset_read_at(o, (uint64_t)offset.v, bytes);
		return t;
	}
	duct_unset_read_at(o, (uint64_t)offset.v, bytes);
	return duct_term(duct_node_get(OP_READ, bytes * 8, array, offset.n, 0,
	    duct_bytes_at(o->bytes + (uint64_t)offset.v, bytes)));
}

void duct_element_write(
    struct duct_object *o, struct duct_term offset, uint32_t bytes, struct duct_term v)
{
	duct_array_now(o);
	duct_unset_written(o, (uint64_t)offset.v, bytes, offset.n, v.n);
	o->array =
	    duct_node_get(OP_STORE, 0, o->array, duct_term_node(offset), duct_term_node(v), 0);
	for (uint32_t i = 0; i < bytes; i++)
		o->bytes[(uint64_t)offset.v + i] = (uint8_t)(v.v >> i * 8);
	duct_array_any(o);
	o->changes = duct_shadow_changes;
}

static struct duct_term read_symbolic(struct access *a, uintptr_t p, uint32_t bytes)
{
	duct_node array = duct_array_now(a->object);
	duct_node n = duct_node_get(
	    OP_READ, bytes * 8, array, a->offset.n, 0, duct_bytes_at((const uint8_t *)p, bytes));

	duct_unwritten_read(n, a->object, p, bytes);
	a->record->array_before = array;
	a->record->value = n;
	return duct_term(n);
}

/* Writes one piece, after duct_array_now; several pieces may be written before memory itself is. */
static void write_piece(struct access *a, uint32_t bytes, struct duct_term v)
{
	struct duct_object *o = a->object;
	uint64_t offset = (uint64_t)a->offset.v;

	a->record->array_before = o->array;
	duct_unset_written(o, offset, bytes, a->offset.n, v.n);
	o->array =
	    duct_node_get(OP_STORE, 0, o->array, duct_term_node(a->offset), duct_term_node(v), 0);
	a->record->array_after = o->array;
	a->record->value = v.n;
	for (uint32_t i = 0; i < bytes; i++)
		o->bytes[offset + i] = (uint8_t)(v.v >> i * 8);
}

static void write_symbolic(struct access *a, uint32_t bytes, struct duct_term v)
{
	duct_array_now(a->object);
	duct_unwritten_read(0, a->object, 0, 0);
	write_piece(a, bytes, v);
	duct_array_any(a->object);
	a->object->changes = duct_shadow_changes;
}

/* Library models record no definitions and uses of their own. */
static void note_model(const struct duct_unit *u)
{
	if (u && u->flags & 1)
		duct_last_unaliased();
}

duct_node duct_rt_load_at(
    struct duct_unit *u, uint32_t place, const void *p, duct_node a, uint32_t bytes, uint32_t width)
{
	struct access at;
	struct duct_term t;

	if (!duct_channel || !a)
		return duct_rt_load(p, bytes, width);
	if (!duct_several_load(u, place, (uintptr_t)p, a, bytes, &t)) {
		note_model(u);
		at = access_at(u, place, (uintptr_t)p, a, bytes);
		if (!at.object || bytes > 16)
			return duct_rt_load(p, bytes, width);
		t = read_symbolic(&at, (uintptr_t)p, bytes);
	}
	return width < t.w ? duct_t_extract(width, 0, t).n : t.n;
}

static void store_at(struct duct_unit *u, uint32_t place, void *p, duct_node a, uint32_t bytes,
    uint32_t width, duct_node v, duct_wide value)
{
	struct duct_term t = v ? duct_term(v) : duct_constant(width, value);
	struct access at = { 0 };

	t = duct_t_extend(OP_ZEXT, bytes * 8, t);
	if (duct_channel && a && duct_several_store(u, place, (uintptr_t)p, a, bytes, t))
		return;
	if (duct_channel && a) {
		note_model(u);
		at = access_at(u, place, (uintptr_t)p, a, bytes);
	}
	if (!at.object)
		duct_rt_store(p, bytes, width, v);
	else
		write_symbolic(&at, bytes, t);
}

void duct_rt_store_at(struct duct_unit *u, uint32_t place, void *p, duct_node a, uint32_t bytes,
    uint32_t width, duct_node v, uint64_t value)
{
	store_at(u, place, p, a, bytes, width, v, value);
}

void duct_rt_store_at_wide(struct duct_unit *u, uint32_t place, void *p, duct_node a,
    uint32_t bytes, uint32_t width, duct_node v, const uint64_t *value)
{
	store_at(u, place, p, a, bytes, width, v, (duct_wide)value[1] << 64 | value[0]);
}

/* ---- copies from or to a symbolic address, in pieces of 8 bytes (copy.c has the others) */

static uint32_t chunk(size_t left)
{
	return left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
}

static struct access part(const struct access *a, size_t at, uint32_t bytes, uintptr_t p)
{
	struct access b = *a;
	uint64_t index;

	b.offset = duct_t_binary(OP_ADD, a->offset, duct_constant(64, at));
	if (at) {
		struct channel_address record = *a->record;
		record.array_after = 0;
		record.node = b.offset.n;
		record.address = p + at;
		b.record = add_record(record, &index);
	}
	b.record->bytes = bytes;
	return b;
}

#define LONGEST_COPY 4096

bool duct_set_symbolic(
    struct duct_unit *u, uint32_t place, uintptr_t d, size_t n, struct duct_term byte, duct_node nd)
{
	struct access to;

	if (n == 0 || n > LONGEST_COPY)
		return false;
	duct_last_unaliased();
	to = access_at(u, place, d, nd, n);
	if (!to.object)
		return false;
	duct_array_now(to.object);
	for (size_t i = 0; i < n; i++) {
		struct access b = part(&to, i, 1, d);

		write_piece(&b, 1, byte);
	}
	duct_array_any(to.object);
	to.object->changes = duct_shadow_changes;
	return true;
}

/* Reads everything before anything is written: source and destination may overlap. */
static size_t read_all(struct access *from, uintptr_t s, size_t n, struct duct_term *t)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i += t[count++].w / 8) {
		uint32_t bytes = chunk(n - i);

		if (from->object) {
			struct access b = part(from, i, bytes, s);

			t[count] = read_symbolic(&b, s + i, bytes);
		} else {
			t[count] = duct_load_term(s + i, bytes);
		}
	}
	return count;
}

bool duct_copy_symbolic(struct duct_unit *u, uint32_t place, uintptr_t d, uintptr_t s, size_t n,
    duct_node nd, duct_node ns)
{
	static struct duct_term *t;
	struct access to = { 0 }, from = { 0 };
	size_t count, at = 0;

	if (n == 0 || n > LONGEST_COPY)
		return false;
	duct_last_unaliased();
	if (duct_several_copy(u, place, d, s, n, nd, ns))
		return true;
	if (ns)
		from = access_at(u, place, s, ns, n);
	if (nd)
		to = access_at(u, place, d, nd, n);
	if (!from.object && !to.object)
		return false;
	if (!t)
		t = duct_arena((LONGEST_COPY / 8 + 3) * sizeof *t);
	count = read_all(&from, s, n, t);
	if (to.object)
		duct_array_now(to.object);
	for (size_t i = 0; i < count; i++, at += t[i - 1].w / 8) {
		if (to.object) {
			struct access b = part(&to, at, t[i].w / 8, d);

			write_piece(&b, t[i].w / 8, t[i]);
		} else {
			duct_store_term(d + at, t[i].w / 8, t[i].n);
		}
	}
	if (to.object) {
		duct_array_any(to.object);
		to.object->changes = duct_shadow_changes;
	}
	return true;
}
