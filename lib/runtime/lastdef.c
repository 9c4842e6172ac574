/* lastdef: who wrote each byte of memory last, and in which activation; and the pairs of
 * definitions and uses that come of it, each told once. Pages of 4096 bytes are described when
 * something is written there. */
#include "lib/runtime/last.h"
#include "lib/runtime/library.h"
#include <string.h>
#include <sys/single_threaded.h>

extern struct duct_pairs __start_duct_pairs[] __attribute__((weak));
extern struct duct_pairs __stop_duct_pairs[] __attribute__((weak));

enum { PAGE = 4096, MOST_PAGES = 1 << 17, MOST_WRITERS = 64 };
#define MOST_SERIAL UINT32_C(0x80000000) /* duct_serial stays at its greatest number */
#define PAGES (UINT64_C(1) << 35)        /* of the user's half of the address space */
/* Beside writers, `writer` may be the index of a parameter's value with the call that gave it, or
 * of a byte that several bit-fields share. */
#define FORMAL 0x40000000u
#define SHARED 0x80000000u
#define INDEX 0x3fffffffu

/* A use: of a slot, or by a library call (LIBRARY) or lost track (LOST) at an instruction, as
 * writer. */
#define LIBRARY 0x80000000u
#define LOST 0xc0000000u

struct formal {
	uint32_t writer, site;
};
struct shared {
	struct last bit[8];
};
struct found {
	uint64_t label[MOST_WRITERS];
	uint32_t n;
};

uint32_t duct_serial, duct_site, duct_site_serial, duct_result_writer;
void *duct_site_for, *duct_result_of;
uint64_t duct_pair_args[DUCT_MAX_ARGS];
uint32_t duct_pair_nodes[DUCT_MAX_ARGS];

static struct last **page_at; /* by address / PAGE; NULL: nothing is followed */
static uint32_t pages;
static bool full;      /* no more pages: what they would say is not known */
static bool forgotten; /* nor what pages would have said that are not there */

/* ---- tables */

/* A table of elements that only grows, found again by their content. */
struct pool {
	void *element;
	uint32_t *slot, n, room, mask;
};

static void *element(const struct pool *p, uint32_t i, size_t size)
{
	return (char *)p->element + i * size;
}

static bool same(const void *a, const void *b, size_t n)
{
	const uint32_t *x = a, *y = b;

	for (size_t i = 0; i < n / sizeof *x; i++)
		if (x[i] != y[i])
			return false;
	return true;
}

static uint32_t *slot_of(const struct pool *p, const void *key, size_t size)
{
	uint64_t h = duct_hash(key, size);
	uint32_t i = (uint32_t)(h ^ h >> 32) & p->mask;

	while (p->slot[i] && !same(element(p, p->slot[i] - 1, size), key, size))
		i = (i + 1) & p->mask;
	return &p->slot[i];
}

static void enlarge(struct pool *p, size_t size)
{
	uint32_t room = p->room ? p->room * 2 : 256;
	char *to = duct_arena(room * size), *from = p->element;

	for (size_t i = 0; i < p->n * size; i++)
		to[i] = from[i];
	p->element = to;
	p->room = room;
	p->mask = 2 * room - 1;
	p->slot = duct_arena(2 * room * sizeof *p->slot);
	for (uint32_t i = 0; i < p->n; i++)
		*slot_of(p, element(p, i, size), size) = i + 1;
}

/* Index of an element, new or met before. */
static uint32_t intern(struct pool *p, const void *key, size_t size, bool *fresh)
{
	uint32_t *slot;

	if (p->n == p->room)
		enlarge(p, size);
	slot = slot_of(p, key, size);
	*fresh = !*slot;
	if (*fresh) {
		for (size_t i = 0; i < size; i++)
			((char *)element(p, p->n, size))[i] = ((const char *)key)[i];
		*slot = ++p->n;
	}
	return *slot - 1;
}

static struct pool formals, several, told, possible;
static struct shared *shared;
static uint32_t shareds, shared_room;

/* ---- start */

/* The program's units that follow definitions, and those of the libraries that it loads. */
struct range {
	struct duct_pairs *from, *to;
	struct range *next;
};
static struct range program;
static uint64_t writers, slots;

static void number(struct range *r)
{
	for (struct duct_pairs *p = r->from; p < r->to; p++) {
		p->base = (uint32_t)writers;
		p->inst_base = p->base + p->defs;
		p->first_slot = (uint32_t)slots;
		writers += (uint64_t)p->defs + p->insts;
		slots += p->slots;
	}
	if (writers >= DUCT_WRITER_ALIEN || slots >= LIBRARY)
		page_at = NULL;
}

void duct_last_start(bool asked, bool served)
{
	if (asked && __start_duct_pairs && duct_arena_reserve())
		page_at = duct_reserve(PAGES * sizeof *page_at);
	program = (struct range){ __start_duct_pairs, __stop_duct_pairs, NULL };
	number(&program);
	if (page_at && served)
		duct_gone_start((uint32_t)writers);
}

void duct_last_library(struct duct_pairs *from, struct duct_pairs *to)
{
	struct range *r;

	if (!page_at || from == to)
		return;
	r = duct_arena(sizeof *r);
	*r = (struct range){ from, to, program.next };
	program.next = r;
	number(r);
}

/* The unit's definitions stay, but are no longer identified. */
void duct_rt_unload(struct duct_pairs *pairs)
{
	for (struct range *r = &program; r->next; r = r->next)
		if (r->next->from == pairs) {
			r->next = r->next->next;
			return;
		}
}

bool duct_last_on(void)
{
	return page_at;
}

/* Threads would spoil the tables: nothing is followed from the first on; nor when activations
 * cannot be told apart any more. */
static bool followed(void)
{
	if (page_at && duct_serial >= MOST_SERIAL) {
		page_at = NULL;
		duct_last_lost(0, "more calls than are numbered");
	}
	if (page_at && !__libc_single_threaded) {
		page_at = NULL;
		duct_record_threads();
		duct_last_lost(0, "threads");
	}
	return page_at;
}

/* ---- bytes */

static struct last *page_of(uintptr_t a, bool make)
{
	uint64_t k = a / PAGE;

	if (!followed() || k >= PAGES)
		return NULL;
	if (!page_at[k] && make && !full) {
		full = ++pages > MOST_PAGES;
		if (full)
			duct_last_lost(0, "more memory than is followed");
		page_at[k] = duct_arena(PAGE * sizeof **page_at);
		for (size_t i = 0; forgotten && i < PAGE; i++)
			page_at[k][i].writer = DUCT_WRITER_DEAD;
	}
	return page_at[k];
}

/* Zero for what several bit-fields share: their writers are never gone. */
static uint32_t writer_of(struct last v)
{
	if (v.writer & SHARED)
		return 0;
	return v.writer & FORMAL
	    ? ((const struct formal *)element(&formals, v.writer & INDEX, sizeof(struct formal)))
	          ->writer
	    : v.writer;
}

/* Counts n bytes anew, which v is about to take. */
static void recount(const struct last *old, size_t n, struct last v)
{
	for (size_t i = 0, same = 1; i < n; i += same, same = 1) {
		while (i + same < n && old[i + same].writer == old[i].writer)
			same++;
		if (old[i].writer == v.writer && same == n)
			return;
		duct_gone_less(writer_of(old[i]), same);
	}
	duct_gone_more(writer_of(v), n);
}

static void put(uintptr_t a, size_t n, struct last v)
{
	while (n) {
		size_t from = a % PAGE, part = n < PAGE - from ? n : PAGE - from;
		struct last *page = page_of(a, v.writer != DUCT_WRITER_NONE);

		if (page && duct_left)
			recount(page + from, part, v);
		else if (!page)
			duct_gone_keep(writer_of(v));
		for (size_t i = 0; page && i < part; i++)
			page[from + i] = v;
		a += part;
		n -= part;
	}
}

static struct last get(uintptr_t a)
{
	struct last *page = page_of(a, false);

	if (!page)
		return (struct last){
			full || forgotten || !page_at ? DUCT_WRITER_DEAD : DUCT_WRITER_NONE, 0
		};
	return page[a % PAGE];
}

struct last duct_last_of(uintptr_t a)
{
	return get(a);
}

bool duct_last_mixed(struct last v)
{
	return v.writer & SHARED;
}

/* The description of a few bytes that lie on one page which has one; NULL: look closer. */
static inline struct last *at_once(uintptr_t a, size_t n)
{
	struct last *page;

	if (!page_at || duct_serial >= MOST_SERIAL || n > 8 || a % PAGE + n > PAGE
	    || a / PAGE >= PAGES || !(page = page_at[a / PAGE]))
		return NULL;
	return page + a % PAGE;
}

void duct_rt_last_def(void *p, size_t n, uint32_t writer, uint32_t serial)
{
	struct last v = { writer, serial }, *to = at_once((uintptr_t)p, n);

	if (duct_alias_tracks())
		duct_alias_write((uintptr_t)p, n, v, 0);
	if (!to)
		return put((uintptr_t)p, n, v);
	if (duct_left)
		recount(to, n, v);
	for (size_t i = 0; i < n; i++)
		to[i] = v;
}

void duct_rt_last_def_at(
    void *p, size_t n, uint32_t writer, uint32_t serial, duct_node np, duct_node nn)
{
	if (nn && !duct_implied(nn, 4))
		duct_last_unaliased();
	if (np && duct_channel && page_at)
		duct_alias_write((uintptr_t)p, n, (struct last){ writer, serial }, np);
	if (np && page_at)
		put((uintptr_t)p, n, (struct last){ writer, serial });
	else
		duct_rt_last_def(p, n, writer, serial);
}

void duct_rt_last_formal(void *p, size_t n, uint32_t writer, uint32_t serial, uint32_t site)
{
	struct formal key = { writer, site };
	bool fresh;

	struct last v;

	if (!page_at)
		return;
	v = (struct last){ FORMAL | intern(&formals, &key, sizeof key, &fresh), serial };
	if (duct_alias_tracks())
		duct_alias_write((uintptr_t)p, n, v, 0);
	put((uintptr_t)p, n, v);
}

static struct shared *share(uintptr_t a)
{
	struct last old = get(a);
	struct shared *s;

	if (old.writer & SHARED)
		return &shared[old.writer & INDEX];
	if (shareds == shared_room) {
		uint32_t room = shared_room ? 2 * shared_room : 256;
		struct shared *more = duct_arena(room * sizeof *more);

		for (uint32_t i = 0; i < shareds; i++)
			more[i] = shared[i];
		shared = more;
		shared_room = room;
	}
	s = &shared[shareds];
	duct_gone_keep(writer_of(old));
	for (int i = 0; i < 8; i++)
		s->bit[i] = old;
	put(a, 1, (struct last){ SHARED | shareds++, 0 });
	return s;
}

void duct_rt_last_bits(void *p, uint32_t bit, uint32_t bits, uint32_t writer, uint32_t serial)
{
	struct last v = { writer, serial };

	if (!page_at)
		return;
	if (duct_alias_tracks())
		duct_alias_lost((uintptr_t)p + bit / 8, 1, 0);
	duct_gone_keep(writer);
	for (uint32_t i = bit; i < bit + bits;) {
		uintptr_t a = (uintptr_t)p + i / 8;

		if (i % 8 == 0 && i + 8 <= bit + bits) {
			put(a, 1, v);
			i += 8;
			continue;
		}
		share(a)->bit[i % 8] = v;
		i++;
	}
}

void duct_rt_last_bits_at(
    void *p, uint32_t bit, uint32_t bits, uint32_t writer, uint32_t serial, duct_node np)
{
	if (np && page_at && duct_channel)
		duct_alias_lost((uintptr_t)p + bit / 8, 1, np);
	duct_rt_last_bits(p, bit, bits, writer, serial);
}

/* ---- labels */

static uint64_t label_of(struct last v, uint32_t serial)
{
	uint64_t when = v.serial == serial ? DUCT_SAME
	    : v.serial < serial            ? DUCT_BEFORE
	                                   : DUCT_CALLEE;
	uint64_t site = 0, writer = v.writer;

	if (writer == DUCT_WRITER_NONE)
		when = DUCT_BEFORE;
	if (writer & FORMAL) {
		const struct formal *f = element(&formals, v.writer & INDEX, sizeof *f);

		writer = f->writer;
		site = f->site < DUCT_WRITER_ALIEN ? f->site : 0;
	}
	if (writer >= DUCT_WRITER_ALIEN)
		return 0;
	return when << DUCT_LABEL_WHEN | site << DUCT_LABEL_SITE | writer;
}

uint64_t duct_last_label(struct last v, uint32_t serial)
{
	return v.writer & SHARED ? 0 : label_of(v, serial);
}

static void add(struct found *f, struct last v, uint32_t serial)
{
	uint64_t label = label_of(v, serial);

	for (uint32_t i = 0; i < f->n; i++)
		if (f->label[i] == label)
			return;
	if (label && f->n < MOST_WRITERS)
		f->label[f->n++] = label;
}

/* Several labels as one. */
static uint64_t join(const struct found *f)
{
	struct found key = { .n = f->n };
	bool fresh;

	if (f->n < 2)
		return f->n ? f->label[0] : 0;
	for (uint32_t i = 0; i < f->n; i++)
		key.label[i] = f->label[i];
	return intern(&several, &key, sizeof key, &fresh) + 1;
}

static void add_byte(struct found *f, uintptr_t a, uint32_t serial)
{
	struct last v = get(a);

	if (!(v.writer & SHARED))
		return add(f, v, serial);
	for (int i = 0; i < 8; i++)
		add(f, shared[v.writer & INDEX].bit[i], serial);
}

static uint64_t use_each(uintptr_t a, size_t n, uint32_t serial)
{
	struct found f = { .n = 0 };

	for (size_t i = 0; i < n; i++)
		add_byte(&f, a + i, serial);
	return join(&f);
}

static uint64_t use(uintptr_t a, size_t n, uint32_t serial)
{
	struct last *v = at_once(a, n);

	if (!v)
		return page_at ? use_each(a, n, serial) : 0;
	for (size_t i = 1; i < n; i++)
		if (v[i].writer != v[0].writer || v[i].serial != v[0].serial)
			return use_each(a, n, serial);
	return v[0].writer & SHARED ? use_each(a, n, serial) : label_of(v[0], serial);
}

uint64_t duct_rt_last_use_at(const void *p, size_t n, uint32_t serial, duct_node np)
{
	uint64_t label = use((uintptr_t)p, n, serial);

	return (np || duct_alias_tracks()) && page_at && duct_channel
	    ? duct_alias_use((uintptr_t)p, n, serial, np, label)
	    : label;
}

uint64_t duct_rt_last_use(const void *p, size_t n, uint32_t serial)
{
	return duct_alias_tracks() ? duct_rt_last_use_at(p, n, serial, 0)
	                           : use((uintptr_t)p, n, serial);
}

uint64_t duct_rt_last_use_bits(const void *p, uint32_t bit, uint32_t bits, uint32_t serial)
{
	struct found f = { .n = 0 };

	if (duct_alias_tracks())
		duct_alias_lost((uintptr_t)p + bit / 8, 1, 0);
	for (uint32_t i = bit; i < bit + bits; i++) {
		struct last v = get((uintptr_t)p + i / 8);

		add(&f, v.writer & SHARED ? shared[v.writer & INDEX].bit[i % 8] : v, serial);
	}
	return join(&f);
}

uint64_t duct_rt_last_use_bits_at(
    const void *p, uint32_t bit, uint32_t bits, uint32_t serial, duct_node np)
{
	if (np && page_at && duct_channel)
		duct_alias_lost((uintptr_t)p + bit / 8, 1, np);
	return duct_rt_last_use_bits(p, bit, bits, serial);
}

/* ---- pairs */

struct tuple {
	uint32_t slot, low, high;
};

/* As whoever reads the pairs numbers units; UINT32_MAX: it does not know this one. */
static uint32_t unit_number(const struct duct_unit *u)
{
	return duct_channel ? duct_known_unit(u) : duct_record_unit(u);
}

/* The unit of a writer, and its number there: of a def record, or of an instruction (*inst). */
static uint32_t locate(uint32_t writer, uint32_t *number_there, bool *inst)
{
	for (const struct range *r = &program; r; r = r->next)
		for (const struct duct_pairs *p = r->from; p < r->to; p++) {
			if (writer <= p->base || writer - p->base > p->defs + p->insts)
				continue;
			*number_there = writer - p->base;
			*inst = *number_there > p->defs;
			if (*inst)
				*number_there -= p->defs;
			return unit_number(p->unit);
		}
	return UINT32_MAX;
}

static struct channel_pair *room_for_pair(void)
{
	struct channel_area *a;
	struct channel_pair *to;

	if (!duct_channel)
		return duct_record_pair();
	a = &duct_channel->pair;
	if (a->used + sizeof *to > a->capacity)
		duct_end(FAULT_LIMIT, "too many pairs");
	to = (struct channel_pair *)((char *)duct_area(a) + a->used);
	a->used += sizeof *to;
	return to;
}

static struct tuple tuple(uint32_t use, uint64_t label)
{
	return (struct tuple){ use, (uint32_t)label, (uint32_t)(label >> 32) };
}

static bool is_told(uint32_t use, uint64_t label)
{
	struct tuple key = tuple(use, label);
	bool fresh;

	intern(&told, &key, sizeof key, &fresh);
	return !fresh;
}

bool duct_last_told(const struct duct_pairs *p, uint32_t slot, uint64_t label)
{
	struct tuple key = tuple(p->first_slot + slot, label);

	return told.n && *slot_of(&told, &key, sizeof key);
}

/* The side of the definition; `base` is added to its writer. Nothing when a unit is not known. */
static bool tell(struct channel_pair c, uint64_t label, uint32_t base)
{
	uint32_t writer = (uint32_t)label, site = label >> DUCT_LABEL_SITE & INDEX;
	struct channel_pair *to;
	bool inst = false;

	c.when = (uint8_t)(label >> DUCT_LABEL_WHEN);
	if (writer) {
		c.def_unit = locate(writer + base, &c.def, &inst);
		c.def_kind = !inst                   ? DUCT_PAIR_RECORD
		    : c.use_kind == DUCT_PAIR_RESULT ? DUCT_PAIR_RESULT
		                                     : DUCT_PAIR_LIBRARY;
	}
	if (site && (c.site_unit = locate(site, &c.site, &inst)) == UINT32_MAX)
		c.site_unit = c.site = 0;
	if (c.use_unit == UINT32_MAX || c.def_unit == UINT32_MAX || !(to = room_for_pair()))
		return false;
	*to = c;
	return true;
}

static bool tell_slot_as(
    const struct duct_pairs *p, uint32_t slot, uint64_t label, bool only_possible)
{
	const struct duct_slot *s = &p->slot[slot];

	return tell((struct channel_pair){ .use_unit = unit_number(p->unit),
	                .use = s->use,
	                .use_kind = s->kind,
	                .outcome = s->outcome,
	                .possible = only_possible },
	    label, s->local ? p->base : 0);
}

uint32_t duct_last_possible(const struct duct_pairs *p, uint32_t slot, uint64_t label)
{
	struct tuple key = tuple(p->first_slot + slot, label);
	bool fresh;
	uint32_t i = intern(&possible, &key, sizeof key, &fresh);

	if (!fresh)
		return i + 1;
	if (tell_slot_as(p, slot, label, true))
		return i + 1;
	possible.n--;
	*slot_of(&possible, &key, sizeof key) = 0;
	return 0;
}

static void tell_unaliased(uint32_t what)
{
	static uint32_t done;

	if (!(done & what) && duct_channel && page_at)
		*room_for_pair() =
		    (struct channel_pair){ .use_kind = DUCT_PAIR_UNALIASED, .outcome = what };
	done |= what;
}

void duct_last_unaliased(void)
{
	tell_unaliased(UNALIASED_ALL);
}

void duct_last_unaliased_reads(void)
{
	tell_unaliased(UNALIASED_READS);
}

static void tell_slot(const struct duct_pairs *p, uint32_t slot, uint64_t label)
{
	if (!is_told(p->first_slot + slot, label))
		tell_slot_as(p, slot, label, false);
}

static void tell_all(const struct duct_pairs *p, uint32_t slot, uint64_t label)
{
	const struct found *f;

	if (duct_alias_is(label)) {
		if (duct_alias_label(label))
			tell_all(p, slot, duct_alias_label(label));
		duct_alias_tell(p, slot, label);
		return;
	}
	if (label >> DUCT_LABEL_WHEN)
		return tell_slot(p, slot, label);
	f = element(&several, (uint32_t)label - 1, sizeof *f);
	for (uint32_t i = 0; i < f->n; i++)
		tell_slot(p, slot, f->label[i]);
}

static void tell_library(uint32_t writer, uint64_t label)
{
	struct channel_pair c = { .use_kind = DUCT_PAIR_LIBRARY, .outcome = DUCT_PAIR_C };
	bool inst;

	if (is_told(LIBRARY | writer, label))
		return;
	c.use_unit = locate(writer, &c.use, &inst);
	tell(c, label, 0);
}

void duct_last_gone(uint32_t writer)
{
	uint32_t number, unit;
	bool inst;

	if (followed() && (unit = locate(writer, &number, &inst)) != UINT32_MAX)
		duct_way_gone(unit, number, inst);
}

void duct_last_lost(uint32_t writer, const char *what)
{
	struct channel_pair c = { .use_kind = DUCT_PAIR_LOST };
	bool inst;

	if (!duct_channel || is_told(LOST | writer, 0))
		return;
	if (writer)
		c.use_unit = locate(writer, &c.use, &inst);
	c.outcome = (uint32_t)duct_blob_text(what, NULL, NULL);
	if (c.use_unit != UINT32_MAX)
		*room_for_pair() = c;
}

bool duct_last_alone;
static bool telling; /* a signal's handler may come in between */

/* Was this pair told a moment ago? Recent ones are kept by slot and label. */
static bool is_recent(uint32_t slot, uint64_t label)
{
	static struct {
		uint64_t label;
		uint32_t slot;
	} recent[1 << 12];
	uint64_t h = (label ^ (uint64_t)slot << 32 ^ slot) * 0x9e3779b97f4a7c15u;
	uint32_t i = h >> 52;

	if (recent[i].label == label && recent[i].slot == slot)
		return true;
	recent[i].label = label;
	recent[i].slot = slot;
	return false;
}

void duct_rt_pair(struct duct_pairs *p, uint32_t slot, uint64_t label)
{
	if (!duct_channel && !duct_record_on()) {
		if (duct_last_alone) /* nobody will ever ask */
			p->cache[slot] = label;
		return;
	}
	if (telling || !followed())
		return;
	telling = true;
	p->cache[slot] = label;
	if (p->base < DUCT_WRITER_ALIEN && !is_recent(p->first_slot + slot, label))
		tell_all(p, slot, label);
	telling = false;
}

/* Tells each label of a range that differs from the one before it. */
static void each_label(
    uintptr_t a, size_t n, uint32_t serial, const struct duct_pairs *p, uint32_t use)
{
	struct last v, before = { DUCT_WRITER_DEAD, 0 };
	struct found f;

	if ((!duct_channel && !duct_record_on()) || telling || !followed()
	    || (p && p->base >= DUCT_WRITER_ALIEN))
		return;
	telling = true;
	for (size_t i = 0; i < n; i++) {
		v = get(a + i);
		if (v.writer == before.writer && v.serial == before.serial && !(v.writer & SHARED))
			continue;
		before = v;
		f.n = 0;
		add_byte(&f, a + i, serial);
		for (uint32_t k = 0; k < f.n; k++)
			if (p)
				tell_slot(p, use, f.label[k]);
			else
				tell_library(use, f.label[k]);
	}
	telling = false;
}

/* Other definitions that may be read there are told for a use of all the bytes. */
void duct_rt_last_range(struct duct_pairs *p, uint32_t slot, const void *from, size_t n,
    uint32_t serial, duct_node np, duct_node nn)
{
	uint64_t label;

	if (nn && !duct_implied(nn, 4))
		duct_last_unaliased();
	each_label((uintptr_t)from, n, serial, p, slot);
	if ((!np && !duct_alias_tracks()) || !duct_channel || !page_at || !n)
		return;
	label = duct_alias_use((uintptr_t)from, n, serial, np, 0);
	if (duct_alias_is(label))
		duct_rt_pair(p, slot, label);
}

void duct_last_read(uint32_t writer, uint32_t serial, uintptr_t a, size_t n)
{
	if (duct_alias_tracks())
		duct_alias_lost(a, n, 0);
	each_label(a, n, serial, NULL, writer);
}

void duct_last_lose(uintptr_t a, size_t n)
{
	struct last v = { DUCT_WRITER_DEAD, 0 };

	for (size_t i = 0; duct_left && i < n; i++)
		duct_gone_keep(writer_of(get(a + i)));
	if (duct_alias_tracks())
		duct_alias_write(a, n, v, 0);
	put(a, n, v);
}

void duct_last_forget(void)
{
	if (page_at)
		duct_unback(page_at, PAGES * sizeof *page_at);
	forgotten = true;
	pages = 0;
	duct_left = NULL; /* what any of them wrote may be anywhere */
	if (duct_alias_tracks())
		duct_last_unaliased();
}

/* Frames from here up to that of the setjmp end without a return. */
static uintptr_t jumped;

void duct_rt_last_jump(void)
{
	jumped = (uintptr_t)__builtin_frame_address(0);
}

void duct_rt_last_landed(void)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	if (jumped && jumped < here)
		duct_last_lose(jumped, here - jumped);
	jumped = 0;
	duct_site_for = NULL;
}

void duct_last_moved(void *to, const void *from, size_t n)
{
	if (from && duct_site_for)
		duct_last_read(duct_site, duct_site_serial, (uintptr_t)from, n);
	if (to) {
		struct last v = { duct_site_for ? duct_site : DUCT_WRITER_DEAD, duct_site_serial };

		if (duct_alias_tracks())
			duct_alias_write((uintptr_t)to, n, v, 0);
		put((uintptr_t)to, n, v);
	}
}

void duct_last_fresh(uintptr_t a, size_t n)
{
	if (!page_at)
		return;
	if (duct_alias_tracks())
		duct_alias_lost(a, n, 0);
	put(a, n, (struct last){ DUCT_WRITER_NONE, 0 });
}

void duct_last_forked(void)
{
	for (const struct range *r = &program; r; r = r->next)
		for (struct duct_pairs *p = r->from; page_at && p < r->to; p++)
			memset(p->cache, 0, p->slots * sizeof *p->cache);
	if (told.slot)
		memset(told.slot, 0, (told.mask + 1) * sizeof *told.slot);
	told.n = 0;
	if (possible.slot)
		memset(possible.slot, 0, (possible.mask + 1) * sizeof *possible.slot);
	possible.n = 0;
}
