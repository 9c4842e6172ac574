/* The last writer of each byte of memory, with its activation. The description of a page of 4096
 * bytes is created by the first write to it. lastpair.c reports the pairs. */
#include "lib/runtime/last.h"
#include "lib/runtime/process.h"
#include "lib/runtime/pool.h"
#include <stddef.h>
#include <string.h>

enum { PAGE = 4096, MOST_PAGES = 1 << 17 };
#define PAGES (UINT64_C(1) << 35) /* of the user's half of the address space */
/* Beside writers, `writer` may be the index of a parameter's value with the call that gave it, or
 * of a byte that several bit-fields share. */
#define FORMAL 0x40000000u
#define SHARED 0x80000000u

struct formal {
	uint32_t writer, site;
};
struct bit_writers {
	struct last bit[8];
};
uint32_t duct_serial, duct_site, duct_site_serial, duct_result_writer;
void *duct_site_for, *duct_result_of;
uint64_t duct_pair_args[DUCT_MAX_ARGS];
uint32_t duct_pair_nodes[DUCT_MAX_ARGS];

/* Most data is written in words: a word of 4 bytes has one description, and one for each byte only
 * where these differ. That is a quarter of the memory that an access touches here. */
enum { WORD = 4 };
#define SPLIT UINT32_MAX /* `writer` of a word that `byte` describes */

struct shadow_page {
	struct last *byte; /* PAGE of them; NULL: no word is split */
	struct last word[PAGE / WORD];
};

/* By address / PAGE; NULL: nothing is followed. kept.c reads all this, too. */
struct shadow_page **duct_last_pages;
#define page_at duct_last_pages
_Static_assert(PAGE == 4096 && PAGES == UINT64_C(1) << (47 - 12) && WORD == 4
        && sizeof(struct last) == 8 && offsetof(struct shadow_page, word) == 8
        && FORMAL >= DUCT_WRITER_ALIEN && MOST_SERIAL == UINT32_C(1) << 31,
    "the code in kept.c has these numbers");
static uint32_t pages;
static bool full;      /* no further pages can be described: their writers are unknown */
static bool forgotten; /* the writers of pages without a description are unknown */

static struct pool formals, several;
static struct bit_writers *shared;
static uint32_t shareds, shared_room;

/* ---- start */

void duct_last_start(bool asked, bool served)
{
	uint32_t writers;

	if (!duct_last_units_start(&writers))
		return;
	if (asked && duct_arena_reserve())
		page_at = duct_reserve(PAGES * sizeof *page_at);
	if (page_at && served)
		duct_gone_start(writers);
}

void duct_last_library(struct duct_pairs *from, struct duct_pairs *to)
{
	if (page_at && from != to && !duct_last_units_add(from, to))
		page_at = NULL;
}

uintptr_t duct_last_table(void)
{
	return (uintptr_t)page_at;
}

bool duct_last_on(void)
{
	return page_at;
}

/* Tracking ends with the first thread, as threads would corrupt the tables, and when the numbers of
 * activations are used up. */
bool duct_last_goes_on(void)
{
	if (page_at && duct_serial >= MOST_SERIAL) {
		page_at = NULL;
		duct_last_lost(0, "too many calls to number");
	}
	if (page_at && !__libc_single_threaded) {
		page_at = NULL;
		duct_record_threads();
		duct_last_lost(0, "threads");
	}
	return page_at;
}

/* ---- bytes */

static struct shadow_page *page_of(uintptr_t a, bool make)
{
	uint64_t k = a / PAGE;

	if (!duct_last_followed() || k >= PAGES)
		return NULL;
	if (!page_at[k] && make && !full) {
		full = ++pages > MOST_PAGES;
		if (full)
			duct_last_lost(0, "too much memory to track");
		page_at[k] = duct_arena(sizeof **page_at);
		for (size_t i = 0; forgotten && i < PAGE / WORD; i++)
			page_at[k]->word[i].writer = DUCT_WRITER_DEAD;
	}
	return page_at[k];
}

/* The writer; zero for bytes that several bit-fields share, whose writers are never reported as
 * gone. */
static uint32_t writer_of(struct last v)
{
	if (v.writer & SHARED)
		return 0;
	return v.writer & FORMAL ? ((const struct formal *)duct_pool_element(
	                                &formals, v.writer & LAST_INDEX, sizeof(struct formal)))
	                               ->writer
	                         : v.writer;
}

static inline bool same(struct last a, struct last b)
{
	return a.writer == b.writer && a.serial == b.serial;
}

/* Byte i of a page. */
static inline struct last byte_of(const struct shadow_page *page, size_t i)
{
	struct last w = page->word[i / WORD];

	return w.writer == SPLIT ? page->byte[i] : w;
}

/* Counts n bytes from byte `from` on anew, which v is about to take. */
static void recount(const struct shadow_page *page, size_t from, size_t n, struct last v)
{
	struct last old = byte_of(page, from);
	size_t alike = 0;

	for (size_t at = from, end = from + n, step; at < end; at += step) {
		struct last now = page->word[at / WORD];

		step = WORD - at % WORD < end - at ? WORD - at % WORD : end - at;
		if (now.writer == SPLIT) {
			now = page->byte[at];
			step = 1;
		}
		if (now.writer != old.writer) {
			duct_gone_less(writer_of(old), alike);
			alike = 0;
		}
		old = now;
		alike += step;
	}
	if (old.writer == v.writer && alike == n)
		return;
	duct_gone_less(writer_of(old), alike);
	duct_gone_more(writer_of(v), n);
}

/* Some bytes of a word, not all of it. */
static void put_part(struct shadow_page *page, size_t from, size_t n, struct last v)
{
	struct last *w = &page->word[from / WORD], *byte;

	if (same(*w, v))
		return;
	if (!page->byte)
		page->byte = duct_arena(PAGE * sizeof *page->byte);
	byte = page->byte + from / WORD * WORD;
	for (size_t i = 0; w->writer != SPLIT && i < WORD; i++)
		byte[i] = *w;
	for (size_t i = 0; i < n; i++)
		byte[from % WORD + i] = v;
	*w = (struct last){ SPLIT, 0 };
	/* what is written byte by byte becomes one word again */
	if ((from + n) % WORD == 0 && same(byte[0], v) && same(byte[1], v) && same(byte[2], v))
		*w = v;
}

static void put_in(struct shadow_page *page, size_t from, size_t n, struct last v)
{
	while (n) {
		size_t at = from % WORD, part = n < WORD - at ? n : WORD - at;

		if (part == WORD)
			page->word[from / WORD] = v;
		else
			put_part(page, from, part, v);
		from += part;
		n -= part;
	}
}

static void put(uintptr_t a, size_t n, struct last v)
{
	while (n) {
		size_t from = a % PAGE, part = n < PAGE - from ? n : PAGE - from;
		struct shadow_page *page = page_of(a, v.writer != DUCT_WRITER_NONE);

		if (page && duct_left)
			recount(page, from, part, v);
		else if (!page)
			duct_gone_keep(writer_of(v));
		if (page)
			put_in(page, from, part, v);
		a += part;
		n -= part;
	}
}

/* Bytes of a page without a description. */
static inline struct last unwritten(void)
{
	uint32_t writer = full || forgotten || !page_at ? DUCT_WRITER_DEAD : DUCT_WRITER_NONE;

	return (struct last){ writer, 0 };
}

static struct last get(uintptr_t a)
{
	const struct shadow_page *page = page_of(a, false);

	return page ? byte_of(page, a % PAGE) : unwritten();
}

struct last duct_last_of(uintptr_t a)
{
	return get(a);
}

bool duct_last_mixed(struct last v)
{
	return v.writer & SHARED;
}

/* Are these a few bytes on one page, and followed? Else: look closer. */
static inline bool is_near(uintptr_t a, size_t n)
{
	return page_at && duct_serial < MOST_SERIAL && n <= 8 && a % PAGE + n <= PAGE
	    && a / PAGE < PAGES;
}

/* The description of their page; NULL: none, or look closer. */
static inline struct shadow_page *at_once(uintptr_t a, size_t n)
{
	return is_near(a, n) ? page_at[a / PAGE] : NULL;
}

void duct_rt_last_def(void *p, size_t n, uint32_t writer, uint32_t serial)
{
	struct last v = { writer, serial }, *w;
	uint64_t both;
	struct shadow_page *page = at_once((uintptr_t)p, n);
	size_t from = (uintptr_t)p % PAGE;

	if (duct_alias_tracks())
		duct_alias_write((uintptr_t)p, n, v, 0);
	if (!page)
		return put((uintptr_t)p, n, v);
	w = &page->word[from / WORD];
	if (from % WORD || (n != WORD && (n != 2 * WORD || w[1].writer != w->writer))
	    || w->writer == SPLIT) {
		if (duct_left)
			recount(page, from, n, v);
		put_in(page, from, n, v);
		return;
	}
	if (duct_left && w->writer != writer) {
		duct_gone_less(writer_of(*w), n);
		duct_gone_more(writer_of(v), n);
	}
	/* in one piece: a load of it soon after waits for the stores of two halves */
	both = (uint64_t)serial << 32 | writer;
	__builtin_memcpy(w, &both, sizeof both);
	if (n != WORD)
		__builtin_memcpy(w + 1, &both, sizeof both);
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
	struct last v;
	bool fresh;

	if (!page_at)
		return;
	v = (struct last){ FORMAL | duct_pool_intern(&formals, &key, sizeof key, &fresh), serial };
	if (duct_alias_tracks())
		duct_alias_write((uintptr_t)p, n, v, 0);
	put((uintptr_t)p, n, v);
}

static struct bit_writers *share(uintptr_t a)
{
	struct last old = get(a);
	struct bit_writers *s;

	if (old.writer & SHARED)
		return &shared[old.writer & LAST_INDEX];
	if (shareds == shared_room) {
		uint32_t room = shared_room ? 2 * shared_room : 256;
		struct bit_writers *more = duct_arena(room * sizeof *more);

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

static inline uint64_t label_of(struct last v, uint32_t serial)
{
	uint64_t when = v.serial == serial ? DUCT_SAME
	    : v.serial < serial            ? DUCT_BEFORE
	                                   : DUCT_CALLEE;
	uint64_t site = 0, writer = v.writer;

	if (writer == DUCT_WRITER_NONE)
		when = DUCT_BEFORE;
	if (writer & FORMAL) {
		const struct formal *f =
		    duct_pool_element(&formals, v.writer & LAST_INDEX, sizeof *f);

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

static void add(struct last_labels *f, struct last v, uint32_t serial)
{
	uint64_t label = label_of(v, serial);

	for (uint32_t i = 0; i < f->n; i++)
		if (f->label[i] == label)
			return;
	if (label && f->n < MOST_WRITERS)
		f->label[f->n++] = label;
}

const struct last_labels *duct_last_several(uint64_t label)
{
	return duct_pool_element(&several, (uint32_t)label - 1, sizeof(struct last_labels));
}

/* Several labels as one. */
static uint64_t join(const struct last_labels *f)
{
	struct last_labels key;
	bool fresh;

	if (f->n < 2)
		return f->n ? f->label[0] : 0;
	key = (struct last_labels){ .n = f->n };
	for (uint32_t i = 0; i < f->n; i++)
		key.label[i] = f->label[i];
	return duct_pool_intern(&several, &key, sizeof key, &fresh) + 1;
}

void duct_last_add(struct last_labels *f, uintptr_t a, uint32_t serial)
{
	struct last v = get(a);

	if (!(v.writer & SHARED))
		return add(f, v, serial);
	for (int i = 0; i < 8; i++)
		add(f, shared[v.writer & LAST_INDEX].bit[i], serial);
}

static uint64_t use_each(uintptr_t a, size_t n, uint32_t serial)
{
	struct last_labels f;

	f.n = 0; /* the rest is not read: zeroing it would cost more than all else here */
	for (size_t i = 0; i < n; i++)
		duct_last_add(&f, a + i, serial);
	return join(&f);
}

/* All of several bytes of a page: of one word, or of two. */
static inline struct last of_all(const struct shadow_page *page, size_t from, size_t n)
{
	const struct last *w = &page->word[from / WORD];
	struct last v = *w;

	if (from % WORD + n > WORD && (n > 2 * WORD - from % WORD || !same(v, w[1])))
		v.writer = SPLIT;
	if (v.writer == SPLIT && n == 1)
		v = page->byte[from];
	return v;
}

static inline uint64_t use(uintptr_t a, size_t n, uint32_t serial)
{
	const struct shadow_page *page;
	struct last v;

	if (!is_near(a, n))
		return page_at ? use_each(a, n, serial) : 0;
	page = page_at[a / PAGE]; /* NULL for constants, and tables of the C library */
	v = page ? of_all(page, a % PAGE, n) : unwritten();
	/* SPLIT has the bit of SHARED, too */
	return v.writer & SHARED ? use_each(a, n, serial) : label_of(v, serial);
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
	struct last_labels f;

	f.n = 0;
	if (duct_alias_tracks())
		duct_alias_lost((uintptr_t)p + bit / 8, 1, 0);
	for (uint32_t i = bit; i < bit + bits; i++) {
		struct last v = get((uintptr_t)p + i / 8);

		add(&f, v.writer & SHARED ? shared[v.writer & LAST_INDEX].bit[i % 8] : v, serial);
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

/* ---- changes of memory that are no definitions */

/* Stops counting the writers of these bytes, which may have been copied anywhere. */
static void keep_writers(uintptr_t a, size_t n)
{
	for (size_t part; n; a += part, n -= part) {
		const struct shadow_page *page = page_of(a, false);
		size_t from = a % PAGE, step;

		part = n < PAGE - from ? n : PAGE - from;
		for (size_t i = from; page && i < from + part; i += step) {
			duct_gone_keep(writer_of(byte_of(page, i)));
			step = page->word[i / WORD].writer == SPLIT ? 1 : WORD - i % WORD;
		}
	}
}

void duct_last_lose(uintptr_t a, size_t n)
{
	struct last v = { DUCT_WRITER_DEAD, 0 };

	if (duct_left)
		keep_writers(a, n);
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
	duct_left = NULL; /* bytes of any writer may have been copied anywhere */
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

void duct_last_stubbed(uintptr_t a, size_t n)
{
	duct_rt_last_def((void *)a, n, duct_site, duct_site_serial);
}

bool duct_last_written(uintptr_t a)
{
	uint32_t writer = duct_last_of(a).writer;

	return writer != DUCT_WRITER_NONE && writer != DUCT_WRITER_DEAD;
}

void duct_last_fresh(uintptr_t a, size_t n)
{
	if (!page_at)
		return;
	if (duct_alias_tracks())
		duct_alias_lost(a, n, 0);
	put(a, n, (struct last){ DUCT_WRITER_NONE, 0 });
}
