/* Accesses to objects that a caller would pass: bytes become inputs when they are first read, and
 * an access beyond the end shows a limit or a need. */
#include "lib/runtime/grow.h"
#include "lib/runtime/writers.h"

/* ---- bytes that become inputs */

static struct duct_object *object(uintptr_t a)
{
	struct duct_object *o =
	    a >= duct_grows_from && a < duct_grows_to ? duct_object_at(a) : NULL;

	return o && o->input && a - o->base < o->room ? o : NULL;
}

/* The limit at which the object ends: one that grows with the session, or the maximum that the user
 * stated. */
static void limit_size(const struct duct_object_input *g, uint64_t size)
{
	if (g->how == DUCT_SIZE_MOST)
		duct_limit("elements", g->name, size / g->each);
	else if (g->how == DUCT_SIZE_STRING)
		duct_limit("string", g->name, size - 1);
	else
		duct_limit("size", g->name, size);
}

static void touch(uintptr_t a, uintptr_t from, uintptr_t to)
{
	struct duct_object *o = object(a);
	struct duct_object_input *g = o ? o->input : NULL;
	int64_t before = g ? (int64_t)(g->below / g->each) : 0,
	        i = g && !g->tail ? (int64_t)((a - o->base) / g->each) - before : 0;

	if (g && g->how == DUCT_SIZE_STRING && a == o->base + o->size - 1) {
		if (!to)
			limit_size(g, o->size);
	} else if (g) {
		duct_shape_leaf(g, i, a, from, to);
	}
	if (duct_entry(a) == DUCT_ENTRY_LATER)
		duct_entry_set(a, DUCT_ENTRY_NONE);
	if (g && a < g->base)
		duct_grow_before(g, g->base - a);
	else if (g)
		duct_grow_extent(g, a - g->base + 1);
}

/* Ends the run if the byte at a, which is about to be accessed, lies behind its object: woven code
 * asks before each access, but library models do not. */
static void end_behind(uintptr_t a)
{
	struct duct_object *o = object(a);
	struct duct_term in = duct_constant(1, 0);

	if (o && !o->limit)
		return;
	if (o) {
		in = duct_t_binary(OP_ULT, duct_constant(64, a - o->base), duct_term(o->limit));
		duct_model_condition(NULL, 0, in);
	} else {
		o = duct_treap_floor(a);
	}
	if (in.v || !o || !o->input)
		return;
	duct_grow_leave(o, (int64_t)(a - o->base));
	duct_end(FAULT_BOUNDS, "an access leaves its object");
}

void duct_grow_read(uintptr_t a, size_t n)
{
	for (uintptr_t end = a + n; (a = duct_next_flag(a, end)) < end; a++)
		if (duct_entry(a) == DUCT_ENTRY_LATER) {
			end_behind(a);
			touch(a, 0, 0);
		}
}

void duct_grow_write(uintptr_t a, size_t n)
{
	uintptr_t from = a, to = a + n;

	for (; (a = duct_next_flag(a, to)) < to; a++)
		if (duct_entry(a) == DUCT_ENTRY_LATER) {
			end_behind(a);
			touch(a, from, to);
		}
}

void duct_grow_whole(struct duct_object *o)
{
	uintptr_t a = o->base, end = a + o->room;

	for (; o->input && (a = duct_next_flag(a, end)) < end; a++)
		if (duct_entry(a) == DUCT_ENTRY_LATER)
			touch(a, 0, 0);
}

/* The size of the elements from p on, up to the last one with a known byte: bytes that nothing has
 * read yet are arbitrary, whether or not the stub writes them. Where definitions are observed it
 * writes one element at least, so that reading it can be a use of what the call defined. */
static size_t known_bytes(const struct duct_object *o, uintptr_t p, size_t each)
{
	size_t n = o && !o->constant && p - o->base < o->size ? o->size - (p - o->base) : 0;
	size_t least = n && !o->limit && each <= DUCT_MOST_STUBBED && duct_last_on() ? each : 0;

	n -= n % each;
	while (n > least && o->input && duct_entry(p + n - 1) == DUCT_ENTRY_LATER)
		n--;
	return (n + each - 1) / each * each;
}

void duct_rt_stubbed(void *p, const char *name, const char *shape, size_t each)
{
	struct duct_object *o = duct_channel && p ? duct_object_at((uintptr_t)p) : NULL;
	size_t left = known_bytes(o, (uintptr_t)p, each);

	duct_args_for = NULL;
	if (left > DUCT_MOST_STUBBED) {
		left = DUCT_MOST_STUBBED;
		duct_limit("stub", name, left);
	}
	if (left -= left % each)
		duct_shape_stubbed(p, left, name, shape);
	else if (duct_channel)
		duct_input_pass(name); /* emitted tests count all calls */
}

/* ---- leaving an object */

void duct_grow_leave(const struct duct_object *o, int64_t offset)
{
	const struct duct_object_input *g = o->input;

	if (!g || g->how == DUCT_SIZE_EXACT)
		return;
	if (offset < 0)
		duct_need("before", g->name, g->below);
	limit_size(g, o->size - g->below);
	duct_end(FAULT_LIMIT, "size");
}

/* The object nearest to an address that lies in no object: behind it, or before it. */
static const struct duct_object *nearest(uintptr_t p)
{
	const struct duct_object *o = duct_treap_floor(p), *next = duct_treap_floor(p + APART);
	bool between = next && next != o && next->input;

	return between && (!o || next->base - p < p - o->base - o->room) ? next : o;
}

bool duct_grow_stray(uintptr_t p)
{
	const struct duct_object *o;

	if (p + 4096 < duct_grows_from || p >= duct_grows_to + 4096 || duct_object_at(p))
		return false;
	o = nearest(p);
	if (o && o->input)
		duct_grow_leave(o, (int64_t)(p - o->base));
	return o && o->input;
}
