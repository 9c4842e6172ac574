/* shared: the memory shared with the program under test. Areas are large and sparse: only the used
 * parts are ever touched, and only coverage has to be cleared. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/run/internal.h"
#include "lib/base/grow.h"

#define MIB ((uint64_t)1 << 20)

/* A part of the memory, between a least and a most size. */
static uint64_t part(uint64_t part, uint64_t most)
{
	uint64_t few = 16 * MIB;

	part = part > few ? part : few;
	return part < most ? part : most;
}

/* A session copies the trace, so its parts are limited by the memory that a run may take: its
 * expressions may have a sixteenth of it, its events half as much. */
static void lay_out(struct channel *c, uint64_t memory)
{
	const struct {
		struct channel_area *a;
		uint64_t size;
	} areas[] = {
		{ &c->input, 64 * MIB },
		{ &c->setup, MIB },
		{ &c->unit, 64 * MIB },
		{ &c->cover, 256 * MIB },
		{ &c->var, (sizeof(struct channel_var)) * 4 * MIB },
		{ &c->event, part(memory / 32, sizeof(struct channel_event) * 32 * MIB) },
		{ &c->address, sizeof(struct channel_address) * 8 * MIB },
		{ &c->node, part(memory / 16, sizeof(struct channel_node) * 64 * MIB) },
		{ &c->blob, 1024 * MIB },
		{ &c->pair, sizeof(struct channel_pair) * 4 * MIB },
		{ &c->step, sizeof(struct channel_step) * 16 * MIB },
		{ &c->meet, sizeof(struct channel_meet) * 4 * MIB },
		{ &c->wrote, sizeof(struct channel_var) * 4 * MIB },
	};
	uint64_t offset = 4096;
	size_t i;

	for (i = 0; i < sizeof areas / sizeof *areas; i++) {
		*areas[i].a = (struct channel_area){ offset, areas[i].size, 0 };
		offset += (areas[i].size + 4095) & ~(uint64_t)4095;
	}
	c->magic = CHANNEL_MAGIC;
	c->version = CHANNEL_VERSION;
	c->size = offset;
	c->blob.used = 8; /* offset 0 means none */
	c->max_forks = MAX_FORKS;
}

uint64_t shared_few_addresses(void)
{
	struct rlimit most;

	return !getrlimit(RLIMIT_AS, &most) && most.rlim_cur != RLIM_INFINITY ? most.rlim_cur / MIB
	                                                                      : 0;
}

/* The seals keep the program from shrinking the file under our mapping. */
int shared_open(struct shared_channel *s, uint64_t memory, char **error)
{
	lay_out(&s->head, memory);
	s->mapped = s->head.size;
	s->fd = memfd_create("duct-channel", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (s->fd < 0)
		return run_fail(error, "cannot make shared memory: %s", strerror(errno));
	if (ftruncate(s->fd, (off_t)s->mapped)
	    || fcntl(s->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		return run_fail(error, "cannot size shared memory: %s", strerror(errno));
	s->map =
	    mmap(NULL, s->mapped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, s->fd, 0);
	if (s->map == MAP_FAILED) {
		int e = errno;
		s->map = NULL;
		return e == ENOMEM && shared_few_addresses()
		    ? run_fail(error,
		          "cannot map %llu MiB of shared memory: addresses are limited to %llu MiB, see ulimit -v",
		          (unsigned long long)(s->mapped / MIB),
		          (unsigned long long)shared_few_addresses())
		    : run_fail(error, "cannot map shared memory: %s", strerror(e));
	}
	*s->map = s->head;
	return 0;
}

void shared_close(struct shared_channel *s)
{
	if (s->map)
		munmap(s->map, s->mapped);
	if (s->fd >= 0)
		close(s->fd);
	free(s->units);
	free(s->setup);
}

static void *area(const struct shared_channel *s, const struct channel_area *a)
{
	return (char *)s->map + a->offset;
}

static int add_setup(struct shared_channel *s, const char *prefix, const char *text, char **error)
{
	struct channel_area *a = &s->head.setup;
	char *p = (char *)area(s, a) + a->used;
	size_t n = strlen(prefix) + strlen(text) + 1;

	if (n > a->capacity - a->used)
		return run_fail(error, "the symbolic environment is described by more than 1 MiB");
	snprintf(p, n, "%s%s", prefix, text);
	a->used += n;
	return 0;
}

static int add_list(
    struct shared_channel *s, const char *prefix, const char *const *list, char **error)
{
	for (; list && *list; list++)
		if (add_setup(s, prefix, *list, error))
			return -1;
	return 0;
}

int shared_setup(struct shared_channel *s, const struct run_options *o, char **error)
{
	char text[32];

	s->head.setup.used = 0;
	if (o->stdin_size) {
		snprintf(text, sizeof text, "%llu", (unsigned long long)o->stdin_size);
		if (add_setup(s, "stdin=", text, error))
			return -1;
	}
	if (o->scratch && add_setup(s, "", "scratch=1", error))
		return -1;
	if (add_list(s, "file:", o->file, error) || add_list(s, "arg:", o->arg, error)
	    || add_list(s, "env:", o->env, error) || add_list(s, "", o->ask, error))
		return -1;
	s->head.max_depth = o->max_depth;
	s->head.max_steps = o->max_steps;
	s->head.flags = o->flags;
	*s->map = s->head;
	s->setup = reserved(s->head.setup.used + 1, 1);
	memcpy(s->setup, area(s, &s->head.setup), s->head.setup.used);
	return 0;
}

int shared_units(struct shared_channel *s, uint32_t units, char **error)
{
	uint64_t size = (uint64_t)units * sizeof(struct channel_unit), end;
	const struct channel_unit *u;
	uint32_t i;

	if (size > s->head.unit.capacity)
		return run_fail(error, "more than %llu units",
		    (unsigned long long)(s->head.unit.capacity / sizeof *u));
	if (s->units) /* of an earlier server, by which our tables are made */
		return s->head.unit.used == size && !memcmp(s->units, area(s, &s->head.unit), size)
		    ? 0
		    : run_fail(
		          error, "the program has other units than when it was started before");
	s->units = reserved(size + 1, 1);
	memcpy(s->units, area(s, &s->head.unit), size);
	s->head.unit.used = size;
	s->cover = 0;
	for (i = 0, u = s->units; i < units; i++, u++) {
		end = u->cover + u->outcomes + u->blocks;
		if (u->cover < s->cover || end > s->head.cover.capacity) /* none in another's */
			return run_fail(error, "coverage of unit %u does not fit", i + 1);
		s->cover = end;
	}
	s->head.cover.used = s->cover;
	return 0;
}

bool shared_fits(const struct shared_channel *s, const struct trace *t)
{
	const struct channel_unit *u = s->units;
	uint64_t units = s->head.unit.used / sizeof *u;

	for (size_t i = 0; i < t->units && i < units; i++, u++)
		if (t->unit[i].key != u->key || t->unit[i].branches != u->branches
		    || t->unit[i].outcomes != u->outcomes || t->unit[i].blocks != u->blocks
		    || t->unit[i].flags != u->flags)
			return false;
	return t->units == units;
}

/* The areas that a run writes, after its input. */
static const size_t areas[] = {
	offsetof(struct channel, input),
	offsetof(struct channel, node),
	offsetof(struct channel, var),
	offsetof(struct channel, event),
	offsetof(struct channel, address),
	offsetof(struct channel, blob),
	offsetof(struct channel, pair),
	offsetof(struct channel, step),
	offsetof(struct channel, meet),
	offsetof(struct channel, wrote),
};
enum { AREAS = sizeof areas / sizeof *areas };

uint64_t shared_used(const struct shared_channel *s)
{
	uint64_t sum = 0;

	for (size_t i = 1; i < AREAS; i++) {
		uint64_t used = ((const struct channel_area *)((char *)s->map + areas[i]))->used;

		sum += used <= s->mapped ? used : 0; /* an impossible size: refused */
	}
	return sum;
}

void shared_drop(struct shared_channel *s)
{
	for (size_t i = 1; i < AREAS; i++)
		((struct channel_area *)((char *)s->map + areas[i]))->used =
		    ((const struct channel_area *)((char *)&s->head + areas[i]))->used;
	s->map->fault_message = s->map->fault_file = 0;
	madvise((char *)s->map + s->head.var.offset, s->mapped - s->head.var.offset, MADV_REMOVE);
}

void shared_restore(struct shared_channel *s)
{
	struct channel *c = s->map;
	size_t i;

	for (i = 0; i < AREAS; i++) {
		struct channel_area *a = (struct channel_area *)((char *)c + areas[i]);
		const struct channel_area *own =
		    (const struct channel_area *)((char *)&s->head + areas[i]);

		a->offset = own->offset;
		a->capacity = own->capacity;
	}
	c->cover = s->head.cover;
	c->unit = s->head.unit;
	if (s->head.unit.used)
		memcpy(area(s, &c->unit), s->units, s->head.unit.used);
}

/* Appends name and value to the input area. */
static int put_input(
    struct shared_channel *s, uint64_t *used, const struct input_value *v, char **error)
{
	struct channel_input head;
	size_t size = (v->width + 7u) / 8, n = strlen(v->name);
	size_t whole = (sizeof head + n + size + 7) & ~(size_t)7;
	char *p = (char *)area(s, &s->head.input) + *used;

	if (n > UINT16_MAX || size > sizeof v->value)
		return run_fail(error, "input `%.60s` has too long a name or value", v->name);
	if (whole > s->head.input.capacity - *used)
		return run_fail(error, "inputs of more than %llu bytes",
		    (unsigned long long)s->head.input.capacity);
	head = (struct channel_input){ (uint16_t)n,
		(uint16_t)(size | (v->varies ? CHANNEL_VARIES : 0)) };
	memcpy(p, &head, sizeof head);
	memcpy(p + sizeof head, v->name, n);
	memcpy(p + sizeof head + n, &v->value.lo, size < 8 ? size : 8);
	if (size > 8)
		memcpy(p + sizeof head + n + 8, &v->value.hi, size - 8);
	*used += whole;
	return 0;
}

int shared_reset(struct shared_channel *s, const struct input *in, char **error)
{
	uint64_t used = 0;
	size_t i;

	*s->map = s->head;
	shared_restore(s);
	memset(area(s, &s->head.cover), 0, s->cover);
	for (i = 0; in && i < in->n; i++)
		if (put_input(s, &used, &in->v[i], error))
			return -1;
	s->map->input.used = used;
	if (in && in->part)
		s->map->flags |= CHANNEL_PART;
	if (s->head.setup.used)
		memcpy(area(s, &s->head.setup), s->setup, s->head.setup.used);
	return 0;
}

void shared_shrink(struct shared_channel *s)
{
	struct stat st;
	uint64_t from = s->head.var.offset;

	if (fstat(s->fd, &st) || (uint64_t)st.st_blocks * 512 < SHRINK_ABOVE)
		return;
	madvise((char *)s->map + from, s->mapped - from, MADV_REMOVE);
}
