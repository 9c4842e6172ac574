/* Objects by base address: pages of cells by base, and a treap whose priorities are hashes of the
 * addresses, so that its shape depends on nothing but its content. An object enters the treap when
 * an address is looked for that is no object's base: most blocks of the heap are gone before.
 * Removed entries are used again; pages stay. */
#include "lib/runtime/rt.h"

/* The fields that a search reads lie side by side: base is the object's first member. */
struct entry {
	struct entry *left, *right;
	struct duct_object object;
	struct entry *same; /* the next one whose base is in the same cell */
	uint32_t waiting; /* place among those that are not in the treap, from 1; 0: it is there */
} __attribute__((aligned(32)));

static struct entry *root, *unused;

static uint64_t priority(const struct entry *e)
{
	uint64_t h = e->object.base * 0x9e3779b97f4a7c15u;

	return h ^ h >> 32;
}

#define FIRST_PAGES 64u /* a power of 2, as all sizes of the table */
#define FIRST_WAITING 256u
#define CELLS 128u /* of 32 bytes, the distance of the heap's smallest blocks */

/* 4096 bytes of addresses. In the arena, where leak.c does not take bases for the program's
 * pointers. */
struct page {
	uintptr_t number;
	struct entry *cell[CELLS];
};

static struct {
	struct page **page; /* open addressing, at most half full */
	struct page *last;  /* that was asked for */
	uint32_t mask, used;
} pages;

static struct {
	struct entry **entry;
	uint32_t count, room;
} waits;

static struct page **place_of(uintptr_t number)
{
	uint32_t i = (uint32_t)(number * 0x9e3779b97f4a7c15u >> 32) & pages.mask;

	while (pages.page[i] && pages.page[i]->number != number)
		i = (i + 1) & pages.mask;
	return &pages.page[i];
}

static void more_pages(void)
{
	struct page **old = pages.page;
	uint32_t n = old ? pages.mask + 1 : 0, more = n ? 4 * n : FIRST_PAGES;

	pages.mask = more - 1;
	pages.page = duct_arena(more * sizeof(struct page *));
	for (uint32_t i = 0; i < n; i++)
		if (old[i])
			*place_of(old[i]->number) = old[i];
}

/* NULL: no object was ever there. */
static struct page *page_of(uintptr_t a)
{
	struct page *found;

	if (pages.last && pages.last->number == a >> 12)
		return pages.last;
	if (pages.page && (found = *place_of(a >> 12)))
		return pages.last = found;
	return NULL;
}

static struct entry **cell_of(struct page *page, uintptr_t a)
{
	return &page->cell[a >> 5 & (CELLS - 1)];
}

static struct entry *entry_at(uintptr_t a)
{
	struct page *page = page_of(a);
	struct entry *e = page ? *cell_of(page, a) : NULL;

	while (e && e->object.base != a)
		e = e->same;
	return e;
}

static void put(uintptr_t a, struct entry *e)
{
	struct page *page = page_of(a);
	struct entry **cell;

	if (!page) {
		if (2 * pages.used >= pages.mask)
			more_pages();
		page = duct_arena(sizeof *page);
		page->number = a >> 12;
		*place_of(page->number) = page;
		pages.used++;
	}
	cell = cell_of(page, a);
	e->same = *cell;
	*cell = e;
}

static void forget(uintptr_t a, struct entry *e)
{
	struct entry **link = cell_of(page_of(a), a);

	while (*link != e)
		link = &(*link)->same;
	*link = e->same;
}

static void wait(struct entry *e)
{
	struct entry **old = waits.entry;

	if (waits.count == waits.room) {
		waits.room = waits.room ? 4 * waits.room : FIRST_WAITING;
		waits.entry = duct_arena(waits.room * sizeof(struct entry *));
		for (uint32_t i = 0; i < waits.count; i++)
			waits.entry[i] = old[i];
	}
	waits.entry[waits.count] = e;
	e->waiting = ++waits.count;
}

static void stop_waiting(struct entry *e)
{
	struct entry *last = waits.entry[--waits.count];

	waits.entry[e->waiting - 1] = last;
	last->waiting = e->waiting;
	e->waiting = 0;
}

static void insert_waiting(void);

struct duct_object *duct_treap_floor(uintptr_t a)
{
	struct entry *best = entry_at(a);

	if (best)
		return &best->object;
	insert_waiting();
	for (struct entry *e = root; e;) {
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
static void split(struct entry *t, uintptr_t a, struct entry **below, struct entry **rest)
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
	uintptr_t at = (uintptr_t)duct_arena((BATCH + 1) * sizeof(struct entry));
	struct entry *e =
	    (struct entry *)((at + _Alignof(struct entry) - 1) & -_Alignof(struct entry));

	for (int i = 0; i < BATCH; i++, e++) {
		e->right = unused;
		unused = e;
	}
}

static struct entry *fresh(void)
{
	struct entry *e;

	if (!unused)
		reserve();
	e = unused;
	unused = e->right;
	return e;
}

static void insert(struct entry *e)
{
	uintptr_t a = e->object.base;
	struct entry **link = &root;

	while (*link && priority(*link) >= priority(e))
		link = a < (*link)->object.base ? &(*link)->left : &(*link)->right;
	split(*link, a, &e->left, &e->right);
	*link = e;
}

static void insert_waiting(void)
{
	while (waits.count) {
		struct entry *e = waits.entry[waits.count - 1];

		stop_waiting(e);
		insert(e);
	}
}

struct duct_object *duct_treap_insert(uintptr_t a)
{
	struct entry *e = entry_at(a);

	if (!e) { /* else one whose end was not seen */
		e = fresh();
		put(a, e);
		wait(e);
	}
	e->object = (struct duct_object){ .span = { .base = a } };
	return &e->object;
}

static struct entry *join(struct entry *low, struct entry *high)
{
	struct entry *top = NULL, **link = &top;

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

static void take_out(struct entry *e)
{
	struct entry **link = &root;

	while (*link != e)
		link = e->object.base < (*link)->object.base ? &(*link)->left : &(*link)->right;
	*link = join(e->left, e->right);
}

struct duct_object *duct_treap_remove(uintptr_t a)
{
	struct entry *e = entry_at(a);

	if (!e)
		return NULL;
	forget(a, e);
	duct_span_end(&e->object);
	if (e->waiting)
		stop_waiting(e);
	else
		take_out(e);
	e->right = unused;
	unused = e;
	return &e->object;
}
