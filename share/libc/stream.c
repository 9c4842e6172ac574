/* stream: see stream.h. */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "share/duct.h"
#include "share/libc/stream.h"
#include "share/libc/names.h"

static struct stream *streams;
static struct alias { struct alias *next; int fd; struct stream *stream; } *aliases;
static int standard_input;           /* 0 not looked at, 1 concrete, 2 symbolic */

static struct content *contents;

/* Its length is one input, however often it is opened. NULL when out of memory. */
static struct content *
content(const char *name, uint32_t max)
{
	struct content *c;

	for (c = contents; c; c = c->next)
		if (!strcmp(c->name, name))
			return c;
	if (!(c = calloc(1, sizeof *c)) || !(c->name = INNER(strdup(name))) ||
	    !(c->byte = calloc(2, (size_t)max + 1)))
		return NULL;
	c->made = c->byte + max + 1;
	c->max = max;
	duct_rt_input_length(&c->len, name);
	duct_assume(c->len <= max);
	c->next = contents;
	contents = c;
	return c;
}

static void
add(const char *name, uint32_t max, FILE *f, int fd)
{
	struct stream *s = calloc(1, sizeof *s);

	if (!s || !(s->content = content(name, max)))
		return;
	s->file = f;
	s->fd = fd;
	if (f)
		duct_rt_stream(f);
	s->next = streams;
	streams = s;
}

static void
look_at_stdin(void)
{
	uint64_t size;

	if (standard_input)
		return;
	size = duct_rt_setup("", "stdin");
	standard_input = size ? 2 : 1;
	if (size)
		add("stdin", (uint32_t)size, stdin, 0);
}

static struct stream *
of_file(FILE *f)
{
	struct stream *s;

	for (s = streams; s && s->file != f; s = s->next)
		;
	return s;
}

static struct stream *
of_descriptor(int fd)
{
	struct stream *s;
	struct alias *a;

	for (s = streams; s; s = s->next)
		if (s->fd == fd)
			return s;
	for (a = aliases; a && a->fd != fd; a = a->next)
		;
	return a ? a->stream : NULL;
}

struct stream *
duct_stream(FILE *f)
{
	if (f == stdin)
		look_at_stdin();
	return of_file(f);
}

struct stream *
duct_stream_fd(int fd)
{
	if (fd == 0)
		look_at_stdin();
	return of_descriptor(fd);
}

/* Size of a symbolic file, 0: it is none; its name as inputs have it. */
static uint32_t
find(const char **path)
{
	if (!strcmp(*path, "/dev/stdin")) {
		*path = "stdin";
		return (uint32_t)duct_rt_setup("", "stdin");
	}
	if ((*path)[0] == '.' && (*path)[1] == '/')
		*path += 2;
	return (uint32_t)duct_rt_setup("file:", *path);
}

void
duct_stream_open(const char *path, FILE *f, int fd)
{
	uint32_t size = find(&path);

	if (size)
		add(path, size, f, fd);
}

const uint32_t *
duct_stream_length(const char *path)
{
	uint32_t size = find(&path);
	struct content *c = size ? content(path, size) : NULL;

	return c ? &c->len : NULL;
}

static void
drop(struct stream *s)
{
	struct stream **p = &streams;

	while (*p && *p != s)
		p = &(*p)->next;
	if (*p)
		*p = s->next;
	s->next = NULL;
}

/* An open file is gone when no descriptor is left. */
void
duct_stream_close(struct stream *s, int fd)
{
	struct alias **a, *gone;
	int left = s->fd != fd && s->fd >= 0;

	if (s->fd == fd)
		s->fd = -1;
	for (a = &aliases; *a;)
		if ((*a)->stream == s && (*a)->fd == fd) {
			gone = *a;
			*a = gone->next;
			free(gone);
		} else {
			left |= (*a)->stream == s;
			a = &(*a)->next;
		}
	if (!left)
		drop(s);
}

void
duct_stream_alias(int fd, struct stream *s)
{
	struct stream *old = duct_stream_fd(fd);
	struct alias *a;

	if (old)
		duct_stream_close(old, fd);
	if (!s || !(a = malloc(sizeof *a)))
		return;
	a->fd = fd;
	a->stream = s;
	a->next = aliases;
	aliases = a;
	if (fd == 0)
		s->file = stdin;
}

/* ---- files that hold what was symbolic */

static struct written { struct written *next; dev_t device; ino_t inode; } *written;

static int
identify(int fd, struct written *w)
{
	struct stat st;

	if (CALL_QUIETLY("fstat", fstat, fd, &st))
		return 0;
	w->device = st.st_dev;
	w->inode = st.st_ino;
	return 1;
}

static int
was_written(const struct written *w)
{
	struct written *other;

	for (other = written; other; other = other->next)
		if (other->device == w->device && other->inode == w->inode)
			return 1;
	return 0;
}

void
duct_stream_wrote(int fd)
{
	struct written w, *more;

	if (fd == 1 || fd == 2 || !identify(fd, &w) || was_written(&w) || !(more = malloc(sizeof *more)))
		return;
	*more = w;
	more->next = written;
	written = more;
}

static void
reads(int fd)
{
	struct written w;

	if (written && identify(fd, &w) && was_written(&w))
		duct_rt_lost(duct_block_unit, duct_block, "reading of symbolic values that the program wrote");
}

struct stream *
duct_reader(FILE *f)
{
	struct stream *s = duct_stream(f);

	if (!s && written)
		reads(fileno(f));
	return s;
}

struct stream *
duct_reader_fd(int fd)
{
	struct stream *s = duct_stream_fd(fd);

	if (!s)
		reads(fd);
	return s;
}

int
duct_stream_more(struct stream *s)
{
	if (s->pos < s->content->len)
		return 1;
	s->eof = 1;
	return 0;
}

int
duct_stream_get(struct stream *s)
{
	struct content *c = s->content;

	if (s->pushed)
		return s->back[--s->pushed];
	if (!duct_stream_more(s))
		return EOF;
	if (!c->made[s->pos]) {
		c->made[s->pos] = 1;
		duct_rt_input_byte(&c->byte[s->pos], c->name, s->pos);
	}
	return c->byte[s->pos++];
}
