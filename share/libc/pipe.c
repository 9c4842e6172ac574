/* Pipes: data that the program writes into a pipe and reads again stays symbolic. The bytes are
 * kept beside the pipe in the order in which they were written. If other processes or streams
 * write, too, or the bytes that are read differ, symbolic values are lost. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <unistd.h>

#include "share/libc/stream.h"
#include "share/libc/names.h"

struct pipe_chunk {
	struct pipe_chunk *next;
	size_t n, pos;
	unsigned char byte[];
};

struct pipe_bytes {
	struct pipe_chunk *first, **last;
	int lost;
};

static struct end {
	struct end *next;
	int fd;
	struct pipe_bytes *pipe;
} *ends;

static struct pipe_bytes *of(int fd)
{
	struct end *e;

	for (e = ends; e; e = e->next)
		if (e->fd == fd)
			return e->pipe;
	return NULL;
}

static void add(int fd, struct pipe_bytes *p)
{
	struct end *e = malloc(sizeof *e);

	if (!e) {
		p->lost = 1;
		return;
	}
	e->fd = fd;
	e->pipe = p;
	e->next = ends;
	ends = e;
}

void duct_pipe_close(int fd)
{
	struct end **at = &ends;

	while (*at && (*at)->fd != fd)
		at = &(*at)->next;
	if (*at)
		*at = (*at)->next;
}

void duct_pipe_copied(int fd, int to)
{
	struct pipe_bytes *p = of(fd);

	duct_pipe_close(to);
	if (p)
		add(to, p);
}

void duct_pipe_lose(int fd)
{
	struct end *e;

	for (e = ends; e; e = e->next)
		if (fd < 0 || e->fd == fd)
			e->pipe->lost = 1;
}

void duct_pipe_wrote(int fd, const void *from, size_t n)
{
	struct pipe_bytes *p = of(fd);
	struct pipe_chunk *c;

	if (!p || !n || p->lost)
		return;
	if (!(c = malloc(sizeof *c + n))) {
		p->lost = 1;
		return;
	}
	c->next = NULL;
	c->n = n;
	c->pos = 0;
	memcpy(c->byte, from, n);
	*p->last = c;
	p->last = &c->next;
}

/* Is the pipe's next chunk, as far as asked for, what was read? */
static int agrees(const struct pipe_chunk *c, const unsigned char *to, size_t n)
{
	return c && !CALL_QUIETLY("memcmp", memcmp, c->byte + c->pos, to, n);
}

int duct_pipe_gave(int fd, void *buffer, size_t n)
{
	struct pipe_bytes *p = of(fd);
	unsigned char *to = buffer;
	size_t left, k;

	if (!p)
		return 0;
	for (left = p->lost ? 0 : n; left; left -= k, to += k) {
		struct pipe_chunk *c = p->first;

		k = c && c->n - c->pos < left ? c->n - c->pos : left;
		if (!agrees(c, to, k))
			break;
		memcpy(to, c->byte + c->pos, k);
		c->pos += k;
		if (c->pos == c->n && !(p->first = c->next))
			p->last = &p->first;
	}
	p->lost |= left != 0;
	return !p->lost;
}

static int made(int result, const int *fd)
{
	struct pipe_bytes *p = result == 0 && duct_rt_describes() ? malloc(sizeof *p) : NULL;

	if (!p)
		return result;
	p->first = NULL;
	p->last = &p->first;
	p->lost = 0;
	add(fd[0], p);
	add(fd[1], p);
	return result;
}

MODEL int pipe(int fd[2])
{
	int result;

	if (MAY_FAIL("pipe", EMFILE))
		return -1;
	OUTSIDE("pipe");
	duct_rt_set(NULL, 0, fd, 2 * sizeof *fd, 0, 0, 0);
	result = CALL_REAL(pipe, fd);
	return made(result, fd);
}

MODEL int pipe2(int fd[2], int flags)
{
	int result;

	if (MAY_FAIL("pipe2", EMFILE))
		return -1;
	OUTSIDE("pipe2");
	duct_rt_set(NULL, 0, fd, 2 * sizeof *fd, 0, 0, 0);
	result = CALL_REAL(pipe2, fd, flags);
	return made(result, fd);
}
