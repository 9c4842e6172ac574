/* Reading by descriptor; what is not symbolic goes to the C library. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "share/libc/stream.h"
#include "share/libc/names.h"

/* A read is as long as asked for, or as the file: its length is decided byte by byte. */
static size_t
take(struct stream *s, unsigned char *p, size_t size)
{
	size_t n = 0;
	int c;

	while (n < size && (c = duct_stream_get(s)) != EOF)
		p[n++] = (unsigned char)c;
	duct_rt_written(p, n);
	return n;
}

/* With --input short a read gives fewer bytes than there are, by as many as this input says, but one
 * at least. How many it gives is decided here. */
static size_t
shortened(size_t n, uint32_t missing)
{
	size_t k = 0;

	while (k + 1 < n && k < missing)
		k++;
	return n - k;
}

ssize_t
read(int fd, void *buf, size_t size)
{
	struct stream *s = duct_reader_fd(fd);
	uint32_t missing = 0;
	size_t all, n;

	if (FAILS("read", EIO))
		return -1;
	duct_rt_asked(&missing, sizeof missing, "short", "read", "u4");
	if (!s) {
		duct_rt_set(NULL, 0, buf, size, 0, 0, 0);
		return CALL_REAL(read, fd, buf, size);
	}
	all = take(s, buf, size);
	n = shortened(all, missing);
	s->pos -= all - n;
	return (ssize_t)n;
}
ALIAS(read)

MODEL ssize_t
pread(int fd, void *buf, size_t size, off_t offset)
{
	struct stream *s = duct_reader_fd(fd);
	uint64_t pos;
	size_t n;

	if (FAILS("pread", EIO))
		return -1;
	if (!s) {
		duct_rt_set(NULL, 0, buf, size, 0, 0, 0);
		return CALL_REAL(pread, fd, buf, size, offset);
	}
	pos = s->pos;
	s->pos = (uint64_t)offset;
	n = take(s, buf, size);
	s->pos = pos;
	return (ssize_t)n;
}

/* What is written is as many bytes as the program says, unless fewer were. */
MODEL ssize_t
write(int fd, const void *buf, size_t size)
{
	ssize_t n;

	if (FAILS("write", ENOSPC))
		return -1;
	n = CALL_QUIETLY("write", write, fd, buf, size);
	if (duct_live && n > 0 && duct_rt_symbolic(buf, (size_t)n))
		duct_stream_wrote(fd);
	return n == (ssize_t)size ? (ssize_t)size : n;
}

MODEL off_t
lseek(int fd, off_t offset, int whence)
{
	struct stream *s = duct_stream_fd(fd);
	off_t to;

	if (!s)
		return CALL_REAL(lseek, fd, offset, whence);
	to = whence == SEEK_SET ? offset : whence == SEEK_CUR ? (off_t)s->pos + offset : (off_t)s->content->len + offset;
	if (whence < 0 || whence > 2 || to < 0) {
		errno = EINVAL;
		return -1;
	}
	s->pos = (uint64_t)to;
	return to;
}

MODEL off64_t
lseek64(int fd, off64_t offset, int whence)
{
	return lseek(fd, offset, whence);
}

static int
opened(const char *path, int flags, int fd)
{
	if (fd >= 0 && (flags & O_ACCMODE) == O_RDONLY)
		duct_stream_open(path, NULL, fd);
	return fd;
}

MODEL int
open(const char *path, int flags, ...)
{
	va_list ap;
	int mode;

	va_start(ap, flags);
	mode = va_arg(ap, int);
	va_end(ap);
	if (FAILS("open", EACCES))
		return -1;
	return opened(path, flags, CALL_REAL(open, path, flags, mode));
}

MODEL int
open64(const char *path, int flags, ...)
{
	va_list ap;
	int mode;

	va_start(ap, flags);
	mode = va_arg(ap, int);
	va_end(ap);
	if (FAILS("open", EACCES))
		return -1;
	return opened(path, flags, CALL_REAL(open, path, flags, mode));
}

MODEL int
close(int fd)
{
	struct stream *s = duct_stream_fd(fd);

	if (s)
		duct_stream_close(s, fd);
	if (FAILS("close", EIO)) {
		CALL_REAL(close, fd);
		errno = EIO;
		return -1;
	}
	return CALL_REAL(close, fd);
}

/* ---- more descriptors of an open file */

static int
copied(int fd, int to)
{
	if (to >= 0 && to != fd)
		duct_stream_alias(to, duct_stream_fd(fd));
	return to;
}

MODEL int
dup(int fd)
{
	return copied(fd, CALL_REAL(dup, fd));
}

MODEL int
dup2(int fd, int to)
{
	return copied(fd, CALL_REAL(dup2, fd, to));
}

MODEL int
dup3(int fd, int to, int flags)
{
	return copied(fd, CALL_REAL(dup3, fd, to, flags));
}

/* ---- lengths of files */

MODEL int
fstat(int fd, struct stat *st)
{
	struct stream *s = duct_stream_fd(fd);
	int result;

	duct_rt_set(NULL, 0, st, sizeof *st, 0, 0, 0);
	result = CALL_REAL(fstat, fd, st);
	if (result == 0 && s)
		st->st_size = s->content->len;
	return result;
}

#define STAT(name, type) \
	MODEL int name(const char *path, struct type *st) \
	{ \
		const uint32_t *length; \
		int result; \
		duct_rt_set(NULL, 0, st, sizeof *st, 0, 0, 0); \
		result = CALL_REAL(name, path, st); \
		if (result == 0 && (length = duct_stream_length(path))) \
			st->st_size = *length; \
		return result; \
	}
STAT(stat, stat)
STAT(lstat, stat)
STAT(stat64, stat64)
STAT(lstat64, stat64)

MODEL int
fstat64(int fd, struct stat64 *st)
{
	struct stream *s = duct_stream_fd(fd);
	int result;

	duct_rt_set(NULL, 0, st, sizeof *st, 0, 0, 0);
	result = CALL_REAL(fstat64, fd, st);
	if (result == 0 && s)
		st->st_size = s->content->len;
	return result;
}

/* ---- memory that is a file: what it holds is read at once, where the file is symbolic */

static void *
mapped(void *p, size_t size, int fd, off_t offset)
{
	struct stream *s = fd < 0 || p == MAP_FAILED ? NULL : duct_reader_fd(fd);
	uint64_t pos;
	size_t n;

	if (p == MAP_FAILED || !duct_live)
		return p;
	duct_rt_set(NULL, 0, p, size, 0, 0, 0);
	duct_rt_global(p, size, 0);
	if (!s)
		return p;
	pos = s->pos;
	s->pos = (uint64_t)offset;
	for (n = 0; n < size && duct_stream_get(s) != EOF; n++)
		;
	if (n)
		duct_rt_copy(NULL, 0, p, s->content->byte + offset, n, 0, 0, 0);
	s->pos = pos;
	s->eof = 0;
	return p;
}

#define MAP(name, type) \
	MODEL void *name(void *at, size_t size, int protection, int flags, int fd, type offset) \
	{ \
		if (duct_live && fd < 0 && duct_rt_symbolic(&size, sizeof size)) \
			duct_rt_lost(duct_block_unit, duct_block, "symbolic value into " #name); \
		return mapped(CALL_QUIETLY(#name, name, at, size, protection, flags, fd, offset), size, fd, offset); \
	}
MAP(mmap, off_t)
MAP(mmap64, off64_t)

MODEL int
munmap(void *p, size_t size)
{
	return CALL_QUIETLY("munmap", munmap, p, size);
}
