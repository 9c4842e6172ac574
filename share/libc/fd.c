/* Reading by descriptor; what is not symbolic goes to the C library. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include "share/libc/stream.h"
#include "share/libc/names.h"

/* A read is as long as asked for, or as the file: its length is decided byte by byte. */
ssize_t
read(int fd, void *buf, size_t size)
{
	struct stream *s = duct_stream_fd(fd);
	unsigned char *p = buf;
	size_t n = 0;
	int c;

	if (!s) {
		duct_rt_set(NULL, 0, buf, size, 0, 0, 0);
		return CALL_REAL(read, fd, buf, size);
	}
	while (n < size && (c = duct_stream_get(s)) != EOF)
		p[n++] = (unsigned char)c;
	return (ssize_t)n;
}
ALIAS(read)

MODEL ssize_t
pread(int fd, void *buf, size_t size, off_t offset)
{
	struct stream *s = duct_stream_fd(fd);
	uint64_t pos;
	ssize_t n;

	if (!s) {
		duct_rt_set(NULL, 0, buf, size, 0, 0, 0);
		return CALL_REAL(pread, fd, buf, size, offset);
	}
	pos = s->pos;
	s->pos = (uint64_t)offset;
	n = read(fd, buf, size);
	s->pos = pos;
	return n;
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
	return opened(path, flags, CALL_REAL(open, path, flags, mode));
}

MODEL int
close(int fd)
{
	struct stream *s = duct_stream_fd(fd);

	if (s)
		duct_stream_close(s);
	return CALL_REAL(close, fd);
}

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
