/* duct_answers.c: what a program asks of its surroundings is answered as when the test was
 * recorded. Call i of a function, of those that the program makes itself, is the value
 * GROUP.FUNCTION[i]. The Makefile has the linker (--wrap) lead these calls here; the sources stay
 * untouched. Here: which calls fail, short reads, signals. The rest is in the other files that
 * include duct_answers.h. */
#define _GNU_SOURCE
#include "duct_answers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- values */

unsigned duct_count_call(const char *group, const char *function)
{
	static struct {
		const char *group, *function;
		unsigned count;
	} asked[256];
	size_t i = 0;

	while (i < 255 && asked[i].group
	    && (strcmp(asked[i].group, group) || strcmp(asked[i].function, function)))
		i++;
	asked[i].group = group;
	asked[i].function = function;
	return asked[i].count++;
}

/* The value of this call, or of a member of it; 0 when there is none. */
unsigned long long duct_answer(
    const char *group, const char *function, unsigned call, const char *member)
{
	const struct duct_value *v;
	char name[100];

	snprintf(name, sizeof name, "%s.%s[%u]%s", group, function, call, member);
	v = duct_find(name);
	return v ? v->low : 0;
}

/* Does this call fail? error: errno then, unless the test has another one; 0: errno stays. */
int duct_fails(const char *function, int error)
{
	unsigned call = duct_asking ? duct_count_call("fault", function) : 0;

	if (!duct_asking || !duct_answer("fault", function, call, ""))
		return 0;
	if (error) {
		int other = (int)duct_answer("errno", function, call, "");
		errno = other ? other : error;
	}
	return 1;
}

/* ---- calls that may fail */

#define MAY_FAIL(type, name, parameters, arguments, failed, error) \
	type __real_##name parameters; \
	type __wrap_##name parameters; \
	type __wrap_##name parameters \
	{ \
		return duct_fails(#name, error) ? failed : __real_##name arguments; \
	}

#define MODELLED MAY_FAIL
#define FAILING MAY_FAIL
#define LEAVING MAY_FAIL
#include "duct_failing.h"

static char **listed(const char *first, va_list *ap)
{
	va_list again;
	size_t n = 1;
	char **argv;

	va_copy(again, *ap);
	while (first && va_arg(again, char *))
		n++;
	va_end(again);
	if ((argv = __real_malloc((n + 1) * sizeof *argv))) {
		argv[0] = (char *)first;
		for (size_t i = 1; first && i <= n; i++)
			argv[i] = va_arg(*ap, char *);
	}
	return argv;
}

#define EXECUTE(name, call) \
	int __wrap_##name(const char *file, const char *first, ...); \
	int __wrap_##name(const char *file, const char *first, ...) \
	{ \
		va_list ap; \
		char **argv; \
		int result = -1; \
		if (duct_fails(#name, ENOENT)) \
			return -1; \
		va_start(ap, first); \
		if ((argv = listed(first, &ap))) \
			result = call; \
		va_end(ap); \
		free(argv); \
		return result; \
	}
EXECUTE(execl, __real_execv(file, argv))
EXECUTE(execlp, __real_execvp(file, argv))
EXECUTE(execle, __real_execve(file, argv, va_arg(ap, char *const *)))

/* Writing to a stream. All calls are counted together: a compiler may call another of these
 * functions than the source does. */
#define OUTPUT(type, name, parameters, arguments, failed) \
	type __real_##name parameters; \
	type __wrap_##name parameters; \
	type __wrap_##name parameters \
	{ \
		return duct_fails("output", ENOSPC) ? failed : __real_##name arguments; \
	}
OUTPUT(int, putc, (int c, FILE *f), (c, f), EOF)
OUTPUT(int, fputc, (int c, FILE *f), (c, f), EOF)
OUTPUT(int, _IO_putc, (int c, FILE *f), (c, f), EOF)
OUTPUT(int, putchar, (int c), (c), EOF)
OUTPUT(int, puts, (const char *s), (s), EOF)
OUTPUT(int, fputs, (const char *s, FILE *f), (s, f), EOF)
OUTPUT(size_t, fwrite, (const void *p, size_t size, size_t n, FILE *f), (p, size, n, f), 0)
OUTPUT(int, vprintf, (const char *f, va_list ap), (f, ap), -1)
OUTPUT(int, vfprintf, (FILE * to, const char *f, va_list ap), (to, f, ap), -1)
OUTPUT(int, __vprintf_chk, (int flag, const char *f, va_list ap), (flag, f, ap), -1)
OUTPUT(int, __vfprintf_chk, (FILE * to, int flag, const char *f, va_list ap), (to, flag, f, ap), -1)

#define PRINT(name, listed, parameters, arguments) \
	int __wrap_##name parameters; \
	int __wrap_##name parameters \
	{ \
		va_list ap; \
		int n; \
		if (duct_fails("output", ENOSPC)) \
			return -1; \
		va_start(ap, f); \
		n = listed arguments; \
		va_end(ap); \
		return n; \
	}
PRINT(printf, __real_vprintf, (const char *f, ...), (f, ap))
PRINT(fprintf, __real_vfprintf, (FILE * to, const char *f, ...), (to, f, ap))
PRINT(__printf_chk, __real___vprintf_chk, (int flag, const char *f, ...), (flag, f, ap))
PRINT(__fprintf_chk, __real___vfprintf_chk, (FILE * to, int flag, const char *f, ...),
    (to, flag, f, ap))

int __wrap_asprintf(char **s, const char *f, ...);
int __wrap_asprintf(char **s, const char *f, ...)
{
	va_list ap;
	int n;

	if (duct_fails("asprintf", ENOMEM))
		return -1;
	va_start(ap, f);
	n = __real_vasprintf(s, f, ap);
	va_end(ap);
	return n;
}

/* At its end a stream that is read has failed, instead. */
static void fail_reading(FILE *f)
{
#if defined _IO_EOF_SEEN && defined _IO_ERR_SEEN
	f->_flags = (f->_flags & ~_IO_EOF_SEEN) | _IO_ERR_SEEN;
#else
	(void)f;
#endif
}

#define ERROR(name) \
	int __real_##name(FILE *f); \
	int __wrap_##name(FILE *f); \
	int __wrap_##name(FILE *f) \
	{ \
		if (!duct_fails(#name, 0)) \
			return __real_##name(f); \
		if (!__fwriting(f)) \
			fail_reading(f); \
		return 1; \
	}
ERROR(ferror)
ERROR(ferror_unlocked)

#define OPEN(name) \
	int __real_##name(const char *path, int flags, ...); \
	int __wrap_##name(const char *path, int flags, ...); \
	int __wrap_##name(const char *path, int flags, ...) \
	{ \
		va_list ap; \
		int mode = 0; \
		if (duct_fails(#name, EACCES)) \
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
int duct_other_input; /* standard input is another than at the start */

#define CLOSE(name, type, descriptor) \
	int __real_##name(type f); \
	int __wrap_##name(type f); \
	int __wrap_##name(type f) \
	{ \
		int result; \
		duct_other_input |= duct_asking && (descriptor) == 0; \
		result = __real_##name(f); \
		return duct_fails(#name, EIO) ? -1 : result; \
	}
CLOSE(close, int, f)
CLOSE(fclose, FILE *, fileno(f))

/* A short read leaves the rest to be read. */
ssize_t __real_read(int fd, void *p, size_t n);
ssize_t __wrap_read(int fd, void *p, size_t n);
ssize_t __wrap_read(int fd, void *p, size_t n)
{
	unsigned long long missing;
	ssize_t got;

	if (duct_fails("read", EIO))
		return -1;
	got = __real_read(fd, p, n);
	if (!duct_asking)
		return got;
	missing = duct_answer("short", "read", duct_count_call("short", "read"), "");
	if (got < 2 || !missing)
		return got;
	if (missing > (unsigned long long)got - 1)
		missing = (unsigned long long)got - 1;
	return lseek(fd, -(off_t)missing, SEEK_CUR) < 0 ? got : got - (ssize_t)missing;
}

/* ---- signals: one arrives as soon as its handler is installed */

typedef void handles(int);

static void arrive(int number, handles *handler)
{
	sigset_t blocked;

	if (!duct_asking || handler == SIG_DFL || handler == SIG_IGN || handler == SIG_ERR)
		return;
	switch (number) {
	case SIGSEGV:
	case SIGBUS:
	case SIGFPE:
	case SIGILL:
	case SIGABRT:
	case SIGTRAP:
	case SIGSYS: return;
	}
	if (!sigprocmask(SIG_BLOCK, NULL, &blocked) && !sigismember(&blocked, number)
	    && duct_answer("signal", "handler", duct_count_call("signal", "handler"), ""))
		raise(number);
}

handles *__real_signal(int number, handles *handler);
handles *__wrap_signal(int number, handles *handler);
handles *__wrap_signal(int number, handles *handler)
{
	handles *before;

	if (duct_fails("signal", EINVAL))
		return SIG_ERR;
	before = __real_signal(number, handler);
	if (before != SIG_ERR)
		arrive(number, handler);
	return before;
}

int __real_sigaction(int number, const struct sigaction *to, struct sigaction *before);
int __wrap_sigaction(int number, const struct sigaction *to, struct sigaction *before);
int __wrap_sigaction(int number, const struct sigaction *to, struct sigaction *before)
{
	int result;

	if (duct_fails("sigaction", EINVAL))
		return -1;
	result = __real_sigaction(number, to, before);
	if (!result && to && !(to->sa_flags & SA_SIGINFO))
		arrive(number, to->sa_handler);
	return result;
}
