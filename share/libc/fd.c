/* Reading by descriptor; what is not symbolic goes to the C library. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "share/libc/stream.h"
#include "share/libc/names.h"

/* A read is as long as asked for, or as the file: its length is decided byte by byte. */
static size_t take(struct opened *s, unsigned char *p, size_t size)
{
	size_t n = 0;
	int c;

	while (n < size && (c = duct_opened_get(s)) != EOF)
		p[n++] = (unsigned char)c;
	duct_rt_written(p, n);
	return n;
}

/* The symbolic file of a descriptor, unless the program has written to it. */
static struct opened *followed(int fd)
{
	struct opened *s = duct_opened(fd);

	return s && !s->changed ? s : NULL;
}

/* With --input short, a read returns fewer bytes than available, by the number in this input, but
 * at least one. The path decides the number of bytes. */
static size_t shortened(size_t n, uint32_t missing)
{
	size_t k = 0;

	while (k + 1 < n && k < missing)
		k++;
	return n - k;
}

/* Of a descriptor that is not symbolic. */
static ssize_t read_here(int fd, void *buf, size_t size)
{
	ssize_t n;

	duct_rt_set(NULL, 0, buf, size, 0, 0, 0);
	n = CALL_REAL(read, fd, buf, size);
	if (n > 0 && !duct_pipe_gave(fd, buf, (size_t)n))
		duct_reader_fd(fd);
	return n;
}

ssize_t read(int fd, void *buf, size_t size)
{
	struct opened *s = followed(fd);
	uint32_t missing = 0;
	size_t all, n;

	if (FAILS("read", EIO))
		return -1;
	duct_rt_asked(&missing, sizeof missing, "short", "read", "u4");
	if (!s)
		return read_here(fd, buf, size);
	all = take(s, buf, size);
	if (!all && size)
		duct_opened_end(s);
	n = shortened(all, missing);
	s->pos -= all - n;
	return (ssize_t)n;
}
ALIAS(read)

MODEL ssize_t pread(int fd, void *buf, size_t size, off_t offset)
{
	struct opened *s = followed(fd);
	uint64_t pos;
	size_t n;

	if (!s)
		duct_reader_fd(fd);
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
	if (!n && size)
		duct_opened_end(s);
	return (ssize_t)n;
}

/* ---- several buffers at once */

MODEL ssize_t readv(int fd, const struct iovec *v, int count)
{
	ssize_t all = 0, n;
	int i;

	if (MAY_FAIL("readv", EIO))
		return -1;
	OUTSIDE("readv"); /* a pipe gives less than there will be */
	if (!followed(fd)) {
		for (i = 0; i < count; i++)
			duct_rt_set(NULL, 0, v[i].iov_base, v[i].iov_len, 0, 0, 0);
		duct_pipe_lose(fd);
		duct_reader_fd(fd);
		return CALL_REAL(readv, fd, v, count);
	}
	for (i = 0; i < count; i++) {
		n = (ssize_t)take(duct_opened(fd), v[i].iov_base, v[i].iov_len);
		all += n;
		if (n < (ssize_t)v[i].iov_len)
			break;
	}
	return all;
}

MODEL ssize_t writev(int fd, const struct iovec *v, int count)
{
	ssize_t n;
	size_t left;
	int i;

	if (MAY_FAIL("writev", ENOSPC))
		return -1;
	OUTSIDE("writev");
	for (i = 0; duct_live && i < count; i++)
		if (duct_rt_symbolic(v[i].iov_base, v[i].iov_len))
			duct_stream_wrote(fd);
	if (!fd)
		duct_stdin_write();
	n = CALL_QUIETLY("writev", writev, fd, v, count);
	for (i = 0, left = n > 0 ? (size_t)n : 0; left && i < count; i++) {
		size_t k = v[i].iov_len < left ? v[i].iov_len : left;

		duct_pipe_wrote(fd, v[i].iov_base, k);
		left -= k;
	}
	return n;
}

/* ---- functions that read in a way that is not followed */

static void lose(int is_input, const char *what)
{
	if (is_input && (duct_live || duct_rt_environment()))
		duct_rt_lost(duct_block_unit, duct_block, what);
}

#define LOSES(type, name, is_input, parameters, ...) \
	MODEL type name parameters \
	{ \
		duct_pipe_lose(-1); \
		lose(is_input, "what " #name " moves is not followed"); \
		return CALL_REAL(name, __VA_ARGS__); \
	}
LOSES(ssize_t, preadv, 1, (int fd, const struct iovec *v, int n, off_t at), fd, v, n, at)
LOSES(ssize_t, process_vm_readv, 1,
    (pid_t pid, const struct iovec *to, unsigned long n, const struct iovec *from, unsigned long m,
        unsigned long flags),
    pid, to, n, from, m, flags)
LOSES(ssize_t, process_vm_writev, 1,
    (pid_t pid, const struct iovec *from, unsigned long n, const struct iovec *to, unsigned long m,
        unsigned long flags),
    pid, from, n, to, m, flags)
LOSES(ssize_t, splice, 1, (int in, off64_t *from, int out, off64_t *to, size_t n, unsigned flags),
    in, from, out, to, n, flags)
LOSES(ssize_t, tee, 1, (int in, int out, size_t n, unsigned flags), in, out, n, flags)
LOSES(ssize_t, sendfile, 1, (int out, int in, off_t *from, size_t n), out, in, from, n)
LOSES(ssize_t, copy_file_range, 1,
    (int in, off64_t *from, int out, off64_t *to, size_t n, unsigned flags), in, from, out, to, n,
    flags)

MODEL ssize_t recv(int fd, void *p, size_t n, int flags)
{
	ssize_t v;

	lose(1, "what recv moves is not followed");
	v = CALL_REAL(recv, fd, p, n, flags);
	duct_rt_written(p, v > 0 ? (size_t)v : 0);
	return v;
}

MODEL long syscall(long number, ...)
{
	va_list ap;
	long a[6];
	int i;

	va_start(ap, number);
	for (i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	duct_pipe_lose(-1);
	lose(1, "what a system call made directly does is not followed");
	return CALL_REAL(syscall, number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* The number of bytes written is the number that the program asked for, unless fewer were. */
MODEL ssize_t write(int fd, const void *buf, size_t size)
{
	ssize_t n;

	if (FAILS("write", ENOSPC))
		return -1;
	duct_rt_reads(buf, size);
	if (!fd)
		duct_stdin_write();
	n = CALL_QUIETLY("write", write, fd, buf, size);
	if (n > 0)
		duct_pipe_wrote(fd, buf, (size_t)n);
	if (duct_live && n > 0 && duct_rt_symbolic(buf, (size_t)n))
		duct_stream_wrote(fd);
	return n == (ssize_t)size ? (ssize_t)size : n;
}

MODEL off_t lseek(int fd, off_t offset, int whence)
{
	struct opened *s = followed(fd);
	off_t to;

	if (!s)
		return CALL_REAL(lseek, fd, offset, whence);
	if (duct_is_standard(s))
		OUTSIDE("lseek"); /* others may have read from it before; it may be a pipe */
	to = whence == SEEK_SET  ? offset
	    : whence == SEEK_CUR ? (off_t)s->pos + offset
	                         : (off_t)duct_content_length(s->content) + offset;
	if (whence < 0 || whence > 2 || to < 0) {
		errno = EINVAL;
		return -1;
	}
	s->pos = (uint64_t)to;
	return to;
}

MODEL off64_t lseek64(int fd, off64_t offset, int whence)
{
	return lseek(fd, offset, whence);
}

static int opened(const char *path, int flags, struct file_content *c, int fd)
{
	if (fd < 0)
		return fd;
	if (c)
		duct_content_allows(c, (flags & O_ACCMODE) != O_RDONLY);
	if ((flags & O_ACCMODE) == O_RDONLY) {
		duct_stream_open(c, NULL, fd);
	} else {
		if (c && (flags & (O_ACCMODE | O_TRUNC)) == O_RDWR)
			duct_content_updated();
		duct_file_write(path);
	}
	return fd;
}

#define OPEN(name) \
	MODEL int name(const char *path, int flags, ...) \
	{ \
		struct file_content *c; \
		va_list ap; \
		int mode; \
		va_start(ap, flags); \
		mode = va_arg(ap, int); \
		va_end(ap); \
		if (FAILS(#name, EACCES)) \
			return -1; \
		c = duct_file(path, #name); \
		return opened(path, flags, c, CALL_QUIETLY(#name, name, path, flags, mode)); \
	}
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
	MODEL int name(int folder, const char *path, int flags, ...) \
	{ \
		struct file_content *c = NULL; \
		va_list ap; \
		int mode; \
		va_start(ap, flags); \
		mode = va_arg(ap, int); \
		va_end(ap); \
		if (folder == AT_FDCWD) \
			c = duct_file(path, #name); \
		else \
			duct_rt_concrete(#name, NULL); \
		return opened( \
		    path, flags, c, CALL_QUIETLY(#name, name, folder, path, flags, mode)); \
	}
OPENAT(openat)
OPENAT(openat64)

#define SYNC(name) \
	MODEL int name(int fd) \
	{ \
		return FAILS_IF(duct_result_used, #name, EIO) ? -1 : CALL_REAL(name, fd); \
	}
SYNC(fsync)
SYNC(fdatasync)

MODEL int close(int fd)
{
	if (duct_opened(fd))
		duct_stream_close(fd);
	duct_pipe_close(fd);
	if (FAILS("close", EIO)) {
		int error = errno;

		CALL_REAL(close, fd);
		errno = error;
		return -1;
	}
	return CALL_REAL(close, fd);
}

/* ---- more descriptors of an open file */

static int copied(int fd, int to)
{
	if (to >= 0 && to != fd)
		duct_pipe_copied(fd, to);
	if (to >= 0 && to != fd)
		duct_stream_alias(to, duct_opened(fd));
	return to;
}

MODEL int dup(int fd)
{
	if (MAY_FAIL("dup", EMFILE))
		return -1;
	OUTSIDE("dup");
	return copied(fd, CALL_REAL(dup, fd));
}

MODEL int dup2(int fd, int to)
{
	if (MAY_FAIL("dup2", EBADF))
		return -1;
	OUTSIDE("dup2");
	return copied(fd, CALL_REAL(dup2, fd, to));
}

MODEL int dup3(int fd, int to, int flags)
{
	if (MAY_FAIL("dup3", EBADF))
		return -1;
	OUTSIDE("dup3");
	return copied(fd, CALL_REAL(dup3, fd, to, flags));
}

/* ---- memory-mapped files: the content of a symbolic file is read at once */

static void *mapped(void *p, size_t size, int fd, off_t offset)
{
	struct opened *s = fd < 0 || p == MAP_FAILED ? NULL : followed(fd);
	uint64_t pos;
	size_t n;

	if (!s && fd >= 0 && p != MAP_FAILED)
		duct_reader_fd(fd);
	if (p == MAP_FAILED && errno == ENOMEM)
		duct_rt_no_memory(size, (size_t)1 << 46);
	if (p == MAP_FAILED || !duct_live)
		return p;
	duct_rt_set(NULL, 0, p, size, 0, 0, 0);
	duct_rt_global(p, size, 0);
	if (!s)
		return p;
	pos = s->pos;
	s->pos = (uint64_t)offset;
	for (n = 0; n < size && duct_opened_get(s) != EOF; n++)
		;
	if (n)
		duct_rt_copy(NULL, 0, p, s->content->byte + offset, n, 0, 0, 0);
	s->pos = pos;
	return p;
}

#define MAP(name, type) \
	MODEL void *name(void *at, size_t size, int protection, int flags, int fd, type offset) \
	{ \
		if (MAY_FAIL(#name, ENOMEM)) \
			return MAP_FAILED; \
		if (duct_live && fd < 0 && duct_rt_symbolic(&size, sizeof size)) \
			duct_rt_lost(duct_block_unit, duct_block, "symbolic value into " #name); \
		if (fd >= 0 && flags & MAP_SHARED && protection & PROT_WRITE && duct_opened(fd)) \
			duct_rt_lost(duct_block_unit, duct_block, \
			    "a symbolic file is written through memory"); \
		return mapped(CALL_QUIETLY(#name, name, at, size, protection, flags, fd, offset), \
		    size, fd, offset); \
	}
MAP(mmap, off_t)
MAP(mmap64, off64_t)

MODEL int munmap(void *p, size_t size)
{
	int result = CALL_QUIETLY("munmap", munmap, p, size);

	if (result) /* callers may have mapped memory */
		OUTSIDE("munmap");
	return result;
}
