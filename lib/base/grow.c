#include "lib/base/grow.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool aborts;

void no_memory_aborts(void)
{
	aborts = true;
}

/* _exit, not exit: a forked child would write the buffered output of its parent once more. */
_Noreturn void no_memory(void)
{
	if (aborts)
		abort();
	dprintf(STDERR_FILENO, "%s: out of memory\n", program_invocation_short_name);
	_exit(4);
}

void *zeroed(size_t n, size_t size)
{
	void *room = calloc(n ? n : 1, size ? size : 1);
	if (!room)
		no_memory();
	return room;
}

char *copied(const char *text)
{
	char *copy = strdup(text);
	if (!copy)
		no_memory();
	return copy;
}

char *formatted_list(const char *fmt, va_list ap)
{
	char *text;
	if (vasprintf(&text, fmt, ap) < 0)
		no_memory();
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

void *grow(void *array, size_t *cap, size_t need, size_t size)
{
	if (need <= *cap)
		return array;
	size_t more = need + need / 2 + 64;
	array = realloc(array, more * size);
	if (!array)
		no_memory();
	memset((char *)array + *cap * size, 0, (more - *cap) * size);
	*cap = more;
	return array;
}

void *grow_one(void *array, size_t n, size_t size)
{
	if (n == 0 || (n >= 8 && !(n & (n - 1))))
		array = realloc(array, (n ? n * 2 : 8) * size);
	if (!array)
		no_memory();
	return memset((char *)array + n * size, 0, size), array;
}
