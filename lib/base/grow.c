#include "lib/base/grow.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static bool aborts;

void no_memory_aborts(void)
{
	aborts = true;
}

/* The limit that a shell's ulimit set; false: there is none. */
static bool limit_of(int resource, unsigned long long *mib)
{
	struct rlimit l;
	if (getrlimit(resource, &l) || l.rlim_cur == RLIM_INFINITY)
		return false;
	*mib = l.rlim_cur >> 20;
	return true;
}

/* _exit, not exit: a forked child would write the buffered output of its parent once more. */
_Noreturn void no_memory(size_t asked)
{
	const char *name = program_invocation_short_name;
	unsigned long long mib;
	char more[40] = "";

	if (aborts)
		abort();
	if (asked)
		snprintf(more, sizeof more, ": cannot get %zu bytes", asked);
	if (limit_of(RLIMIT_AS, &mib))
		dprintf(STDERR_FILENO,
		    "%s: out of memory%s; addresses are limited to %llu MiB, see ulimit -v\n", name,
		    more, mib);
	else if (limit_of(RLIMIT_DATA, &mib))
		dprintf(STDERR_FILENO,
		    "%s: out of memory%s; data is limited to %llu MiB, see ulimit -d\n", name, more,
		    mib);
	else
		dprintf(STDERR_FILENO, "%s: out of memory%s\n", name, more);
	_exit(4);
}

static size_t bytes_of(size_t n, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(n, size, &bytes))
		no_memory(SIZE_MAX);
	return bytes ? bytes : 1;
}

void *zeroed(size_t n, size_t size)
{
	size_t bytes = bytes_of(n, size);
	void *room = calloc(1, bytes);
	if (!room)
		no_memory(bytes);
	return room;
}

void *reserved(size_t n, size_t size)
{
	return resized(NULL, n, size);
}

void *reserved_aligned(size_t alignment, size_t n, size_t size)
{
	size_t bytes = bytes_of(n, size);
	void *room = aligned_alloc(alignment, bytes);
	if (!room)
		no_memory(bytes);
	return room;
}

void *resized(void *array, size_t n, size_t size)
{
	size_t bytes = bytes_of(n, size);
	array = realloc(array, bytes);
	if (!array)
		no_memory(bytes);
	return array;
}

static char *copy(const char *text, size_t n)
{
	char *to = reserved(n + 1, 1);
	memcpy(to, text, n);
	to[n] = 0;
	return to;
}

char *copied(const char *text)
{
	return copy(text, strlen(text));
}

char *copied_part(const char *text, size_t n)
{
	return copy(text, strnlen(text, n));
}

char *formatted_list(const char *fmt, va_list ap)
{
	char *text;
	if (vasprintf(&text, fmt, ap) < 0)
		no_memory(0);
	return text;
}

char *formatted(const char *fmt, ...)
{
	char *text;
	va_list ap;
	va_start(ap, fmt);
	text = formatted_list(fmt, ap);
	va_end(ap);
	return text;
}

/* ---- streams. A write to open_memstream()'s stream may fail for want of memory, and the text
 * would be cut without a word. */

/* Streams may share a `size` that nobody reads: it is only written. */
struct text_cookie {
	char **text, *at;
	size_t *size, n, room;
};

static ssize_t put(void *cookie, const char *from, size_t n)
{
	struct text_cookie *c = cookie;
	if (c->room - c->n <= n)
		c->at = resized(c->at, c->room = (c->n + n) * 2, 1);
	memcpy(c->at + c->n, from, n);
	c->at[c->n += n] = 0;
	*c->text = c->at;
	*c->size = c->n;
	return (ssize_t)n;
}

/* For ftell(). */
static int tell(void *cookie, off64_t *at, int whence)
{
	struct text_cookie *c = cookie;
	if (*at || whence != SEEK_CUR)
		return -1;
	*at = (off64_t)c->n;
	return 0;
}

static int end(void *cookie)
{
	free(cookie);
	return 0;
}

FILE *text_stream(char **text, size_t *size)
{
	struct text_cookie *c = reserved(1, sizeof *c);
	*c = (struct text_cookie){ text, zeroed(256, 1), size, 0, 256 };
	*text = c->at;
	*size = 0;
	FILE *f = fopencookie(c, "w", (cookie_io_functions_t){ NULL, put, tell, end });
	if (!f)
		no_memory(0);
	return f;
}

void *grow(void *array, size_t *cap, size_t need, size_t size)
{
	if (need <= *cap)
		return array;
	size_t more = need + need / 2 + 64;
	array = resized(array, more, size);
	memset((char *)array + *cap * size, 0, (more - *cap) * size);
	*cap = more;
	return array;
}

void *grow_one(void *array, size_t n, size_t size)
{
	if (n == 0 || (n >= 8 && !(n & (n - 1))))
		array = resized(array, n ? n * 2 : 8, size);
	return memset((char *)array + n * size, 0, size), array;
}
