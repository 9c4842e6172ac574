/* Labels of memory (flow.c), for each byte, and the names of objects that outlive a run. */
#include "lib/runtime/flow.h"

#define PAGE 512u                         /* bytes whose labels are allocated together */
#define LOWEST_FRAME ((uintptr_t)8 << 20) /* most bytes of stack that calls use */
#define STACK ((uintptr_t)128 << 20)      /* there is nothing else below the first frame */

extern void *__libc_stack_end; /* above the first frame */

struct label_page {
	uintptr_t number;
	uint32_t *label;
};

static struct label_page first_pages[64], *page_of = first_pages, last_page = { 1, NULL };
static uint32_t page_mask = 63, page_count;

static struct label_page *page_place(struct label_page *table, uint32_t mask, uintptr_t number)
{
	uint32_t i = (uint32_t)(number * 0x9e3779b97f4a7c15u >> 32);

	while (table[i &= mask].label && table[i].number != number)
		i++;
	return &table[i];
}

static void more_pages(void)
{
	uint32_t mask = page_mask * 4 + 3;
	struct label_page *to = duct_arena((mask + 1) * sizeof *to);

	for (uint32_t i = 0; i <= page_mask; i++)
		if (page_of[i].label)
			*page_place(to, mask, page_of[i].number) = page_of[i];
	page_of = to;
	page_mask = mask;
}

/* Labels of the bytes of a page; NULL: all are 0. */
static uint32_t *labels(uintptr_t a, bool make)
{
	uintptr_t number = a / PAGE;
	struct label_page *p;

	if (last_page.number == number && (last_page.label || !make))
		return last_page.label;
	p = page_place(page_of, page_mask, number);
	if (!p->label && make) {
		if (++page_count > page_mask / 2) {
			more_pages();
			p = page_place(page_of, page_mask, number);
		}
		*p = (struct label_page){ number, duct_arena(PAGE * sizeof *p->label) };
	}
	last_page = (struct label_page){ number, p->label };
	return p->label;
}

/* How many of n bytes from a on lie on a's page. */
static size_t part_of(uintptr_t a, size_t n)
{
	return n < PAGE - a % PAGE ? n : PAGE - a % PAGE;
}

uint32_t duct_flow_get(uintptr_t a, size_t n)
{
	uint32_t all = 0, last = 0;

	for (size_t part; n; a += part, n -= part) {
		const uint32_t *l = labels(a, false);

		part = part_of(a, n);
		for (size_t i = 0; l && i < part; i++)
			if (l[a % PAGE + i] != last)
				all = duct_rt_flow_join(all, last = l[a % PAGE + i]);
	}
	return all;
}

static void put(uintptr_t a, size_t n, uint32_t l)
{
	for (size_t part; n; a += part, n -= part) {
		uint32_t *to = labels(a, l != 0);

		part = part_of(a, n);
		for (size_t i = 0; to && i < part; i++)
			to[a % PAGE + i] = l;
	}
}

/* Adds a label to bytes that keep the labels they have: it is not certain that they were
 * overwritten. */
void duct_flow_add(uintptr_t a, size_t n, uint32_t l)
{
	for (size_t part; n && l; a += part, n -= part) {
		uint32_t *to = labels(a, true);

		part = part_of(a, n);
		for (size_t i = 0; i < part; i++)
			to[a % PAGE + i] = duct_rt_flow_join(to[a % PAGE + i], l);
	}
}

/* Names blocks of the heap by the calls that allocated them, and objects that a caller would pass
 * by their inputs: their addresses depend on what else was allocated before. */
static struct named_block {
	uint64_t name;
	uintptr_t base;
} first_named[64], *named = first_named;
static uint32_t named_mask = 63, named_count;

static struct named_block *named_place(uint64_t name)
{
	uint32_t i = (uint32_t)name;

	while (named[i &= named_mask].name && named[i].name != name)
		i++;
	return &named[i];
}

static void more_names(void)
{
	struct named_block *old = named;
	uint32_t n = named_mask + 1;

	named = duct_arena(4 * n * sizeof *named);
	named_mask = 4 * n - 1;
	for (uint32_t i = 0; i < n; i++)
		if (old[i].name)
			*named_place(old[i].name) = old[i];
}

static struct duct_object *named_object(uint64_t name)
{
	struct named_block *place = named_place(name);
	struct duct_object *o = place->name ? duct_object_at(place->base) : NULL;

	return o && o->base == place->base && o->flow_name == name ? o : NULL;
}

static void give_name(struct duct_object *o, uint64_t name)
{
	o->flow_name = 0;
	if (!duct_flow_shared() || !name || named_object(name))
		return;
	if (++named_count > named_mask / 2)
		more_names();
	o->flow_name = name;
	*named_place(name) = (struct named_block){ name, o->base };
}

void duct_flow_allocated(struct duct_object *o)
{
	give_name(o, duct_flow_context);
}

void duct_flow_passed(struct duct_object *o, const char *name)
{
	give_name(o, duct_hash(name, duct_length(name)) | 1);
}

/* A name of the address that is the same in any run and any process of this program. */
static struct flowmap_place place_of(uintptr_t a)
{
	const struct duct_object *o = duct_object_at(a);
	uintptr_t below = (uintptr_t)__libc_stack_end - a;

	if (o && (o->kind == DUCT_OBJECT_HEAP || o->input) && a - o->base < o->room && o->flow_name)
		return (struct flowmap_place){ .object = o->flow_name, .at = a - o->base };
	if (below < STACK)
		return (struct flowmap_place){ .object = FLOWMAP_STACK, .at = below };
	return (struct flowmap_place){ .object = FLOWMAP_MEMORY, .at = a };
}

void duct_flow_wrote(uintptr_t a, size_t n)
{
	const uint64_t *scope = duct_flow_scope();
	struct flowmap_place p;

	if (!scope || !n)
		return;
	p = place_of(a);
	p.scope = *scope;
	for (; n; n -= p.size) {
		p.size = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
		duct_flow_learn(p);
	}
}

uintptr_t duct_flow_now(const struct flowmap_place *p, uintptr_t here)
{
	const struct duct_object *o;
	uintptr_t a;

	if (p->object != FLOWMAP_MEMORY && p->object != FLOWMAP_STACK) {
		o = named_object(p->object);
		return o && p->at + p->size <= o->room ? o->base + p->at : 0;
	}
	a = p->object == FLOWMAP_STACK ? (uintptr_t)__libc_stack_end - p->at : p->at;
	return here - a > LOWEST_FRAME ? a : 0;
}

void duct_flow_input(uintptr_t a, size_t n, uint32_t input)
{
	if (!duct_flow_followed())
		return;
	put(a, n, duct_rt_flow_join(duct_flow_of(input), duct_flow_control));
	duct_flow_wrote(a, n);
}

void duct_flow_clear(uintptr_t a, size_t n)
{
	if (duct_flow_shared())
		put(a, n, 0);
}

/* Bytes that an access is about to turn into inputs become inputs before their label is read or
 * written. */
uint32_t duct_rt_flow_load(const void *p, size_t n)
{
	if (!duct_flow_followed())
		return 0;
	if (duct_may_grow((uintptr_t)p, n))
		duct_grow_read((uintptr_t)p, n);
	return duct_flow_get((uintptr_t)p, n);
}

void duct_rt_flow_store(void *p, size_t n, uint32_t l)
{
	if (!duct_flow_on())
		return;
	if (duct_may_grow((uintptr_t)p, n))
		duct_grow_write((uintptr_t)p, n);
	put((uintptr_t)p, n, duct_flow_quiet ? 0 : duct_rt_flow_join(l, duct_flow_control));
	if (!duct_flow_quiet)
		duct_flow_wrote((uintptr_t)p, n);
}

/* The object that an address which depends on inputs may lie in; NULL: any object. */
static struct duct_object *target(const void *p)
{
	struct duct_object *o = duct_object_at((uintptr_t)p);

	if (!o)
		duct_flow_lost("an address that depends on inputs in no known object");
	return o;
}

/* The access may read any byte of the object: those that are not inputs yet become inputs, so that
 * they have labels. */
static void read_all(const struct duct_object *o)
{
	if (duct_may_grow(o->base, o->room))
		duct_grow_read(o->base, o->room);
}

uint32_t duct_rt_flow_load_at(const void *p, uint32_t address, const struct duct_flow_place *place)
{
	uint32_t l = duct_rt_flow_decide(address, place);
	struct duct_object *o = l ? target(p) : NULL;

	if (o && duct_flow_followed())
		read_all(o);
	return o && duct_flow_followed() ? duct_rt_flow_join(l, duct_flow_get(o->base, o->room))
	                                 : 0;
}

void duct_rt_flow_store_at(
    void *p, uint32_t l, uint32_t address, const struct duct_flow_place *place)
{
	uint32_t all = duct_rt_flow_decide(address, place);
	struct duct_object *o = all ? target(p) : NULL;

	if (!o || !duct_flow_followed())
		return;
	read_all(o);
	duct_flow_add(o->base, o->room, duct_rt_flow_join(l, all));
	duct_flow_wrote(o->base, o->room);
}

void duct_rt_flow_copy(void *d, const void *s, size_t n)
{
	uintptr_t to = (uintptr_t)d, from = (uintptr_t)s;

	if (!duct_flow_on())
		return;
	if (duct_may_grow(from, n))
		duct_grow_read(from, n);
	if (duct_may_grow(to, n))
		duct_grow_write(to, n);
	for (size_t i = 0; i < n; i++) {
		size_t k = to < from ? i : n - 1 - i;
		uint32_t l = duct_flow_get(from + k, 1);

		put(to + k, 1, duct_flow_quiet ? 0 : duct_rt_flow_join(l, duct_flow_control));
	}
	if (!duct_flow_quiet)
		duct_flow_wrote(to, n);
}

/* After va_start: all variable arguments have this label. */
void duct_rt_flow_va_start(void *va_list_tag, uint32_t l, uint32_t count)
{
	struct duct_va_tag *t = va_list_tag;

	if (!duct_flow_on())
		return;
	put((uintptr_t)t, sizeof *t, 0);
	if (t->general < 48)
		put(t->registers + t->general, 48 - t->general, l);
	if (t->vector < 176)
		put(t->registers + t->vector, 176 - t->vector, l);
	put(t->overflow, 16ul * count, l);
}
