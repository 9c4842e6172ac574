/* witness: what a run claims to cover counts when another run of the same input, watched from
 * outside (tracer.c), covers it. Each claim is checked once, when it is first made. */
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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
	struct witness *w;

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

/* A section of a 64-bit ELF file in memory; NULL: it has none. */
static const Elf64_Shdr *find_section(const uint8_t *file, size_t size, const char *name)
{
	const Elf64_Ehdr *eh = (const void *)file;

	if (size < sizeof *eh || memcmp(eh->e_ident, ELFMAG, SELFMAG)
	    || eh->e_ident[EI_CLASS] != ELFCLASS64 || eh->e_shoff > size || eh->e_shoff % 8
	    || eh->e_shentsize != sizeof(Elf64_Shdr)
	    || eh->e_shnum > (size - eh->e_shoff) / sizeof(Elf64_Shdr)
	    || eh->e_shstrndx >= eh->e_shnum)
		return NULL;
	const Elf64_Shdr *sh = (const void *)(file + eh->e_shoff), *names = &sh[eh->e_shstrndx];
	if (names->sh_offset > size || names->sh_size > size - names->sh_offset)
		return NULL;
	for (size_t i = 0; i < eh->e_shnum; i++)
		if (sh[i].sh_type == SHT_PROGBITS && sh[i].sh_name < names->sh_size
		    && names->sh_size - sh[i].sh_name > strlen(name)
		    && !strcmp((const char *)file + names->sh_offset + sh[i].sh_name, name)
		    && sh[i].sh_offset <= size && sh[i].sh_size <= size - sh[i].sh_offset)
			return &sh[i];
	return NULL;
}

/* For each unit with the mark's key. False: out of memory. */
static bool add_points(struct runner *r, size_t *room, uint64_t at, const struct duct_mark *m)
{
	const struct channel_unit *u = r->channel.units;
	size_t units = r->channel.head.unit.used / sizeof *u;

	for (size_t i = 0; i < units; i++) {
		uint64_t all = (uint64_t)u[i].outcomes + u[i].blocks;

		if (u[i].key != m->key || m->least > all || m->count > all - m->least)
			continue;
		if (r->witness.points == *room) {
			struct point *more =
			    realloc(r->witness.point, (*room += *room + 1024) * sizeof *more);

			if (!more)
				return false;
			r->witness.point = more;
		}
		r->witness.point[r->witness.points++] =
		    (struct point){ at, (uint32_t)u[i].cover + m->least, m->count };
		for (uint32_t k = 0; k < m->count; k++)
			r->witness.known[u[i].cover + m->least + k] |= KNOWN_MARKED;
	}
	return true;
}

static bool read_marks(struct runner *r, const uint8_t *file, const Elf64_Shdr *section)
{
	const uint8_t *p = file + section->sh_offset, *end = p + section->sh_size;
	size_t room = 0;

	while (p < end) {
		const uint8_t *first = p;
		struct duct_mark m;
		int32_t distance;

		do {
			if (end - p < (ptrdiff_t)sizeof distance)
				return false;
			memcpy(&distance, p, sizeof distance);
			p += sizeof distance;
		} while (distance);
		p -= sizeof distance;
		if (end - p < (ptrdiff_t)sizeof m)
			return false;
		memcpy(&m, p, sizeof m);
		for (; first < p; first += sizeof distance) {
			uint64_t here =
			    section->sh_addr + (uint64_t)(first - file) - section->sh_offset;

			memcpy(&distance, first, sizeof distance);
			if (!add_points(r, &room, here + (uint64_t)(int64_t)distance, &m))
				return false;
		}
		p += sizeof m;
	}
	return true;
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
	if (!(r->witness.known = calloc(r->channel.cover + 1, 1))
	    || (fd = open(r->program, O_RDONLY | O_CLOEXEC)) < 0)
		return false;
	file = fstat(fd, &st) || st.st_size < (off_t)sizeof(Elf64_Ehdr)
	    ? MAP_FAILED
	    : mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (file == MAP_FAILED)
		return false;
	section = find_section(file, (size_t)st.st_size, DUCT_MARKS);
	r->witness.shared->entry = ((const Elf64_Ehdr *)file)->e_entry;
	good = section && read_marks(r, file, section);
	munmap(file, (size_t)st.st_size);
	if (!good)
		r->witness.points = 0;
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
	struct witness *w = r->witness.shared;

	if (r->witness.known[at] == KNOWN_MARKED && w->state[at] == WITNESS_NONE) {
		w->state[at] = WITNESS_WANTED;
		w->wanted++;
	}
}

/* The points where something wanted may be written. */
static void choose(struct runner *r)
{
	struct witness *w = r->witness.shared;

	w->points = 0;
	for (size_t i = 0; i < r->witness.points && w->points < MOST_POINTS; i++) {
		const struct point *p = &r->witness.point[i];
		bool wanted = false;

		for (uint32_t k = 0; k < p->count; k++)
			wanted |= w->state[p->cover + k] == WITNESS_WANTED;
		if (wanted)
			w->point[w->points++] = *p;
	}
}

static bool is_confirmed(struct runner *r, uint32_t at)
{
	struct witness *w = r->witness.shared;

	if (w->state[at] == WITNESS_SEEN)
		r->witness.known[at] |= KNOWN_SEEN;
	w->state[at] = WITNESS_NONE;
	return r->witness.known[at] & KNOWN_SEEN;
}

/* Takes away what was not confirmed. What else a run tells that makes such claims counts for
 * nothing. */
static bool take_away(struct runner *r, struct trace *t)
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
		return true;
	t->pairs = 0;
	return trace_add_lost(t,
	    "the program claimed coverage that a second run, watched from outside, did not confirm");
}

int witness_check(struct runner *r, const struct input *in, struct trace *t, char **error)
{
	struct witness *w = r->witness.shared;

	if (!w || r->open & OPEN_CLAIMS || r->server.keeper <= 0)
		return 0;
	w->wanted = 0;
	for (size_t i = 0; i < t->covers; i++)
		want(r, of_outcome(r, &t->cover[i]));
	for (size_t i = 0; i < t->blocks; i++)
		want(r, of_block(r, &t->block[i]));
	if (w->wanted) {
		choose(r);
		if (run_watched(r, in, error))
			return -1;
	}
	return take_away(r, t) ? 0 : run_fail(error, "out of memory");
}
