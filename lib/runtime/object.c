/* Finds the object of an address. Stack objects are in an array in order of creation, so by
 * descending address; all others are in treap.c. */
#include "lib/runtime/writers.h"
#include <string.h>

static struct duct_object *stack;
static size_t depth, room, frame;
static bool unsorted; /* objects of another stack (sigaltstack) came between */

/* Address of the caller's stack: objects below it are of frames that are gone. */
#define HERE ((uintptr_t)__builtin_frame_address(0))

static bool inside(const struct duct_object *o, uintptr_t a)
{
	return a - o->base < o->room;
}

/* Lowest index whose base is not above a: the candidate in the sorted array. */
static struct duct_object *stack_find(uintptr_t a)
{
	size_t low = 0, high = depth;

	if (!depth || (!unsorted && a < stack[depth - 1].base))
		return NULL;
	if (unsorted) {
		for (size_t i = depth; i-- > 0;)
			if (inside(&stack[i], a))
				return &stack[i];
		return NULL;
	}
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (stack[middle].base > a)
			low = middle + 1;
		else
			high = middle;
	}
	return low < depth ? &stack[low] : NULL;
}

/* Globals once more, by base: to find one does not make the heap's blocks enter the treap. */
static struct {
	struct duct_object **at;
	size_t n, room;
	bool known; /* false: one was taken away, or another object lies within one */
} globals = { .known = true };

static void more_globals(void)
{
	size_t bigger = globals.room ? globals.room * 2 : 256;
	struct duct_object **to = duct_arena(bigger * sizeof *to);

	for (size_t i = 0; i < globals.n; i++)
		to[i] = globals.at[i];
	globals.at = to;
	globals.room = bigger;
}

static void add_global(struct duct_object *o)
{
	size_t i = globals.n;

	if (globals.n == globals.room)
		more_globals();
	for (; i && globals.at[i - 1]->base > o->base; i--)
		globals.at[i] = globals.at[i - 1];
	globals.at[i] = o;
	globals.n++;
}

static struct duct_object *global_find(uintptr_t a)
{
	size_t low = 0, high = globals.n;

	if (!globals.known || !high || a < globals.at[0]->base)
		return NULL;
	if (a > globals.at[high - 1]->base)
		return inside(globals.at[high - 1], a) ? globals.at[high - 1] : NULL;
	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (globals.at[middle]->base <= a)
			low = middle;
		else
			high = middle;
	}
	return inside(globals.at[low], a) ? globals.at[low] : NULL;
}

/* The range of addresses of objects that are not on the stack: one of the program and its heap, and
 * one of mapped memory; between the two lies much memory of the C library that is no object. The
 * addresses are inverted, so that leak.c does not take them for pointers of the program. */
struct address_range {
	uintptr_t not_from, not_to;
};

static struct address_range *range_of(uintptr_t a)
{
	static struct address_range below = { 0, UINTPTR_MAX }, above = { 0, UINTPTR_MAX };

	return a < (uintptr_t)3 << 45 ? &below : &above;
}

static bool may_be_in_object(uintptr_t a)
{
	const struct address_range *r = range_of(a);

	return ~a <= r->not_from && ~a >= r->not_to;
}

void duct_object_room(struct duct_object *o, size_t n)
{
	struct address_range *r = range_of(o->base);

	o->room = n;
	if (~o->base > r->not_from)
		r->not_from = ~o->base;
	if (~(o->base + n) < r->not_to)
		r->not_to = ~(o->base + n);
}

struct duct_object *duct_object_at(uintptr_t a)
{
	struct duct_object *s = stack_find(a), *o;

	if (s && inside(s, a))
		return s;
	if ((o = global_find(a)))
		return o;
	o = may_be_in_object(a) ? duct_treap_floor(a) : NULL;
	if (o && (inside(o, a) || o->base == a))
		return o;
	if (s && s->base + s->size == a)
		return s;
	return o && o->base + o->size == a ? o : NULL;
}

struct duct_object *duct_object_add_room(
    uintptr_t a, size_t n, size_t all, enum duct_object_kind kind, bool constant)
{
	struct duct_object *o = duct_treap_insert(a), *around = global_find(a);

	if (around && around != o)
		globals.known = false;
	o->size = n;
	duct_object_room(o, all);
	o->kind = (uint8_t)kind;
	o->constant = constant;
	return o;
}

struct duct_object *duct_object_add(
    uintptr_t a, size_t n, enum duct_object_kind kind, bool constant)
{
	return duct_object_add_room(a, n, n, kind, constant);
}

static void forget(struct duct_object *o)
{
	if (global_find(o->base) == o)
		globals.known = false;
	if (duct_live) {
		duct_shadow_clear(o->base, o->room);
		duct_flow_clear(o->base, o->room);
	}
}

void duct_object_remove(uintptr_t a)
{
	struct duct_object *o = duct_treap_remove(a);

	if (o)
		forget(o);
}

void duct_object_end(struct duct_object *o)
{
	duct_treap_end(o);
	forget(o);
}

void duct_rt_global(const void *p, size_t bytes, uint32_t constant)
{
	if (bytes)
		add_global(duct_object_add((uintptr_t)p, bytes, DUCT_OBJECT_GLOBAL, constant != 0));
}

static void drop(void)
{
	struct duct_object *o = &stack[--depth];

	duct_span_end(o);
	if (o->array_mode)
		duct_shadow_clear(o->base, o->room);
}

size_t duct_rt_frame(void)
{
	while (depth && stack[depth - 1].base < HERE) /* longjmp passed over their ends */
		drop();
	frame = depth;
	if (!depth)
		unsorted = false;
	return depth;
}

static void more_room(void)
{
	size_t bigger = room ? room * 2 : 256;
	struct duct_object *to = duct_arena(bigger * sizeof *to);

	for (size_t i = 0; i < depth; i++) {
		to[i] = stack[i];
		duct_span_end(&stack[i]);
	}
	stack = to;
	room = bigger;
}

/* Of the object that is made next; room 0: nothing is known of it. */
static struct {
	size_t room;
	duct_node limit;
} symbolic;

#define LARGEST_ALLOCA ((size_t)1 << 20)

/* Which number is it? Told by conditions in an order that does not depend on it; false: too large.
 */
static bool decided(struct duct_unit *u, uint32_t place, struct duct_term n, uint64_t largest)
{
	for (uint64_t v = 0; v <= largest; v++) {
		struct duct_term is = duct_t_binary(OP_EQ, n, duct_constant(64, v));

		duct_model_condition(u, place, is);
		if (is.v)
			return true;
	}
	return false;
}

/* Bounds of arrays of arrays would be hard: their size is decided. */
size_t duct_rt_alloca_room(
    struct duct_unit *u, uint32_t place, size_t count, duct_node n, size_t each)
{
	struct duct_term elements = duct_size_term(n, count), t;
	size_t most;

	if (!duct_channel || !elements.n)
		return count;
	if (duct_is_product(elements.n) && decided(u, place, elements, 64)) {
		symbolic.limit = 0;
		symbolic.room = count * each;
		return count;
	}
	t = duct_t_binary(OP_MUL, elements, duct_constant(64, each));
	most = duct_is_product(elements.n) ? 0 : duct_room(u, place, t, LARGEST_ALLOCA);
	if (!most) {
		duct_lost(u, place, "large stack object of symbolic size", NULL);
		return count;
	}
	symbolic.limit = t.n;
	symbolic.room = (most + each - 1) / each * each;
	return symbolic.room / each;
}

void duct_rt_alloca(void *p, size_t bytes)
{
	uintptr_t base = (uintptr_t)p;
	size_t i = depth, all = symbolic.room ? symbolic.room : bytes;

	if (!duct_channel && !duct_last_on())
		return; /* not needed in this run */
	if (!all)
		return;
	if (duct_live) {
		duct_shadow_clear(base, all);
		memset(p, 0, all); /* its old content may depend on inputs, so it must not enter an
		                      array's table */
	}
	if (depth == room)
		more_room();
	while (i > frame && stack[i - 1].base < base) {
		stack[i] = stack[i - 1];
		i--;
	}
	if (i && stack[i - 1].base <= base)
		unsorted = true;
	stack[i] = (struct duct_object){
		.span = { .base = base }, .size = bytes, .room = all, .kind = DUCT_OBJECT_STACK
	};
	if (symbolic.room)
		stack[i].limit = symbolic.limit;
	symbolic.room = 0;
	depth++;
}

void duct_rt_leave(size_t mark)
{
	while (depth > mark)
		drop();
	if (frame > depth)
		frame = depth;
}
