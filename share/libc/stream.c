/* stream: see stream.h. */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "share/duct.h"
#include "share/libc/stream.h"
#include "share/libc/names.h"

static struct stream *streams;
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

struct stream *
duct_stream(FILE *f)
{
	struct stream *s;

	if (f == stdin)
		look_at_stdin();
	for (s = streams; s && s->file != f; s = s->next)
		;
	return s;
}

struct stream *
duct_stream_fd(int fd)
{
	struct stream *s;

	if (fd == 0)
		look_at_stdin();
	for (s = streams; s && s->fd != fd; s = s->next)
		;
	return s;
}

void
duct_stream_open(const char *path, FILE *f, int fd)
{
	uint64_t size;

	if (path[0] == '.' && path[1] == '/')
		path += 2;
	size = duct_rt_setup("file:", path);
	if (size)
		add(path, (uint32_t)size, f, fd);
}

void
duct_stream_close(struct stream *s)
{
	struct stream **p = &streams;

	while (*p && *p != s)
		p = &(*p)->next;
	if (*p)
		*p = s->next;
	s->next = NULL;
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
