/* Late aliases of pointers that may point into one of several objects (Kosmatov, All-Paths Test
 * Generation for Programs with Internal Aliases): a read yields an ITE over the contents of the
 * objects; a write changes each object under the condition that the pointer leads there. Whether a
 * pointer has no valid target is decided first, as a path of its own. */
#include "lib/runtime/last.h"

#define MOST_TARGETS 32
#define MOST_COPIED 64
#define MOST_AT_ONCE 16

/* The pointer's value where `guard` holds; exactly one guard does. */
struct guarded_pointer {
	struct duct_term guard, pointer;
	struct duct_object *object;
};

struct targets {
	struct guarded_pointer at[MOST_TARGETS];
	size_t n;
	bool all;
};

static void add(struct targets *s, struct duct_term guard, struct duct_term pointer)
{
	if (!guard.n && !guard.v)
		return;
	if (s->n == MOST_TARGETS)
		s->all = false;
	else
		s->at[s->n++] = (struct guarded_pointer){ guard, pointer, NULL };
}

static struct duct_term both(struct duct_term a, struct duct_term b)
{
	return duct_t_binary(OP_AND, a, b);
}

static struct duct_term either(struct duct_term guard, struct duct_term a, struct duct_term b)
{
	return guard.n ? duct_t_ite(guard, a, b) : guard.v ? a : b;
}

static void collect(struct targets *s, struct duct_term t, struct duct_term guard,
    struct duct_term rest, int depth);

static void collect_choice(struct targets *s, const struct channel_node *p, struct duct_term guard,
    struct duct_term rest, int depth)
{
	struct duct_term c = duct_term(p->a), no = duct_t_not(c);
	bool known = duct_implied(p->a, 4);

	if (!known || c.v)
		collect(s, duct_term(p->b), known ? guard : both(guard, c), rest, depth - 1);
	if (!known || !c.v)
		collect(s, duct_term(p->c), known ? guard : both(guard, no), rest, depth - 1);
}

static struct duct_term is(struct duct_term a, struct duct_term b)
{
	return duct_t_binary(OP_EQ, a, b);
}

/* One of the pointers in a table that nothing was written to at symbolic offsets, by its value. */
static void collect_constant(
    struct targets *s, struct duct_term t, struct duct_term guard, struct duct_term rest)
{
	const struct channel_node *p = duct_at(t.n);
	struct duct_cases c = { .all = true };

	duct_array_cases(&c, p->a, p->width / 8u, duct_at(p->b)->value);
	s->all &= c.all;
	for (size_t i = 0; s->all && i < c.n; i++) {
		struct duct_term v = duct_constant(t.w, c.value[i]);

		add(s, both(guard, is(t, v)), duct_t_binary(OP_ADD, v, rest));
	}
}

/* One of those that were written to an array of pointers, or of those that were there before. */
static void collect_read(
    struct targets *s, struct duct_term t, struct duct_term guard, struct duct_term rest, int depth)
{
	const struct channel_node *p = duct_at(t.n);
	struct duct_term offset = duct_term(p->b), here;
	bool whole = duct_zero_bits(p->b) >= 3;

	for (p = duct_at(p->a); p->op == OP_STORE; p = duct_at(p->a)) {
		s->all &= duct_at(p->c)->width == 64 && duct_zero_bits(p->b) >= 3 && whole;
		if (!s->all)
			return;
		here = is(offset, duct_term(p->b));
		collect(s, duct_term(p->c), both(guard, here), rest, depth - 1);
		guard = both(guard, duct_t_not(here));
	}
	s->all &= whole;
	for (uint64_t at = 0; s->all && at + 8 <= p->b; at += 8) {
		const uint8_t *blob = (const uint8_t *)duct_area(&duct_channel->blob) + p->a + at;
		uint64_t v = 0;

		for (int i = 8; i-- > 0;)
			v = v << 8 | blob[i];
		add(s, both(guard, is(offset, duct_constant(64, at))),
		    duct_t_binary(OP_ADD, duct_constant(64, v), rest));
	}
}

/* t + rest, with the address of an object behind what is added to it (object_of in address.c). */
static struct duct_term sum(struct duct_term t, struct duct_term rest)
{
	const struct channel_node *p = t.n ? duct_at(t.n) : NULL;
	struct duct_term address = p && p->op == OP_ADD ? duct_term(p->b) : duct_constant(64, 0);

	if (!rest.n || !address.v || address.n)
		return duct_t_binary(OP_ADD, t, rest);
	return duct_t_binary(OP_ADD, duct_t_binary(OP_ADD, duct_term(p->a), rest), address);
}

/* Collects the values that t + rest may have where guard holds. */
static void collect(
    struct targets *s, struct duct_term t, struct duct_term guard, struct duct_term rest, int depth)
{
	const struct channel_node *p = t.n ? duct_at(t.n) : NULL;
	struct duct_term base, other;

	s->all &= depth > 0;
	if (!s->all)
		return;
	if (!t.n || duct_has_origin(t.n))
		add(s, guard, duct_t_binary(OP_ADD, t, rest));
	else if (duct_implied(t.n, 4))
		add(s, guard, duct_t_binary(OP_ADD, duct_constant(64, t.v), rest));
	else if (p->op == OP_ITE)
		collect_choice(s, p, guard, rest, depth);
	else if (p->op == OP_READ && duct_at(p->a)->op == OP_TABLE)
		collect_constant(s, t, guard, rest);
	else if (p->op == OP_READ)
		collect_read(s, t, guard, rest, depth);
	else if (p->op == OP_ADD && duct_split_sum(t, &base, &other))
		collect(s, base, guard, duct_t_binary(OP_ADD, other, rest), depth - 1);
	else
		add(s, guard, sum(t, rest));
}

/* Decides by conditions of the path that the pointer leads to none of the invalid targets, and
 * removes these. False: in this run it leads to one. */
static bool decide_nothing(
    struct duct_unit *u, uint32_t place, struct targets *s, uint32_t bytes, bool write)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		struct guarded_pointer *t = &s->at[i];
		struct duct_object *o = t->object =
		    duct_object_of(t->pointer.n, (uintptr_t)t->pointer.v);
		uint64_t offset = o ? (uint64_t)t->pointer.v - o->base : 0;

		if (o && o->kind != DUCT_OBJECT_FREED && !(write && o->constant)
		    && (t->pointer.n
		            ? bytes <= o->room
		            : !o->limit && offset <= o->size && bytes <= o->size - offset)) {
			if (t->guard.n && duct_implied(t->guard.n, 4))
				t->guard = duct_constant(1, t->guard.v);
			s->at[n++] = *t;
			continue;
		}
		duct_grow_ask_null(u, place, t->guard);
		if (t->guard.v)
			return false;
	}
	s->n = n;
	return true;
}

static bool overlap(
    const struct guarded_pointer *a, const struct guarded_pointer *b, uint32_t bytes)
{
	uint64_t low = (uint64_t)a->pointer.v, high = (uint64_t)b->pointer.v;

	return a->pointer.n || b->pointer.n
	    || (low < high ? high - low < bytes : low - high < bytes);
}

/* Joins targets that may share bytes to one, at an offset that depends on the pointer, so that the
 * order of the writes does not matter. */
static void join(struct targets *s, uint32_t bytes)
{
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = s->n; k-- > i + 1;) {
			struct guarded_pointer *a = &s->at[i], *b = &s->at[k];

			if (a->object != b->object || !overlap(a, b, bytes))
				continue;
			a->pointer = a->pointer.n == b->pointer.n && a->pointer.v == b->pointer.v
			    ? a->pointer
			    : either(a->guard, a->pointer, b->pointer);
			a->guard = duct_t_binary(OP_OR, a->guard, b->guard);
			for (s->n--; k < s->n; k++)
				s->at[k] = s->at[k + 1];
			k = s->n;
		}
}

static struct duct_term offset_of(const struct guarded_pointer *t)
{
	return duct_t_binary(OP_SUB, t->pointer, duct_constant(64, t->object->base));
}

/* Within its object, where it is the pointer's. */
static void check_bounds(
    struct duct_unit *u, uint32_t place, const struct targets *s, uintptr_t p, uint32_t bytes)
{
	struct duct_term in = duct_constant(1, 1);
	const struct guarded_pointer *now = s->at;

	duct_last_unaliased();
	for (size_t i = 0; i < s->n; i++) {
		const struct guarded_pointer *t = &s->at[i];

		in = both(in,
		    either(t->guard, duct_within(t->object, offset_of(t), bytes),
		        duct_constant(1, 1)));
		if (t->guard.v)
			now = t;
	}
	duct_bounds(u, place, now->object, offset_of(now), p, bytes, in);
}

/* Has the pointer several targets, and not too many? */
static bool find(duct_node a, struct targets *s)
{
	s->n = 0;
	s->all = true;
	if (duct_aliases != ALIASES_LATE || duct_at(a)->width != 64 || duct_has_origin(a)
	    || duct_watches(CHECK_UNINIT))
		return false;
	collect(s, duct_term(a), duct_constant(1, 1), duct_constant(64, 0), 16);
	return s->all && s->n > 1;
}

bool duct_several(duct_node a, size_t bytes)
{
	struct targets s;
	size_t objects = 0;

	if (bytes > MOST_AT_ONCE || !find(a, &s))
		return false;
	for (size_t i = 0; i < s.n; i++)
		objects += duct_object_of(s.at[i].pointer.n, (uintptr_t)s.at[i].pointer.v) != NULL;
	return objects > 1;
}

/* All that the access needs to know; false: it is one to a single object, or to none. */
static bool targets(struct duct_unit *u, uint32_t place, uintptr_t p, duct_node a, uint32_t bytes,
    bool write, struct targets *s)
{
	if (bytes > MOST_AT_ONCE || !find(a, s))
		return false;
	duct_grow_stay(u, a, p, bytes);
	duct_need_real(a);
	if (!decide_nothing(u, place, s, bytes, write) || s->n < 2)
		return false;
	join(s, bytes);
	check_bounds(u, place, s, p, bytes);
	return true;
}

void duct_several_wild(
    struct duct_unit *u, uint32_t place, uintptr_t p, duct_node a, uint32_t bytes)
{
	struct targets s;

	if (!targets(u, place, p, a, bytes, false, &s))
		duct_address_wild(u, place, p, a, bytes);
}

/* The offset in the target; 0, which is within each object, where the pointer leads elsewhere. */
static struct duct_term safe_offset(const struct guarded_pointer *t)
{
	return either(t->guard, offset_of(t), duct_constant(64, 0));
}

static struct duct_term load(const struct guarded_pointer *t, uint32_t bytes)
{
	if (t->pointer.n)
		return duct_element_read(t->object, safe_offset(t), bytes);
	return duct_load_term((uintptr_t)t->pointer.v, bytes);
}

static void store(const struct guarded_pointer *t, uint32_t bytes, struct duct_term v)
{
	struct duct_term changed = either(t->guard, v, load(t, bytes));

	if (t->pointer.n)
		duct_element_write(t->object, safe_offset(t), bytes, changed);
	else
		duct_store_term((uintptr_t)t->pointer.v, bytes, changed.n);
}

bool duct_several_load(struct duct_unit *u, uint32_t place, uintptr_t p, duct_node a,
    uint32_t bytes, struct duct_term *out)
{
	struct targets s;

	if (!targets(u, place, p, a, bytes, false, &s))
		return false;
	*out = load(&s.at[s.n - 1], bytes);
	for (size_t i = s.n - 1; i-- > 0;)
		*out = either(s.at[i].guard, load(&s.at[i], bytes), *out);
	return true;
}

/* The target of this run comes last: reads of the others must see memory before it is written. */
bool duct_several_store(struct duct_unit *u, uint32_t place, uintptr_t p, duct_node a,
    uint32_t bytes, struct duct_term v)
{
	struct targets s;

	if (!targets(u, place, p, a, bytes, true, &s))
		return false;
	for (int now = 0; now < 2; now++)
		for (size_t i = 0; i < s.n; i++)
			if ((s.at[i].guard.v != 0) == now)
				store(&s.at[i], bytes, v);
	return true;
}

static uint32_t piece(size_t left)
{
	return left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
}

/* Reads everything before it writes; memory and shadow are written together, so that the next piece
 * finds both consistent. */
bool duct_several_copy(struct duct_unit *u, uint32_t place, uintptr_t d, uintptr_t from, size_t n,
    duct_node nd, duct_node ns)
{
	struct duct_term t[MOST_COPIED / 8 + 3], a;
	bool apart = d == from || d >= from + n || from >= d + n;
	size_t at = 0, count = 0;
	struct targets s;

	if (n > MOST_COPIED || !apart || !((nd && find(nd, &s)) || (ns && find(ns, &s))))
		return false;
	for (; at < n; at += t[count++].w / 8) {
		uint32_t bytes = piece(n - at), w = bytes * 8;

		a = ns ? duct_t_binary(OP_ADD, duct_term(ns), duct_constant(64, at))
		       : duct_constant(64, 0);
		t[count] = duct_constant(w, 0);
		t[count].n = a.n
		    ? duct_rt_load_at(u, place, (const void *)(from + at), a.n, bytes, w)
		    : duct_load_term(from + at, bytes).n;
		for (uint32_t i = bytes; i-- > 0;)
			t[count].v = t[count].v << 8 | *(const uint8_t *)(from + at + i);
	}
	for (size_t i = at = 0; i < count; at += t[i++].w / 8) {
		a = nd ? duct_t_binary(OP_ADD, duct_term(nd), duct_constant(64, at))
		       : duct_constant(64, 0);
		if (a.n)
			duct_rt_store_at(u, place, (void *)(d + at), a.n, t[i].w / 8, t[i].w,
			    t[i].n, (uint64_t)t[i].v);
		else
			duct_store_term(d + at, t[i].w / 8, t[i].n);
		for (uint32_t k = 0; k < t[i].w / 8; k++)
			((uint8_t *)d)[at + k] = (uint8_t)(t[i].v >> k * 8);
	}
	return true;
}
