/* Which inputs flow where, by data and by control (Majumdar, Xu: Reducing Test Inputs Using
 * Information Partitions). Woven code of `instrument --flows` keeps a label beside each value: a
 * set of atoms, 0 for none. An atom is an input whose value flows there, or only its control: what
 * is there depends on the outcomes of decisions about it. Sets are shared, and so are classes of
 * inputs that met: a decision makes one class of all inputs whose values it depends on. Inputs
 * whose control it depends on are its guards, which are told. What it decides about is in its
 * scope, until the block that comes after both of its sides. Scopes of different classes nest. When
 * one closes, all that any run wrote in it so far depends on it, too: what the side that was not
 * taken would have written. Those places outlive the runs, in memory that the server shares with
 * them; the names of scopes are made of calls and rounds of loops around them, so that inputs which
 * do not flow there do not change them. */
#include "lib/runtime/rt.h"

#include "lib/clib/clib.h"
#include <sys/mman.h>

#define PAGE 512u       /* addresses whose labels lie together */
#define LOWEST 4096u    /* below it nothing is */
#define MOST 4096u      /* atoms in a set; more are taken for all */
#define MOST_SCOPES 16u /* within each other; a decision in the last of them meets it */

void *duct_flow_for;
uint32_t duct_flow_args[DUCT_MAX_ARGS], duct_flow_count, duct_flow_ret;
uint64_t duct_flow_from[DUCT_MAX_ARGS], duct_flow_context;
uint32_t duct_flow_control;

/* ---- places written in scopes: entries in a list for each scope, found again by a hash */

struct place {
	uint64_t scope, object;
	uintptr_t at;
	uint32_t size, next;
	uint64_t closed; /* number of the last scope that closed around it, of a scope */
}; /* object: its name, at is an offset; size 0: the scope `object` is in this scope */
struct slot {
	uint32_t entry, scope;
}; /* an entry; the newest entry of the scope with this hash */
struct learned {
	uint64_t entries, mask, used;
	uint64_t closed; /* scopes so far */
};

#define LEARNED ((size_t)1 << 33)
#define FIRST_SLOTS 4096u

static struct learned *learned;
static struct slot *slots;
static struct place *places;

#define MOST_PLACES (1u << 26)
#define MOST_PLACES_NESTED 1024u /* scopes that wait to be spread */

void duct_flow_reserve(bool woven)
{
	long p = woven ? sys6(SYS_mmap, 0, LEARNED, PROT_READ | PROT_WRITE,
	                     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
	               : 0;

	if (!p || (p < 0 && p > -4096))
		return;
	learned = (struct learned *)p;
	slots = (struct slot *)(p + 4096);
	places = (struct place *)(p + (long)(LEARNED / 2));
	learned->mask = FIRST_SLOTS - 1;
}

uintptr_t duct_flow_shared(void)
{
	return (uintptr_t)learned;
}

static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ b * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;

	return h ^ h >> 29;
}

/* Where an entry is, or the newest of its scope, or is to be put. */
static struct slot *slot_of(const struct place *e, bool whole)
{
	uint64_t i = mix(e->scope, whole ? 1 : mix(mix(e->object, e->at), e->size));

	for (;; i++) {
		struct slot *s = &slots[i &= learned->mask];
		uint32_t n = whole ? s->scope : s->entry;
		const struct place *p = &places[n];

		if (!n && !s->entry && !s->scope)
			return s;
		if (n && p->scope == e->scope
		    && (whole || (p->object == e->object && p->at == e->at && p->size == e->size)))
			return s;
	}
}

/* Twice as many slots; a run that is killed in between leaves them incomplete, which `used` tells
 * the next. */
static void rehash(void)
{
	for (uint64_t i = 0; i <= learned->mask; i++)
		slots[i] = (struct slot){ 0, 0 };
	for (uint32_t n = 1; n <= learned->entries; n++) {
		slot_of(&places[n], false)->entry = n;
		slot_of(&places[n], true)->scope = n;
	}
	learned->used = learned->entries;
}

static void learn(struct place e)
{
	struct slot *s;
	uint32_t n;

	if (learned->used != learned->entries)
		rehash();
	s = slot_of(&e, false);
	if (s->entry)
		return;
	if (learned->entries + 1 >= MOST_PLACES) {
		duct_flow_lost("too many places are written under decisions");
		return;
	}
	n = (uint32_t)learned->entries + 1;
	e.next = slot_of(&e, true)->scope;
	places[n] = e;
	learned->entries = n;
	s->entry = n;
	slot_of(&e, true)->scope = n;
	learned->used = n;
	duct_channel->flow_learned = n;
	if (2 * (uint64_t)n > learned->mask / 2) {
		learned->used = 0;
		learned->mask = learned->mask * 2 + 1;
		rehash();
	}
}

/* ---- inputs: classes of those that met */

/* by input; the label of its value alone; whether it took part in a decision */
static uint32_t *parent, *single, vars, var_room;
static uint8_t *decides;
static bool all_met;    /* nothing is told apart any more */
static uint32_t depth;  /* open scopes */
static uint32_t hidden; /* what flows into the state of code that is not woven */

#define NONE UINT32_MAX /* no class */

static uint32_t find(uint32_t v)
{
	while (parent[v] != v)
		v = parent[v] = parent[parent[v]];
	return v;
}

static void *larger(void *from, size_t old, size_t now)
{
	char *to = duct_arena(now);

	for (size_t i = 0; i < old; i++)
		to[i] = ((char *)from)[i];
	return to;
}

/* ---- labels: shared sets of atoms, ascending. An atom: twice the class, 1 more for its control.
 */

#define CONTROL 1u

struct set {
	uint32_t *atom, n;
};

static uint32_t atom_now(uint32_t atom)
{
	return find(atom >> 1) << 1 | (atom & CONTROL);
}

static struct set *sets;
static uint32_t set_count, set_room, *set_slot, set_mask;

static bool same_set(const struct set *a, const uint32_t *atom, uint32_t n)
{
	if (a->n != n)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (a->atom[i] != atom[i])
			return false;
	return true;
}

static uint32_t *set_place(const uint32_t *atom, uint32_t n)
{
	uint32_t i = (uint32_t)duct_hash(atom, n * sizeof *atom);

	while (set_slot[i &= set_mask] && !same_set(&sets[set_slot[i]], atom, n))
		i++;
	return &set_slot[i];
}

static void more_sets(void)
{
	uint32_t room = set_room ? set_room * 2 : 64;

	sets = larger(sets, set_room * sizeof *sets, room * sizeof *sets);
	set_room = room;
	set_mask = 2 * room - 1;
	set_slot = duct_arena(2 * room * sizeof *set_slot);
	for (uint32_t i = 1; i <= set_count; i++)
		*set_place(sets[i].atom, sets[i].n) = i;
}

static uint32_t intern(const uint32_t *atom, uint32_t n)
{
	uint32_t *slot;

	if (!n)
		return 0;
	if (set_count + 1 >= set_room)
		more_sets();
	slot = set_place(atom, n);
	if (!*slot) {
		uint32_t *copy = duct_arena(n * sizeof *copy);

		for (uint32_t i = 0; i < n; i++)
			copy[i] = atom[i];
		sets[++set_count] = (struct set){ copy, n };
		*slot = set_count;
	}
	return *slot;
}

static uint32_t alone(uint32_t v)
{
	uint32_t atom = find(v) << 1;

	v = atom >> 1;
	if (!single[v])
		single[v] = intern(&atom, 1);
	return single[v];
}

static uint32_t control_of(uint32_t v)
{
	uint32_t atom = find(v) << 1 | CONTROL;

	return intern(&atom, 1);
}

/* Puts an atom into an ascending list; a value of a class stands for its control, too. */
static uint32_t insert(uint32_t *out, uint32_t n, uint32_t atom)
{
	uint32_t at = n;

	while (at && out[at - 1] > atom)
		at--;
	if (at && (out[at - 1] | CONTROL) == (atom | CONTROL))
		return n;
	if (at < n && (out[at] | CONTROL) == (atom | CONTROL)) {
		out[at] = atom;
		return n;
	}
	for (uint32_t m = n; m > at; m--)
		out[m] = out[m - 1];
	out[at] = atom;
	return n + 1;
}

/* Both lists ascend but for classes that met since; so does what comes out, but for such. */
static uint32_t merged(const struct set *a, const struct set *b)
{
	static uint32_t *out;
	uint32_t n = 0, i = 0, k = 0;

	if (!out)
		out = duct_arena(2 * MOST * sizeof *out);
	while (i < a->n || k < b->n) {
		uint32_t v = k >= b->n || (i < a->n && a->atom[i] <= b->atom[k]) ? a->atom[i++]
		                                                                 : b->atom[k++];

		n = insert(out, n, atom_now(v));
	}
	if (n > MOST) {
		duct_flow_lost("a value that more than 4096 inputs flow into");
		return 0;
	}
	return intern(out, n);
}

uint32_t duct_rt_flow_join(uint32_t a, uint32_t b)
{
	static struct {
		uint32_t a, b, to;
	} known[1 << 10];
	uint32_t i = (a * 0x9e3779b1u ^ b * 0x85ebca6bu) >> 22;

	if (a == b || !b)
		return a;
	if (!a)
		return b;
	if (known[i].a != a || known[i].b != b) {
		known[i].a = a;
		known[i].b = b;
		known[i].to = merged(&sets[a], &sets[b]);
	}
	return known[i].to;
}

/* ---- what is told */

static struct channel_meet *room_for_meet(const char *text)
{
	struct channel_area *area = &duct_channel->meet;
	struct channel_meet *m;
	static const char *last;
	static uint64_t at;

	if (area->used + sizeof *m > area->capacity)
		duct_end(FAULT_LIMIT, "too many meetings of inputs");
	m = (struct channel_meet *)((char *)duct_area(area) + area->used);
	area->used += sizeof *m;
	if (text != last)
		at = duct_blob_text(last = text, NULL, NULL);
	*m = (struct channel_meet){ .text = at };
	return m;
}

void duct_flow_lost(const char *what)
{
	if (!learned || !duct_channel || all_met)
		return;
	room_for_meet(what);
	all_met = true;
	duct_flow_control = depth = 0;
}

void duct_rt_flow_lost(const char *what)
{
	duct_flow_lost(what);
}

static uint32_t quiet; /* within output, which decides nothing */

void duct_rt_flow_quiet(uint32_t more)
{
	quiet += more;
}

static bool followed(void)
{
	return learned && duct_channel && !all_met && !quiet;
}

static void tell(uint32_t kind, uint32_t a, uint32_t b, const struct duct_flow_place *place)
{
	struct channel_meet *m = room_for_meet(place->file);

	m->kind = kind;
	m->a = a + 1;
	m->b = b + 1;
	m->line = place->line;
	m->col = place->col;
}

/* ---- scopes */

#define LOWEST_FRAME ((uintptr_t)8 << 20) /* bytes that calls take, at most */

/* Open ones, each of another class. control: the label of what is in it. */
static struct scope {
	uint64_t name, end;
	uint32_t class, control;
} scopes[MOST_SCOPES];

static bool in_scope(uint32_t class)
{
	uint32_t i = depth;

	while (i && find(scopes[i - 1].class) != class)
		i--;
	return i > 0;
}

/* ---- decisions */

static uint32_t unite(uint32_t a, uint32_t b, const struct duct_flow_place *place)
{
	if (a == NONE || a == b)
		return b;
	tell(MEET_VALUES, a, b, place);
	parent[b] = a;
	return a;
}

/* Decisions about one class guard those about another: told once. */
static void guard(uint32_t from, uint32_t to, const struct duct_flow_place *place)
{
	static uint64_t *known;
	static uint32_t mask, n;
	uint64_t edge = (uint64_t)(from + 1) << 32 | to;
	uint32_t i = (uint32_t)mix(from, to);

	if (from == to)
		return;
	if (2 * n >= mask) {
		uint64_t *old = known;
		uint32_t was = mask ? mask + 1 : 0;

		mask = mask ? 2 * mask + 1 : 255;
		known = duct_arena((mask + 1) * sizeof *known);
		for (uint32_t k = 0; k < was; k++) {
			uint32_t to_slot = (uint32_t)mix((old[k] >> 32) - 1, (uint32_t)old[k]);

			while (old[k] && known[to_slot &= mask])
				to_slot++;
			if (old[k])
				known[to_slot] = old[k];
		}
	}
	while (known[i &= mask] && known[i] != edge)
		i++;
	if (known[i])
		return;
	known[i] = edge;
	n++;
	tell(MEET_GUARD, from, to, place);
}

/* A decision that depends on the label: the class of the inputs whose values it is about. When it
 * is about none, of those whose control it depends on and that do not guard it: what they decided
 * decides here, too. NONE: the open scopes decide. */
static uint32_t class_of(const struct set *s, const struct duct_flow_place *place)
{
	uint32_t root = NONE;

	for (uint32_t i = 0; i < s->n; i++)
		if (!(s->atom[i] & CONTROL))
			root = unite(root, find(s->atom[i] >> 1), place);
	if (root != NONE)
		return root;
	for (uint32_t i = 0; i < s->n; i++)
		if (!in_scope(find(s->atom[i] >> 1)))
			root = unite(root, find(s->atom[i] >> 1), place);
	return root;
}

static uint32_t decide(uint32_t l, const struct duct_flow_place *place)
{
	const struct set *s = &sets[l];
	uint32_t root;

	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t v = find(s->atom[i] >> 1);

		if (!decides[v])
			tell(MEET_DECIDES, v, v, place);
		decides[v] = 1;
	}
	root = class_of(s, place);
	if (root == NONE)
		return NONE;
	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t v = find(s->atom[i] >> 1);

		if (!in_scope(v))
			guard(v, root, place);
	}
	if (depth)
		guard(find(scopes[depth - 1].class), root, place);
	return root;
}

/* The run may end here. */
uint32_t duct_rt_flow_decide(uint32_t l, const struct duct_flow_place *place)
{
	uint32_t class;

	if (!l || !followed())
		return 0;
	class = decide(l, place);
	if (all_met)
		return 0;
	duct_channel->flow_risk = (class == NONE ? find(sets[l].atom[0] >> 1) : class) + 1;
	return class == NONE || sets[l].atom[0] & CONTROL ? l : duct_rt_flow_join(alone(class), l);
}

static void open_scope(uint32_t class, uint64_t name, uint64_t end)
{
	struct scope *s = &scopes[depth];

	if (depth)
		learn((struct place){ .scope = s[-1].name, .object = name });
	*s = (struct scope){ name, end, class,
		duct_rt_flow_join(duct_flow_control, control_of(class)) };
	depth++;
	duct_flow_control = s->control;
	duct_channel->flow_control = class + 1;
}

void duct_rt_flow_branch(
    uint32_t l, uint64_t name, uint64_t end, const struct duct_flow_place *place)
{
	uint32_t class;

	if (!l || !followed())
		return;
	class = decide(l, place);
	duct_channel->flow_risk = 0;
	if (class == NONE || all_met || in_scope(class))
		return;
	if (depth == MOST_SCOPES)
		unite(find(scopes[depth - 1].class), class, place);
	else
		open_scope(class, name, end);
}

/* ---- memory */

struct page {
	uintptr_t number;
	uint32_t *label;
};

static struct page first_pages[64], *page_of = first_pages, last_page = { 1, NULL };
static uint32_t page_mask = 63, page_count;

static struct page *page_place(struct page *table, uint32_t mask, uintptr_t number)
{
	uint32_t i = (uint32_t)(number * 0x9e3779b97f4a7c15u >> 32);

	while (table[i &= mask].label && table[i].number != number)
		i++;
	return &table[i];
}

static void more_pages(void)
{
	uint32_t mask = page_mask * 4 + 3;
	struct page *to = duct_arena((mask + 1) * sizeof *to);

	for (uint32_t i = 0; i <= page_mask; i++)
		if (page_of[i].label)
			*page_place(to, mask, page_of[i].number) = page_of[i];
	page_of = to;
	page_mask = mask;
}

/* Labels of the bytes of a page; NULL: they are all 0. */
static uint32_t *labels(uintptr_t a, bool make)
{
	uintptr_t number = a / PAGE;
	struct page *p;

	if (last_page.number == number && (last_page.label || !make))
		return last_page.label;
	p = page_place(page_of, page_mask, number);
	if (!p->label && make) {
		if (++page_count > page_mask / 2) {
			more_pages();
			p = page_place(page_of, page_mask, number);
		}
		*p = (struct page){ number, duct_arena(PAGE * sizeof *p->label) };
	}
	last_page = (struct page){ number, p->label };
	return p->label;
}

/* How many of n bytes from a on lie on a's page. */
static size_t part_of(uintptr_t a, size_t n)
{
	return n < PAGE - a % PAGE ? n : PAGE - a % PAGE;
}

static uint32_t get(uintptr_t a, size_t n)
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

/* Adds a label to bytes that keep those they have: they may not have been overwritten. */
static void add(uintptr_t a, size_t n, uint32_t l)
{
	for (size_t part; n && l; a += part, n -= part) {
		uint32_t *to = labels(a, true);

		part = part_of(a, n);
		for (size_t i = 0; i < part; i++)
			to[a % PAGE + i] = duct_rt_flow_join(to[a % PAGE + i], l);
	}
}

/* Blocks of the heap by the calls that made them, objects that a caller would pass by their inputs:
 * where they are depends on what else was allocated before. */
static struct named {
	uint64_t name;
	uintptr_t base;
} first_named[64], *named = first_named;
static uint32_t named_mask = 63, named_count;

static struct named *named_place(uint64_t name)
{
	uint32_t i = (uint32_t)name;

	while (named[i &= named_mask].name && named[i].name != name)
		i++;
	return &named[i];
}

static void more_names(void)
{
	struct named *old = named;
	uint32_t n = named_mask + 1;

	named = duct_arena(4 * n * sizeof *named);
	named_mask = 4 * n - 1;
	for (uint32_t i = 0; i < n; i++)
		if (old[i].name)
			*named_place(old[i].name) = old[i];
}

static struct duct_object *named_object(uint64_t name)
{
	struct named *place = named_place(name);
	struct duct_object *o = place->name ? duct_object_at(place->base) : NULL;

	return o && o->base == place->base && o->flow_name == name ? o : NULL;
}

static void give_name(struct duct_object *o, uint64_t name)
{
	o->flow_name = 0;
	if (!learned || !name || named_object(name))
		return;
	if (++named_count > named_mask / 2)
		more_names();
	o->flow_name = name;
	*named_place(name) = (struct named){ name, o->base };
}

void duct_flow_allocated(struct duct_object *o)
{
	give_name(o, duct_flow_context);
}

void duct_flow_passed(struct duct_object *o, const char *name)
{
	give_name(o, duct_hash(name, duct_length(name)) | 1);
}

static void wrote(uintptr_t a, size_t n)
{
	struct duct_object *o = depth && n ? duct_object_at(a) : NULL;
	uint64_t name = o && (o->kind == DUCT_OBJECT_HEAP || o->input) && a - o->base < o->room
	    ? o->flow_name
	    : 0;

	for (; depth && n; n -= n < UINT32_MAX ? n : UINT32_MAX)
		learn((struct place){ .scope = scopes[depth - 1].name,
		    .object = name,
		    .at = name ? a - o->base : a,
		    .size = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX });
}

/* Where it is in this run; 0: nowhere, or in the frame of a call that is over, below `here`. */
static uintptr_t place_now(const struct place *p, uintptr_t here)
{
	struct duct_object *o = p->object ? named_object(p->object) : NULL;

	if (p->object)
		return o && p->at + p->size <= o->room ? o->base + p->at : 0;
	return here - p->at > LOWEST_FRAME ? p->at : 0;
}

void duct_flow_input(uintptr_t a, size_t n, uint32_t input)
{
	if (!followed())
		return;
	put(a, n, duct_rt_flow_join(duct_flow_of(input), duct_flow_control));
	wrote(a, n);
}

uint32_t duct_flow_of(uint32_t input)
{
	if (!learned || all_met)
		return 0;
	if (input >= var_room) {
		uint32_t room = 2 * input + 64;

		parent = larger(parent, var_room * sizeof *parent, room * sizeof *parent);
		single = larger(single, var_room * sizeof *single, room * sizeof *single);
		decides = larger(decides, var_room, room);
		var_room = room;
	}
	for (; vars <= input; vars++)
		parent[vars] = vars;
	return alone(input);
}

void duct_flow_clear(uintptr_t a, size_t n)
{
	if (learned)
		put(a, n, 0);
}

/* Bytes that an access is about to turn into inputs are inputs before their label is read or
 * written. */
uint32_t duct_rt_flow_load(const void *p, size_t n)
{
	if (!followed())
		return 0;
	if (duct_may_grow((uintptr_t)p, n))
		duct_grow_read((uintptr_t)p, n);
	return get((uintptr_t)p, n);
}

void duct_rt_flow_store(void *p, size_t n, uint32_t l)
{
	if (!learned || all_met)
		return;
	if (duct_may_grow((uintptr_t)p, n))
		duct_grow_write((uintptr_t)p, n);
	put((uintptr_t)p, n, quiet ? 0 : duct_rt_flow_join(l, duct_flow_control));
	if (!quiet)
		wrote((uintptr_t)p, n);
}

/* The object that an address which depends on inputs may lie in; NULL: any. */
static struct duct_object *target(const void *p)
{
	struct duct_object *o = duct_object_at((uintptr_t)p);

	if (!o)
		duct_flow_lost("an address that depends on inputs in no known object");
	return o;
}

/* Any of its bytes may be meant: those that are not inputs yet become inputs, so that they have
 * labels. */
static void read_all(const struct duct_object *o)
{
	if (duct_may_grow(o->base, o->room))
		duct_grow_read(o->base, o->room);
}

uint32_t duct_rt_flow_load_at(const void *p, uint32_t address, const struct duct_flow_place *place)
{
	uint32_t l = duct_rt_flow_decide(address, place);
	struct duct_object *o = l ? target(p) : NULL;

	if (o && followed())
		read_all(o);
	return o && followed() ? duct_rt_flow_join(l, get(o->base, o->room)) : 0;
}

void duct_rt_flow_store_at(
    void *p, uint32_t l, uint32_t address, const struct duct_flow_place *place)
{
	uint32_t all = duct_rt_flow_decide(address, place);
	struct duct_object *o = all ? target(p) : NULL;

	if (!o || !followed())
		return;
	read_all(o);
	add(o->base, o->room, duct_rt_flow_join(l, all));
	wrote(o->base, o->room);
}

void duct_rt_flow_copy(void *d, const void *s, size_t n)
{
	uintptr_t to = (uintptr_t)d, from = (uintptr_t)s;

	if (!learned || all_met)
		return;
	if (duct_may_grow(from, n))
		duct_grow_read(from, n);
	if (duct_may_grow(to, n))
		duct_grow_write(to, n);
	for (size_t i = 0; i < n; i++) {
		size_t k = to < from ? i : n - 1 - i;
		uint32_t l = get(from + k, 1);

		put(to + k, 1, quiet ? 0 : duct_rt_flow_join(l, duct_flow_control));
	}
	if (!quiet)
		wrote(to, n);
}

/* All that any run wrote in a scope depends on a class from now on. */
static void spread(uint64_t scope, uint32_t l)
{
	uint64_t number = ++learned->closed, next[MOST_PLACES_NESTED];
	size_t n = 0;

	next[n++] = scope;
	while (n) {
		uint64_t name = next[--n];

		for (uint32_t i = slot_of(&(struct place){ .scope = name }, true)->scope; i;
		    i = places[i].next) {
			struct place *p = &places[i];
			uintptr_t a;

			if (!p->size) {
				if (p->closed == number)
					continue;
				p->closed = number;
				if (n == MOST_PLACES_NESTED) {
					duct_flow_lost("too many decisions within each other");
					return;
				}
				next[n++] = p->object;
				continue;
			}
			a = place_now(p, (uintptr_t)__builtin_frame_address(0));
			if (a == (uintptr_t)&hidden)
				hidden = duct_rt_flow_join(hidden, l);
			else if (a)
				add(a, p->size, l);
		}
	}
}

uint32_t duct_rt_flow_close(uint64_t end)
{
	uint32_t at = depth, all = 0;

	while (at && scopes[at - 1].end != end)
		at--;
	if (!at)
		return 0;
	while (at > 1 && scopes[at - 2].end == end)
		at--;
	if (learned->used != learned->entries)
		rehash();
	while (depth >= at) {
		struct scope s = scopes[--depth];
		uint32_t l = control_of(s.class);

		duct_flow_control = depth ? scopes[depth - 1].control : 0;
		duct_channel->flow_control = depth ? find(scopes[depth - 1].class) + 1 : 0;
		spread(s.name, l);
		all = duct_rt_flow_join(all, l);
	}
	return all;
}

/* ---- calls of code that is not woven */

/* Are its results of its arguments and what these point to, and does it write nothing? */
static bool is_pure(const struct clib *c)
{
	return c && clib_is_local(c) && !clib_has(c, "wbf") && !clib_does(c, "oOe");
}

static bool has(char access, const char *list)
{
	while (*list && *list != access)
		list++;
	return *list;
}

/* A call that was made: its result's label. */
uint32_t duct_rt_flow_external(
    const char *name, uint32_t n, uint64_t pointers, const struct duct_flow_place *place)
{
	const uint64_t *value = duct_flow_from;
	const struct clib *c = clib_find(name);
	uint32_t l = 0;

	duct_flow_for = NULL;
	if (!followed())
		return 0;
	for (uint32_t i = 0; i < n; i++) {
		l = duct_rt_flow_join(l, duct_flow_args[i]);
		if (i < 64 && pointers >> i & 1 && value[i] >= LOWEST
		    && !(c && has(clib_arg(c, i).access, "xyz-")))
			l = duct_rt_flow_join(l, get(value[i], duct_reach(value[i])));
	}
	if (is_pure(c))
		return l;
	l = duct_rt_flow_join(duct_rt_flow_join(l, duct_flow_control), hidden);
	l = duct_rt_flow_decide(l, place);
	if (duct_flow_control)
		wrote((uintptr_t)&hidden, 1);
	hidden = duct_rt_flow_join(hidden, l);
	for (uint32_t i = 0; l && i < n && i < 64; i++)
		if (pointers >> i & 1 && value[i] >= LOWEST
		    && !(c && !has(clib_arg(c, i).access, "wbk"))) {
			add(value[i], duct_reach(value[i]), l);
			wrote(value[i], duct_reach(value[i]));
		}
	return l;
}

/* Code that is not woven calls back: all arguments have this label. */
uint32_t duct_rt_flow_callback(void)
{
	uint32_t l = hidden;

	if (!followed())
		return 0;
	if (!duct_flow_for)
		return l;
	for (uint32_t i = 0; i < duct_flow_count && i < DUCT_MAX_ARGS; i++)
		l = duct_rt_flow_join(l, duct_flow_args[i]);
	return l;
}

/* After va_start: all variable arguments have this label. */
void duct_rt_flow_va_start(void *va_list_tag, uint32_t l, uint32_t count)
{
	struct duct_va_tag *t = va_list_tag;

	if (!learned || all_met)
		return;
	put((uintptr_t)t, sizeof *t, 0);
	if (t->general < 48)
		put(t->registers + t->general, 48 - t->general, l);
	if (t->vector < 176)
		put(t->registers + t->vector, 176 - t->vector, l);
	put(t->overflow, 16ul * count, l);
}

void duct_flow_start(void)
{
	duct_channel->flows = learned != NULL;
	duct_channel->flow_learned = learned ? learned->entries : 0;
}
