/* file: reads and validates a record file; its content is untrusted. */
#include "lib/cover/file.h"
#include "lib/base/grow.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST ((off_t)1 << 31) /* bytes of a record */

static bool text_valid(const struct record *r, uint64_t offset)
{
	return !offset
	    || (offset < r->cover && memchr((const char *)r + offset, 0, r->cover - offset));
}

static bool units_valid(const struct record *r)
{
	const struct channel_unit *u;

	if (r->unit % 8 || r->unit > r->cover || r->units > (r->cover - r->unit) / sizeof *u)
		return false;
	u = (const void *)((const char *)r + r->unit);
	for (uint32_t i = 0; i < r->units; i++) {
		uint64_t size = (uint64_t)u[i].outcomes + u[i].blocks;
		if (u[i].cover < r->cover || u[i].cover > r->size || size > r->size - u[i].cover)
			return false;
	}
	return true;
}

static bool valid(const struct record *r, uint64_t size)
{
	return size >= sizeof *r && r->pair % 4 == 0 && r->pair <= size
	    && r->room <= (size - r->pair) / sizeof(struct channel_pair) && r->magic == RECORD_MAGIC
	    && r->version == RECORD_VERSION && r->size == size && r->cover <= size && units_valid(r)
	    && text_valid(r, r->command) && text_valid(r, r->program) && text_valid(r, r->test)
	    && (!r->units || (r->command && r->program));
}

/* Reads up to n bytes; returns their number. */
static size_t read_bytes(int fd, void *to, size_t n)
{
	size_t got = 0;
	ssize_t k;

	while (got < n && (k = read(fd, (char *)to + got, n - got)) > 0)
		got += (size_t)k;
	return got;
}

/* Whatever the name stands for: opening a pipe must not wait for a writer. */
static int open_record(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
}

bool record_read(const char *path, struct record_file *f)
{
	int fd = open_record(path);
	struct stat st;
	size_t size = 0;

	f->r = NULL;
	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0 && st.st_size <= MOST) {
		f->r = reserved((size_t)st.st_size, 1);
		size = read_bytes(fd, f->r, (size_t)st.st_size);
	}
	close(fd);
	if (f->r && valid(f->r, size))
		return true;
	record_free(f);
	return false;
}

void record_free(struct record_file *f)
{
	free(f->r);
	f->r = NULL;
}

const struct channel_unit *record_units(const struct record_file *f)
{
	return (const void *)((const char *)f->r + f->r->unit);
}

const uint8_t *record_cover(const struct record_file *f, const struct channel_unit *u)
{
	return (const uint8_t *)f->r + u->cover;
}

const struct channel_pair *record_pairs(const struct record_file *f, size_t *n)
{
	*n = f->r->pairs < f->r->room ? f->r->pairs : f->r->room;
	return (const void *)((const char *)f->r + f->r->pair);
}

const char *record_text(const struct record_file *f, uint64_t offset)
{
	return offset ? (const char *)f->r + offset : NULL;
}

/* Is the process a zombie (ended, not waited for)? */
static bool zombie(uint32_t pid)
{
	char path[40], line[512], *end = NULL;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%u/stat", pid);
	if (!(f = fopen(path, "re")))
		return false;
	if (fgets(line, sizeof line, f))
		end = strrchr(line, ')');
	fclose(f);
	return end && end[1] && (end[2] == 'Z' || end[2] == 'X');
}

bool record_head(const char *path, struct record *r)
{
	int fd = open_record(path);
	bool whole;

	if (fd < 0)
		return false;
	whole = read_bytes(fd, r, sizeof *r) == sizeof *r && r->magic == RECORD_MAGIC;
	close(fd);
	return whole;
}

/* A reused process id only delays the answer. */
bool record_ended(const struct record *r, uint64_t space)
{
	return r->space && r->space == space && r->pid > 0
	    && ((kill((pid_t)r->pid, 0) && errno == ESRCH) || zombie(r->pid));
}
