/* stream: see stream.h. */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "share/duct.h"
#include "share/libc/stream.h"
#include "share/libc/names.h"

#define BLOCK 4096 /* what stdio reads at once */

static struct stream *streams;
static struct descriptor {
	struct descriptor *next;
	int fd;
	struct opened *opened;
} *descriptors;
static int standard_input; /* 0 not looked at, 1 concrete, 2 symbolic */

static struct file_content *contents;

struct file_content *duct_content(const char *name, const char *kind, uint32_t max)
{
	struct file_content *c;

	for (c = contents; c; c = c->next)
		if (!strcmp(c->name, name))
			return c;
	if (!(c = calloc(1, sizeof *c)) || !(c->name = INNER(strdup(name)))
	    || !(c->byte = calloc(2, (size_t)max + 1)))
		return NULL;
	c->made = c->byte + max + 1;
	c->max = max;
	c->kind = kind;
	duct_rt_input_length(&c->len, name);
	duct_assume(c->len <= max);
	c->next = contents;
	contents = c;
	return c;
}

void duct_content_touch(const struct file_content *c)
{
	duct_rt_limit(c->kind, *c->kind == 's' ? "" : c->name, c->max);
}

/* Determines the size of the file that runs can read: bytes beyond the inputs cannot be read. */
static void look(struct file_content *c)
{
	if (!c->looked && c->knows_kind)
		duct_assume(c->more == 0);
	c->looked = 1;
}

uint32_t duct_content_length(struct file_content *c)
{
	duct_content_touch(c);
	look(c);
	return c->len;
}

/* ---- descriptors and streams */

static struct opened *of_descriptor(int fd)
{
	struct descriptor *d;

	for (d = descriptors; d && d->fd != fd; d = d->next)
		;
	return d ? d->opened : NULL;
}

static struct stream *of_file(FILE *f)
{
	struct stream *s;

	for (s = streams; s && s->file != f; s = s->next)
		;
	return s;
}

static void open_descriptor(int fd, struct opened *o)
{
	struct descriptor *d = malloc(sizeof *d);

	if (!d)
		return;
	d->fd = fd;
	d->opened = o;
	d->next = descriptors;
	descriptors = d;
	o->links++;
}

static void attach(FILE *f, struct opened *o)
{
	struct stream *s = calloc(1, sizeof *s);

	if (!s)
		return;
	s->file = f;
	s->at = o;
	s->pos = s->filled = o->pos;
	s->block = BLOCK;
	duct_rt_stream(f);
	s->next = streams;
	streams = s;
}

void duct_stream_open(struct file_content *c, FILE *f, int fd)
{
	struct opened *o = c ? calloc(1, sizeof *o) : NULL;

	if (!o)
		return;
	o->content = c;
	open_descriptor(fd, o);
	if (f)
		attach(f, o);
}

static void look_at_stdin(void)
{
	uint64_t size;

	if (standard_input)
		return;
	standard_input = 1;
	if (!(size = duct_rt_setup("", "stdin")) && duct_rt_environment())
		size = duct_rt_grown("stdin");
	if (!size)
		return;
	standard_input = 2;
	duct_stream_open(duct_content("stdin", "stdin", (uint32_t)size), stdin, 0);
}

int duct_is_standard(const struct opened *o)
{
	return o->content && *o->content->kind == 's';
}

struct stream *duct_stream(FILE *f)
{
	if (duct_rt_same(f, stdin))
		look_at_stdin();
	return of_file(f);
}

struct opened *duct_opened(int fd)
{
	if (fd == 0)
		look_at_stdin();
	return of_descriptor(fd);
}

void duct_stream_attach(FILE *f, int fd)
{
	struct opened *o = duct_opened(fd);

	if (o)
		attach(f, o);
}

void duct_stream_drop(FILE *f)
{
	struct stream **p = &streams;

	while (*p && (*p)->file != f)
		p = &(*p)->next;
	if (*p)
		*p = (*p)->next;
}

void duct_stream_close(int fd)
{
	struct descriptor **p = &descriptors, *gone;

	while (*p && (*p)->fd != fd)
		p = &(*p)->next;
	if (!(gone = *p))
		return;
	gone->opened->links--;
	*p = gone->next;
	free(gone);
}

void duct_stream_forget(int fd)
{
	struct opened *o = of_descriptor(fd);
	struct stream *s, *next;

	for (s = streams; o && s; s = next) {
		next = s->next;
		if (s->at == o)
			duct_stream_drop(s->file);
	}
	duct_stream_close(fd);
}

static int has_stream(const struct opened *o)
{
	struct stream *s;

	for (s = streams; s && s->at != o; s = s->next)
		;
	return s != NULL;
}

static int byte_at(struct file_content *c, uint64_t pos)
{
	if (!c->made[pos]) {
		c->made[pos] = 1;
		duct_rt_input_byte(&c->byte[pos], c->name, pos);
	}
	return c->byte[pos];
}

void duct_content_change(struct file_content *c)
{
	struct descriptor *d, *next;
	struct stream *s;
	uint32_t len, pos;
	int any = 0;

	CALL_QUIETLY("memcpy", memcpy, &len, &c->len, sizeof len);
	for (s = streams; s; s = s->next)
		if (s->at->content == c && !s->at->changed && s->filled > len)
			s->filled = s->pos > len ? s->pos : len;
	for (d = descriptors; d; d = next) {
		struct opened *o = d->opened;

		next = d->next;
		if (o->content != c || o->changed)
			continue;
		any = 1;
		o->pos = o->pos > len && has_stream(o) ? len : o->pos;
		CALL_QUIETLY("lseek", lseek, d->fd, (off_t)o->pos, SEEK_SET);
		if (has_stream(o))
			o->changed = 1;
		else
			duct_stream_close(d->fd);
	}
	for (pos = 0; any && pos < len; pos++)
		byte_at(c, pos); /* what is read from the file itself is an input, too */
	if (any)
		duct_rt_lost(duct_block_unit, duct_block,
		    "reading of a file that the program writes at the same time");
}

void duct_content_updated(void)
{
	duct_rt_lost(duct_block_unit, duct_block,
	    "content of a file that is opened for reading and writing");
}

void duct_stream_alias(int fd, struct opened *o)
{
	struct stream *s;

	if (fd == 0)
		look_at_stdin();
	duct_stream_close(fd);
	if (!o)
		return;
	open_descriptor(fd, o);
	if (fd
	    == 0) { /* stdin reads from the new file, but keeps the bytes that it has read ahead */
		if ((s = of_file(stdin)))
			s->at = o;
		else
			attach(stdin, o);
	}
}

/* ---- files to which symbolic values were written */

static struct written {
	struct written *next;
	dev_t device;
	ino_t inode;
} *written;

static int identify(int fd, struct written *w)
{
	struct stat st;

	if (CALL_QUIETLY("fstat", fstat, fd, &st))
		return 0;
	w->device = st.st_dev;
	w->inode = st.st_ino;
	return 1;
}

static int was_written(const struct written *w)
{
	struct written *other;

	for (other = written; other; other = other->next)
		if (other->device == w->device && other->inode == w->inode)
			return 1;
	return 0;
}

void duct_stream_wrote(int fd)
{
	struct written w, *more;

	if (fd == 1 || fd == 2 || !identify(fd, &w) || was_written(&w)
	    || !(more = malloc(sizeof *more)))
		return;
	*more = w;
	more->next = written;
	written = more;
}

static void reads(int fd)
{
	struct written w;

	if (written && identify(fd, &w) && was_written(&w))
		duct_rt_lost(duct_block_unit, duct_block,
		    "reading of symbolic values that the program wrote");
}

struct stream *duct_reader(FILE *f)
{
	struct stream *s = duct_stream(f);

	if (!s)
		duct_follows(f);
	if (!s && written)
		reads(fileno(f));
	return s;
}

struct opened *duct_reader_fd(int fd)
{
	struct opened *o = duct_opened(fd);

	if (!o)
		reads(fd);
	return o;
}

/* ---- bytes */

/* Is there a byte at `pos`? Decides the end of the file. */
static int more(struct file_content *c, uint64_t pos)
{
	look(c);
	if (pos < c->max)
		return pos < c->len;
	duct_content_touch(c);
	return 0;
}

void duct_opened_end(struct opened *o)
{
	if (o->ended)
		duct_rt_limit(
		    "ended", *o->content->kind == 's' ? "standard input" : o->content->name, 0);
	o->ended = 1;
}

int duct_opened_get(struct opened *o)
{
	return more(o->content, o->pos) ? byte_at(o->content, o->pos++) : EOF;
}

/* From the file itself. */
static int get_here(struct stream *s)
{
	int c = CALL_QUIETLY("getc", getc, s->file);

	if (c == EOF)
		s->eof = 1;
	else
		s->pos = s->filled = ++s->at->pos;
	return c;
}

/* Reads ahead at most to the end of the file. */
int duct_stream_get(struct stream *s)
{
	if (s->pushed)
		return s->back[--s->pushed];
	if (s->at->changed && s->pos >= s->filled)
		return get_here(s);
	if (s->pos == s->filled) {
		s->pos = s->at->pos;
		s->filled = s->at->pos = s->pos + s->block;
	}
	if (s->eof && s->told) /* until clearerr() or a new position */
		return EOF;
	if (more(s->at->content, s->pos))
		return byte_at(s->at->content, s->pos++);
	duct_opened_end(s->at);
	s->eof = 1;
	if (s->at->pos == s->filled)
		s->at->pos = s->pos;
	s->filled = s->pos;
	return EOF;
}
