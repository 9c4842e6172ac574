/* duct_answers.c: what a program asks of its surroundings is answered as when the test was
 * recorded: which calls fail, what time it is, random numbers, short reads. Call i of a function, of
 * those that the program makes itself, is the value GROUP.FUNCTION[i]. The Makefile has the
 * linker (--wrap) lead these calls here; the sources stay untouched. */
#define _GNU_SOURCE
#include "duct_test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* ---- values */

static unsigned count_call(const char *group, const char *function)
{
	static struct { const char *group, *function; unsigned count; } asked[96];
	size_t i = 0;

	while (i < 95 && asked[i].group && (strcmp(asked[i].group, group) || strcmp(asked[i].function, function)))
		i++;
	asked[i].group = group;
	asked[i].function = function;
	return asked[i].count++;
}

/* The value of this call, or of a member of it; 0 when there is none. */
static unsigned long long answer(const char *group, const char *function, unsigned call, const char *member)
{
	const struct duct_value *v;
	char name[100];

	snprintf(name, sizeof name, "%s.%s[%u]%s", group, function, call, member);
	v = duct_find(name);
	return v ? v->low : 0;
}

static int fails(const char *function, int error)
{
	if (!duct_asking || !answer("fault", function, count_call("fault", function), ""))
		return 0;
	errno = error;
	return 1;
}

/* ---- calls that may fail */

#define MAY_FAIL(type, name, parameters, arguments, failed, error) \
	type __real_##name parameters; \
	type __wrap_##name parameters; \
	type __wrap_##name parameters \
	{ \
		return fails(#name, error) ? failed : __real_##name arguments; \
	}

MAY_FAIL(void *, malloc, (size_t n), (n), NULL, ENOMEM)
MAY_FAIL(void *, calloc, (size_t n, size_t size), (n, size), NULL, ENOMEM)
MAY_FAIL(void *, realloc, (void *p, size_t n), (p, n), NULL, ENOMEM)
MAY_FAIL(void *, reallocarray, (void *p, size_t n, size_t size), (p, n, size), NULL, ENOMEM)
MAY_FAIL(void *, aligned_alloc, (size_t to, size_t n), (to, n), NULL, ENOMEM)
MAY_FAIL(void *, memalign, (size_t to, size_t n), (to, n), NULL, ENOMEM)
MAY_FAIL(int, posix_memalign, (void **p, size_t to, size_t n), (p, to, n), ENOMEM, errno)
MAY_FAIL(char *, strdup, (const char *s), (s), NULL, ENOMEM)
MAY_FAIL(char *, strndup, (const char *s, size_t n), (s, n), NULL, ENOMEM)
MAY_FAIL(int, vasprintf, (char **s, const char *f, va_list ap), (s, f, ap), -1, ENOMEM)
MAY_FAIL(FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL, EACCES)
MAY_FAIL(FILE *, fopen64, (const char *path, const char *mode), (path, mode), NULL, EACCES)
MAY_FAIL(ssize_t, pread, (int fd, void *p, size_t n, off_t at), (fd, p, n, at), -1, EIO)
MAY_FAIL(ssize_t, write, (int fd, const void *p, size_t n), (fd, p, n), -1, ENOSPC)
MAY_FAIL(pid_t, fork, (void), (), -1, EAGAIN)

int __wrap_asprintf(char **s, const char *f, ...);
int __wrap_asprintf(char **s, const char *f, ...)
{
	va_list ap;
	int n;

	if (fails("asprintf", ENOMEM))
		return -1;
	va_start(ap, f);
	n = __real_vasprintf(s, f, ap);
	va_end(ap);
	return n;
}

#define OPEN(name) \
	int __real_##name(const char *path, int flags, ...); \
	int __wrap_##name(const char *path, int flags, ...); \
	int __wrap_##name(const char *path, int flags, ...) \
	{ \
		va_list ap; \
		int mode = 0; \
		if (fails(#name, EACCES)) \
			return -1; \
		va_start(ap, flags); \
		if (flags & (O_CREAT | O_TMPFILE)) \
			mode = va_arg(ap, int); \
		va_end(ap); \
		return __real_##name(path, flags, mode); \
	}
OPEN(open)
OPEN(open64)

/* It is closed all the same. */
#define CLOSE(name, type) \
	int __real_##name(type f); \
	int __wrap_##name(type f); \
	int __wrap_##name(type f) \
	{ \
		int result = __real_##name(f); \
		return fails(#name, EIO) ? -1 : result; \
	}
CLOSE(close, int)
CLOSE(fclose, FILE *)

/* A short read leaves the rest to be read. */
ssize_t __real_read(int fd, void *p, size_t n);
ssize_t __wrap_read(int fd, void *p, size_t n);
ssize_t __wrap_read(int fd, void *p, size_t n)
{
	unsigned long long missing;
	ssize_t got;

	if (fails("read", EIO))
		return -1;
	got = __real_read(fd, p, n);
	if (!duct_asking)
		return got;
	missing = answer("short", "read", count_call("short", "read"), "");
	if (got < 2 || !missing)
		return got;
	if (missing > (unsigned long long)got - 1)
		missing = (unsigned long long)got - 1;
	return lseek(fd, -(off_t)missing, SEEK_CUR) < 0 ? got : got - (ssize_t)missing;
}

/* ---- time: how far it went on since it was last asked */

static time_t now;

static unsigned long step(const char *function, int *is_asked)
{
	unsigned call;

	*is_asked = duct_asking && duct_answers_time;
	if (!*is_asked)
		return 0;
	call = count_call("time", function);
	now += (time_t)answer("time", function, call, ".seconds");
	return (unsigned long)answer("time", function, call, ".part");
}

time_t __real_time(time_t *to);
time_t __wrap_time(time_t *to);
time_t __wrap_time(time_t *to)
{
	if (!duct_asking || !duct_answers_time)
		return __real_time(to);
	now += (time_t)answer("time", "time", count_call("time", "time"), "");
	if (to)
		*to = now;
	return now;
}

int __real_gettimeofday(struct timeval *to, void *zone);
int __wrap_gettimeofday(struct timeval *to, void *zone);
int __wrap_gettimeofday(struct timeval *to, void *zone)
{
	int is_asked;
	unsigned long part = step("gettimeofday", &is_asked);

	if (!is_asked)
		return __real_gettimeofday(to, zone);
	to->tv_sec = now;
	to->tv_usec = (suseconds_t)part;
	return 0;
}

int __real_clock_gettime(clockid_t id, struct timespec *to);
int __wrap_clock_gettime(clockid_t id, struct timespec *to);
int __wrap_clock_gettime(clockid_t id, struct timespec *to)
{
	int is_asked;
	unsigned long part = step("clock_gettime", &is_asked);

	if (!is_asked)
		return __real_clock_gettime(id, to);
	to->tv_sec = now;
	to->tv_nsec = (long)part;
	return 0;
}

clock_t __real_clock(void);
clock_t __wrap_clock(void);
clock_t __wrap_clock(void)
{
	static clock_t ticks;

	if (!duct_asking || !duct_answers_time)
		return __real_clock();
	return ticks += (clock_t)answer("time", "clock", count_call("time", "clock"), "");
}

/* ---- random numbers */

#define RANDOM(type, name, parameters, arguments) \
	type __real_##name parameters; \
	type __wrap_##name parameters; \
	type __wrap_##name parameters \
	{ \
		if (!duct_asking || !duct_answers_random) \
			return __real_##name arguments; \
		return (type)(answer("random", #name, count_call("random", #name), "") & RAND_MAX); \
	}
RANDOM(int, rand, (void), ())
RANDOM(long, random, (void), ())
RANDOM(int, rand_r, (unsigned *seed), (seed))
