/* Accesses that are watched (--check bounds): is each within the object that its pointer comes
 * from? An object is known for certain when the pointer is a variable's own address, points
 * inside an object, or to the end of a block of the heap, before which the next has a header.
 * Where it is not, nothing is said. */
#include "lib/runtime/rt.h"

static bool holds(const struct duct_object *o, uintptr_t p, size_t bytes)
{
	return p >= o->base && p - o->base <= o->size && bytes <= o->size - (p - o->base);
}

static bool on_heap(const struct duct_object *o)
{
	return o->kind == DUCT_OBJECT_HEAP || o->kind == DUCT_OBJECT_FREED;
}

/* The object at hand may be the next after the one that the pointer is at the end of. */
static bool may_be_before(const struct duct_object *o, uintptr_t base, bool direct)
{
	return !direct && base == o->base && !on_heap(o);
}

/* The length of the access or the size of the object depends on inputs: it fits. */
static void ask_length(struct duct_unit *u, uint32_t inst, const struct duct_object *o, uintptr_t p,
                       size_t bytes, duct_node n)
{
	struct duct_term fits, length = n ? duct_term(n) : duct_constant(64, bytes);
	struct duct_term size = o->limit ? duct_term(o->limit) : duct_constant(64, o->size);
	struct duct_term at = duct_constant(64, p - o->base);

	if ((!n && !o->limit) || p < o->base || p - o->base > o->size)
		return;
	fits = duct_t_binary(OP_ULE, length, duct_t_binary(OP_SUB, size, at));
	if (o->limit)
		fits = duct_t_binary(OP_AND, fits, duct_t_binary(OP_ULE, at, size));
	if (!fits.n || duct_implied(fits.n, 4))
		return;
	duct_event(EV_CHECK, 0, u, inst, fits.n, (uint64_t)fits.v, CHECK_BOUNDS);
	duct_fix(fits.n);
}

void duct_rt_access(struct duct_unit *u, uint32_t inst, const void *from, const void *at, size_t bytes,
                    uint32_t direct, duct_node np, duct_node nb)
{
	uintptr_t base = (uintptr_t)from, p = (uintptr_t)at;
	struct duct_object *o;

	if (!duct_channel || (!bytes && !nb))
		return;
	duct_inst = inst;
	if (np || base < 4096 || !(o = duct_object_at(base)))
		return;               /* symbolic: address.c asks; null: the access shows it */
	if (o->kind == DUCT_OBJECT_FREED)
		duct_end(FAULT_BOUNDS, "memory is used after it was freed");
	if (base - o->base >= o->size && !direct && !on_heap(o))
		return;
	ask_length(u, inst, o, p, bytes, nb);
	if (bytes && !holds(o, p, bytes) && !(p < o->base && may_be_before(o, base, direct & 1)))
		duct_end(FAULT_BOUNDS, "an access leaves its object");
}

/* Before memory is freed or resized. */
void duct_check_free(uintptr_t p)
{
	struct duct_object *o = p && duct_watches(CHECK_BOUNDS) ? duct_object_at(p) : NULL;

	if (!o)
		return;
	if (o->kind == DUCT_OBJECT_FREED && o->base == p)
		duct_end(FAULT_BOUNDS, "memory is freed twice");
	if (o->base != p ? p - o->base < o->size : o->kind != DUCT_OBJECT_HEAP)
		duct_end(FAULT_BOUNDS, "what is freed is no block of the heap");
}
