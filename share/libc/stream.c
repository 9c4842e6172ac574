/* stream: see stream.h. */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "share/duct.h"
#include "share/libc/stream.h"

static struct stream *streams;
static int standard_input;           /* 0 not looked at, 1 concrete, 2 symbolic */

/* Memory that no program can mistake for its own: never freed. */
static struct stream *
add(const char *name, uint32_t max, FILE *f, int fd)
{
	struct stream *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->byte = calloc(2, (size_t)max + 1);
	if (!s->byte)
		return NULL;
	s->made = s->byte + max + 1;
	s->name = name;
	s->max = max;
	s->file = f;
	s->fd = fd;
	duct_rt_input_length(&s->len, name);
	duct_assume(s->len <= max);
	s->next = streams;
	streams = s;
	return s;
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
	char *name;

	if (path[0] == '.' && path[1] == '/')
		path += 2;
	size = duct_rt_setup("file:", path);
	if (size && (name = strdup(path)))
		add(name, (uint32_t)size, f, fd);
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
	if (s->pos < s->len)
		return 1;
	s->eof = 1;
	return 0;
}

int
duct_stream_get(struct stream *s)
{
	if (s->pushed)
		return s->back[--s->pushed];
	if (!duct_stream_more(s))
		return EOF;
	if (!s->made[s->pos]) {
		s->made[s->pos] = 1;
		duct_rt_input_byte(&s->byte[s->pos], s->name, s->pos);
	}
	return s->byte[s->pos++];
}
