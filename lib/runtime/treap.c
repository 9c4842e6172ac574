/* Objects by base address: a table by base, and a treap whose priorities are hashes of the
 * addresses, so that its shape depends on nothing but its content. An object enters the treap when
 * an address is looked for that is no object's base: most blocks of the heap are gone before. The
 * entry of a removed object stays in the table for a while, because the heap soon gives its address
 * again. */
#include "lib/runtime/rt.h"
#include <stddef.h>

/* waiting: its place among those that are not in the treap, from 1; 0: it is there, or gone.
 * gone: removed, but in the table, and perhaps waiting. */
struct treap_node {
	struct duct_object object;
	struct treap_node *left, *right;
} __attribute__((aligned(64)));

static struct treap_node *root, *unused;

static uint64_t priority(const struct treap_node *e)
{
	uint64_t h = e->object.base * 0x9e3779b97f4a7c15u;

	return h ^ h >> 32;
}

#define FIRST_BASES 256u /* a power of 2, as all sizes of the table */

struct base_slot {
	uintptr_t base;
	struct treap_node *entry;
};

/* Open addressing; at most half full, which is the room for those that wait. An entry never lies
 * farther behind its home than one before it could, so that a search ends at the first that is
 * nearer to its own home (Robin Hood hashing; Celis, 1986). In the arena, where leak.c does not
 * take bases for the program's pointers. */
static struct base_slot no_base;
static struct {
	struct base_slot *slot;
	struct treap_node **waiting;
	uint32_t mask, used, count; /* used: also by entries that are gone */
	uint32_t gone, most;        /* most: there were so many at once that are not gone */
} bases = { .slot = &no_base };

/* Neighbours stay neighbours, as they come and go together; blocks of the heap lie 32 bytes apart.
 */
static uint32_t home(uintptr_t a)
{
	return (uint32_t)(a >> 5 ^ a >> 16) & bases.mask;
}

static uint32_t behind_home(uint32_t i)
{
	return (i - home(bases.slot[i].base)) & bases.mask;
}

/* The slot of the object with this base; NULL: there is none. */
static struct base_slot *slot_of(uintptr_t a)
{
	uint32_t i = home(a), away = 0;

	while (bases.slot[i].entry && bases.slot[i].base != a && behind_home(i) >= away) {
		i = (i + 1) & bases.mask;
		away++;
	}
	return bases.slot[i].entry && bases.slot[i].base == a ? &bases.slot[i] : NULL;
}

static void put(uintptr_t a, struct treap_node *e)
{
	struct base_slot now = { a, e }, other;
	uint32_t i = home(a), away = 0;

	while (bases.slot[i].entry) {
		uint32_t its = behind_home(i);
		if (its < away) {
			other = bases.slot[i];
			bases.slot[i] = now;
			now = other;
			away = its;
		}
		i = (i + 1) & bases.mask;
		away++;
	}
	bases.slot[i] = now;
}

static void drop_gone(void);

static void more_bases(void)
{
	if (bases.gone > bases.used / 2) {
		drop_gone();
		return;
	}

	struct base_slot *old = bases.slot;
	struct treap_node **waiting = bases.waiting;
	uint32_t n = bases.mask + 1, more = n > 1 ? 4 * n : FIRST_BASES;

	bases.mask = more - 1;
	bases.slot = duct_arena(more * sizeof *bases.slot);
	bases.waiting = duct_arena(more / 2 * sizeof *bases.waiting);
	for (uint32_t i = 0; i < n; i++)
		if (old[i].entry)
			put(old[i].base, old[i].entry);
	for (uint32_t i = 0; i < bases.count; i++)
		bases.waiting[i] = waiting[i];
}

/* Moves the entries behind an emptied slot nearer to their homes. */
static void empty(uint32_t hole)
{
	uint32_t next = (hole + 1) & bases.mask;

	while (bases.slot[next].entry && behind_home(next)) {
		bases.slot[hole] = bases.slot[next];
		hole = next;
		next = (next + 1) & bases.mask;
	}
	bases.slot[hole].entry = NULL;
	bases.used--;
}

static void wait(struct treap_node *e)
{
	bases.waiting[bases.count] = e;
	e->object.waiting = ++bases.count;
}

static void stop_waiting(struct treap_node *e)
{
	struct treap_node *last = bases.waiting[--bases.count];

	bases.waiting[e->object.waiting - 1] = last;
	last->object.waiting = e->object.waiting;
	e->object.waiting = 0;
}

/* Takes entries that are gone out of the table. */
static void drop_gone(void)
{
	for (uint32_t i = 0; i <= bases.mask && bases.gone; i++)
		for (struct treap_node *e; (e = bases.slot[i].entry) && e->object.gone;) {
			empty(i);
			if (e->object.waiting)
				stop_waiting(e);
			bases.gone--;
			e->object.gone = 0;
			e->right = unused;
			unused = e;
		}
}

static void insert_waiting(void);

struct duct_object *duct_treap_base(uintptr_t a)
{
	struct base_slot *slot = slot_of(a);

	return slot && !slot->entry->object.gone ? &slot->entry->object : NULL;
}

struct duct_object *duct_treap_floor(uintptr_t a)
{
	struct duct_object *exact = duct_treap_base(a);
	struct treap_node *best = NULL;

	if (exact)
		return exact;
	insert_waiting();
	for (struct treap_node *e = root; e;) {
		if (e->object.base <= a) {
			best = e;
			e = e->right;
		} else {
			e = e->left;
		}
	}
	return best ? &best->object : NULL;
}

/* Splits t into bases below a and the others. */
static void split(
    struct treap_node *t, uintptr_t a, struct treap_node **below, struct treap_node **rest)
{
	while (t) {
		if (t->object.base < a) {
			*below = t;
			below = &t->right;
			t = t->right;
		} else {
			*rest = t;
			rest = &t->left;
			t = t->left;
		}
	}
	*below = *rest = NULL;
}

#define BATCH 16

/* In batches, because the arena knows no alignment. */
static void reserve(void)
{
	uintptr_t at = (uintptr_t)duct_arena((BATCH + 1) * sizeof(struct treap_node));
	struct treap_node *e = (struct treap_node *)((at + _Alignof(struct treap_node) - 1)
	    & -_Alignof(struct treap_node));

	for (int i = 0; i < BATCH; i++, e++) {
		e->right = unused;
		unused = e;
	}
}

static struct treap_node *fresh(void)
{
	struct treap_node *e;

	if (!unused)
		reserve();
	e = unused;
	unused = e->right;
	return e;
}

static void insert(struct treap_node *e)
{
	uintptr_t a = e->object.base;
	struct treap_node **link = &root;

	while (*link && priority(*link) >= priority(e))
		link = a < (*link)->object.base ? &(*link)->left : &(*link)->right;
	split(*link, a, &e->left, &e->right);
	*link = e;
}

static void insert_waiting(void)
{
	while (bases.count) {
		struct treap_node *e = bases.waiting[bases.count - 1];

		stop_waiting(e);
		if (!e->object.gone)
			insert(e);
	}
}

/* The last object with this base, if it is gone and was accessed not long ago: most often there is
 * one. */
static struct treap_node *gone_lately(uintptr_t a)
{
	struct duct_object *o = (struct duct_object *)(uintptr_t)*duct_seen_lately(a);

	return o && o->base == a && o->gone ? (struct treap_node *)(void *)o : NULL;
}

/* The entry of a new object with this base. */
static struct treap_node *entry_for(uintptr_t a)
{
	struct treap_node *e = gone_lately(a);
	struct base_slot *slot = e ? NULL : slot_of(a);

	if (slot)
		e = slot->entry;
	if (!e) {
		if (bases.used >= (bases.mask + 1) / 2)
			more_bases();
		e = fresh();
		put(a, e);
		bases.used++;
		e->object.waiting = 0;
		wait(e);
	} else if (e->object.gone) { /* else one whose end was not seen */
		bases.gone--;
		if (!e->object.waiting)
			wait(e);
	}
	return e;
}

struct duct_object *duct_treap_insert(uintptr_t a)
{
	struct duct_object *o = &entry_for(a)->object;
	uint32_t waiting = o->waiting;

	if (o->copied) {
		o->bytes = NULL;
		o->entry = NULL;
		o->changes = 0;
	}
	__builtin_memset(o, 0, offsetof(struct duct_object, bytes));
	o->base = a;
	o->waiting = waiting;
	if (bases.used - bases.gone > bases.most)
		bases.most = bases.used - bases.gone;
	return o;
}

static struct treap_node *join(struct treap_node *low, struct treap_node *high)
{
	struct treap_node *top = NULL, **link = &top;

	while (low && high) {
		if (priority(low) >= priority(high)) {
			*link = low;
			link = &low->right;
			low = low->right;
		} else {
			*link = high;
			link = &high->left;
			high = high->left;
		}
	}
	*link = low ? low : high;
	return top;
}

static void take_out(struct treap_node *e)
{
	struct treap_node **link = &root;

	while (*link != e)
		link = e->object.base < (*link)->object.base ? &(*link)->left : &(*link)->right;
	*link = join(e->left, e->right);
}

void duct_treap_end(struct duct_object *o)
{
	struct treap_node *e = (struct treap_node *)(void *)o;

	duct_span_end(o);
	if (!e->object.waiting)
		take_out(e);
	e->object.gone = true;
	if (++bases.gone > bases.most + FIRST_BASES)
		drop_gone();
}

struct duct_object *duct_treap_remove(uintptr_t a)
{
	struct base_slot *slot = slot_of(a);
	struct treap_node *e = slot ? slot->entry : NULL;

	if (!e || e->object.gone)
		return NULL;
	duct_treap_end(&e->object);
	return &e->object;
}
