/* Copies of strings. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "share/libc/model.h"
#include "share/libc/names.h"

char *stpcpy(char *to, const char *from)
{
	NATIVE(stpcpy, to, from);
	while ((*to = *from))
		to++, from++;
	return to;
}
ALIAS(stpcpy)

MODEL char *strcpy(char *to, const char *from)
{
	NATIVE(strcpy, to, from);
	stpcpy(to, from);
	return to;
}

char *stpncpy(char *to, const char *from, size_t n)
{
	char *end;

	NATIVE(stpncpy, to, from, n);
	for (; n && *from; n--)
		*to++ = *from++;
	end = to;
	for (; n; n--)
		*to++ = 0;
	return end;
}
ALIAS(stpncpy)

MODEL char *strncpy(char *to, const char *from, size_t n)
{
	NATIVE(strncpy, to, from, n);
	stpncpy(to, from, n);
	return to;
}

MODEL char *strcat(char *to, const char *from)
{
	NATIVE(strcat, to, from);
	stpcpy(to + strlen(to), from);
	return to;
}

MODEL char *strncat(char *to, const char *from, size_t n)
{
	char *p;

	NATIVE(strncat, to, from, n);
	p = to + strlen(to);
	for (; n && *from; n--)
		*p++ = *from++;
	*p = 0;
	return to;
}

MODEL void *memccpy(void *to, const void *from, int c, size_t n)
{
	unsigned char *p = to;
	const unsigned char *q = from;

	NATIVE(memccpy, to, from, c, n);
	for (; n; n--)
		if ((*p++ = *q++) == (unsigned char)c)
			return p;
	return NULL;
}

/* Allocation goes through the program's malloc or the library model of it. */
MODEL char *strdup(const char *s)
{
	size_t n = strlen(s) + 1;
	char *copy = FAILS("strdup", ENOMEM) ? NULL : malloc(n);

	return copy ? memcpy(copy, s, n) : NULL;
}

MODEL char *strndup(const char *s, size_t max)
{
	size_t n = strnlen(s, max);
	char *copy = FAILS("strndup", ENOMEM) ? NULL : malloc(n + 1);

	if (!copy)
		return NULL;
	memcpy(copy, s, n);
	copy[n] = 0;
	return copy;
}

/* In the C locale a transformed string is the string. */
MODEL size_t strxfrm(char *to, const char *from, size_t n)
{
	size_t length;

	NATIVE(strxfrm, to, from, n);
	length = strlen(from);
	if (length < n)
		stpcpy(to, from);
	else if (n)
		memcpy(to, from, n);
	return length;
}
