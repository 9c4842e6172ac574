/* witness: what a run claims to cover counts when a run of the same input, watched from outside
 * (tracer.c), covers it. Each claim is checked once, when it is first made. A run that probably
 * makes new claims and takes long is watched itself, others once more, when they make some. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/elf.h"
#include "lib/base/grow.h"
#include "lib/base/search.h"
#include "lib/protocol/abi.h"
#include "lib/run/internal.h"
#include "lib/trace/arena.h"

enum { MOST_POINTS = 1 << 21 };            /* watched in a run */
enum { KNOWN_SEEN = 1, KNOWN_MARKED = 2 }; /* by a watched run; by the program's code */

static size_t shared_size(const struct runner *r)
{
	return 4096 + MOST_POINTS * sizeof(struct point) + r->channel.head.cover.capacity;
}

void witness_open(struct runner *r)
{
	struct observation *w;

	if (r->o.confine == CONFINE_NONE)
		return;
	w = mmap(NULL, shared_size(r), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (w == MAP_FAILED)
		return;
	w->point = (struct point *)((char *)w + 4096);
	w->state = (uint8_t *)(w->point + MOST_POINTS);
	r->witness.shared = w;
}

void witness_close(struct runner *r)
{
	if (r->witness.shared)
		munmap(r->witness.shared, shared_size(r));
	free(r->witness.point);
	free(r->witness.known);
}

/* ---- where the program writes coverage */

/* The program's units by their keys. */
struct unit_index_by_key {
	const struct channel_unit *unit;
	const struct channel_unit **by_key;
	size_t units, room;
};

static int by_key(const void *a, const void *b)
{
	uint64_t p = (*(const struct channel_unit *const *)a)->key,
	         q = (*(const struct channel_unit *const *)b)->key;

	return p < q ? -1 : p > q;
}

static int key_order(const void *key, const void *unit)
{
	uint64_t p = *(const uint64_t *)key, q = (*(const struct channel_unit *const *)unit)->key;

	return (p > q) - (p < q);
}

static size_t first_with(const struct unit_index_by_key *x, uint64_t key)
{
	return lower_bound(&key, x->by_key, x->units, sizeof *x->by_key, key_order);
}

static bool add_point(struct runner *r, struct unit_index_by_key *x, struct point p)
{
	if (r->witness.points == MOST_POINTS)
		return false;
	GROW(r->witness.point, x->room, r->witness.points + 1);
	r->witness.point[r->witness.points++] = p;
	r->witness.unseen += !r->witness.known[p.cover];
	r->witness.known[p.cover] = KNOWN_MARKED;
	return true;
}

/* For each unit with the mark's key. False: too many. */
static bool add_points(
    struct runner *r, struct unit_index_by_key *x, uint64_t at, const struct duct_mark *m)
{
	for (size_t i = first_with(x, m->key); i < x->units && x->by_key[i]->key == m->key; i++) {
		const struct channel_unit *u = x->by_key[i];

		if (m->index >= (uint64_t)u->outcomes + u->blocks
		    || !add_point(r, x, (struct point){ at, (uint32_t)u->cover + m->index }))
			return false;
	}
	return true;
}

/* Reads one mark with its distances; what follows it, NULL: malformed. */
static const uint8_t *read_mark(struct runner *r, struct unit_index_by_key *x, const uint8_t *p,
    const uint8_t *end, uint64_t address)
{
	const uint8_t *first = p;
	struct duct_mark m;
	int32_t distance;

	do {
		if (end - p < (ptrdiff_t)sizeof distance)
			return NULL;
		memcpy(&distance, p, sizeof distance);
		p += sizeof distance;
	} while (distance);
	p -= sizeof distance;
	if (end - p < (ptrdiff_t)sizeof m)
		return NULL;
	memcpy(&m, p, sizeof m);
	for (const uint8_t *d = first; d < p; d += sizeof distance) {
		memcpy(&distance, d, sizeof distance);
		if (!add_points(
		        r, x, address + (uint64_t)(d - first) + (uint64_t)(int64_t)distance, &m))
			return NULL;
	}
	return p + sizeof m;
}

static bool read_marks(struct runner *r, const uint8_t *file, const Elf64_Shdr *section)
{
	const uint8_t *begin = file + section->sh_offset, *end = begin + section->sh_size;
	struct unit_index_by_key x = { .unit = r->channel.units,
		.units = r->channel.head.unit.used / sizeof(struct channel_unit) };
	const uint8_t *p = begin;

	x.by_key = zeroed(x.units + 1, sizeof *x.by_key);
	for (size_t i = 0; i < x.units; i++)
		x.by_key[i] = &x.unit[i];
	qsort(x.by_key, x.units, sizeof *x.by_key, by_key);
	while (p && p < end)
		p = read_mark(r, &x, p, end, section->sh_addr + (uint64_t)(p - begin));
	free(x.by_key);
	return p;
}

static int by_address(const void *a, const void *b)
{
	const struct point *p = a, *q = b;

	return p->at < q->at ? -1 : p->at > q->at;
}

/* When the units are known. False: the program says nothing about it. */
static bool load(struct runner *r)
{
	const Elf64_Shdr *section = NULL;
	struct stat st;
	void *file;
	bool good;
	int fd;

	if (r->witness.known)
		return r->witness.points;
	r->witness.known = zeroed(r->channel.cover + 1, 1);
	if ((fd = open(r->program, O_RDONLY | O_CLOEXEC)) < 0)
		return false;
	file = fstat(fd, &st) || st.st_size < (off_t)sizeof(Elf64_Ehdr)
	    ? MAP_FAILED
	    : mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (file == MAP_FAILED)
		return false;
	section = elf_section(file, (size_t)st.st_size, DUCT_MARKS);
	r->witness.shared->entry = ((const Elf64_Ehdr *)file)->e_entry;
	good = section && read_marks(r, file, section);
	munmap(file, (size_t)st.st_size);
	if (!good)
		r->witness.points = 0;
	if (r->witness.points)
		qsort(r->witness.point, r->witness.points, sizeof *r->witness.point, by_address);
	return good;
}

void witness_ready(struct runner *r)
{
	bool ready = r->witness.shared && load(r) && server_trace(r);

	if (ready)
		server_let_go(r);
	r->open |= ready ? 0 : OPEN_CLAIMS;
	confine_names(r->open, r->open_names, sizeof r->open_names);
}

/* ---- claims */

/* Where the claim of an outcome, or of a block, stands in the coverage. */
static uint32_t of_outcome(const struct runner *r, const struct trace_cover *c)
{
	const struct channel_unit *u = (const struct channel_unit *)r->channel.units + c->unit;

	return (uint32_t)u->cover + c->outcome;
}

static uint32_t of_block(const struct runner *r, const struct trace_block *b)
{
	const struct channel_unit *u = (const struct channel_unit *)r->channel.units + b->unit;

	return (uint32_t)(u->cover + u->outcomes) + b->block - 1;
}

static void want(struct runner *r, uint32_t at)
{
	struct observation *w = r->witness.shared;

	if (r->witness.known[at] == KNOWN_MARKED && w->state[at] == WITNESS_NONE) {
		w->state[at] = WITNESS_WANTED;
		w->wanted++;
	}
}

/* The points where something wanted is written. */
static void choose(struct runner *r)
{
	struct observation *w = r->witness.shared;

	w->points = 0;
	for (size_t i = 0; i < r->witness.points && w->points < MOST_POINTS; i++)
		if (w->state[r->witness.point[i].cover] == WITNESS_WANTED)
			w->point[w->points++] = r->witness.point[i];
}

static bool is_confirmed(struct runner *r, uint32_t at)
{
	struct observation *w = r->witness.shared;

	if (w->state[at] == WITNESS_SEEN && !(r->witness.known[at] & KNOWN_SEEN)) {
		r->witness.known[at] |= KNOWN_SEEN;
		r->witness.unseen--;
	}
	w->state[at] = WITNESS_NONE;
	return r->witness.known[at] & KNOWN_SEEN;
}

/* Removes coverage that was not confirmed from the trace, and with it all pairs: a run that makes
 * such claims is not trusted. slow: the second run did not end in time. */
static void take_away(struct runner *r, struct trace *t, bool slow)
{
	size_t covers = t->covers, blocks = t->blocks;

	t->covers = t->blocks = 0;
	for (size_t i = 0; i < covers; i++)
		if (is_confirmed(r, of_outcome(r, &t->cover[i])))
			t->cover[t->covers++] = t->cover[i];
	for (size_t i = 0; i < blocks; i++)
		if (is_confirmed(r, of_block(r, &t->block[i])))
			t->block[t->blocks++] = t->block[i];
	if (t->covers == covers && t->blocks == blocks)
		return;
	t->pairs = 0;
	trace_add_lost(t,
	    slow ? "coverage that a second run, watched from outside, had no time to confirm"
	         : "the program claimed coverage that a second run, watched from outside, did not "
	           "confirm");
}

static bool is_on(const struct runner *r)
{
	return r->witness.shared && !(r->open & OPEN_CLAIMS);
}

enum { POINT_US = 2 }; /* to watch for a point that is not passed, at most */

bool witness_begin(struct runner *r, bool first)
{
	struct observation *w = r->witness.shared;

	if (!is_on(r) || !r->witness.unseen
	    || (!first && r->witness.last_us < 5000 + POINT_US * (uint64_t)r->witness.unseen))
		return false;
	w->wanted = 0;
	w->whole = true;
	for (size_t i = 0; i < r->witness.points; i++)
		want(r, r->witness.point[i].cover);
	choose(r);
	return server_trace(r);
}

void witness_end(struct runner *r)
{
	for (size_t i = 0; i < r->witness.points; i++)
		is_confirmed(r, r->witness.point[i].cover);
}

int witness_check(struct runner *r, const struct input *in, struct trace *t, char **error)
{
	struct observation *w = r->witness.shared;
	bool slow = false;

	if (!is_on(r))
		return 0;
	r->witness.last_us = t->cpu_us;
	w->wanted = 0;
	w->whole = false;
	for (size_t i = 0; i < t->covers; i++)
		want(r, of_outcome(r, &t->cover[i]));
	for (size_t i = 0; i < t->blocks; i++)
		want(r, of_block(r, &t->block[i]));
	if (w->wanted) {
		choose(r);
		if (run_watched(r, in, &slow, error))
			return -1;
	}
	take_away(r, t, slow);
	return 0;
}
