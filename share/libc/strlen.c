/* Lengths of strings and searches for a character. */
#define _GNU_SOURCE 1
#include <string.h>

#include "share/libc/model.h"
#include "share/libc/names.h"

/* The position of c as one expression. With information flow, each character is a condition. */
#ifdef DUCT_FLOWS
#define FIND(s, c, n)
#else
#define FIND(s, c, n) \
	do { \
		char *at_; \
		if (duct_live && duct_rt_find(&at_, s, c, n)) \
			return at_; \
	} while (0)
#endif

size_t strlen(const char *s)
{
	size_t n = 0;

	NATIVE_READS(strlen, s, result + 1, s);
	while (s[n])
		n++;
	return n;
}
ALIAS(strlen)

size_t strnlen(const char *s, size_t max)
{
	size_t n = 0;

	NATIVE(strnlen, s, max);
	while (n < max && s[n])
		n++;
	return n;
}
ALIAS(strnlen)

char *strchr(const char *s, int c)
{
	NATIVE_READS(strchr, s,
	    (result ? (size_t)(result - s) : CALL_QUIETLY("strlen", strlen, s)) + 1, s, c);
	FIND(s, c, SIZE_MAX);
	for (; *s != (char)c; s++)
		if (!*s)
			return NULL;
	return (char *)s;
}
ALIAS(strchr)

MODEL char *strchrnul(const char *s, int c)
{
	NATIVE(strchrnul, s, c);
	while (*s && *s != (char)c)
		s++;
	return (char *)s;
}

char *strrchr(const char *s, int c)
{
	const char *last = NULL;

	NATIVE(strrchr, s, c);
	for (;; s++) {
		if (*s == (char)c)
			last = s;
		if (!*s)
			return (char *)last;
	}
}
ALIAS(strrchr)

MODEL char *index(const char *s, int c)
{
	return strchr(s, c);
}

MODEL char *rindex(const char *s, int c)
{
	return strrchr(s, c);
}

MODEL void *memchr(const void *s, int c, size_t n)
{
	const unsigned char *p = s;

	NATIVE_READS(
	    memchr, s, result ? (size_t)((const char *)result - (const char *)s) + 1 : n, s, c, n);
	FIND(s, c, n);
	for (; n; n--, p++)
		if (*p == (unsigned char)c)
			return (void *)p;
	return NULL;
}

MODEL void *rawmemchr(const void *s, int c)
{
	const unsigned char *p = s;

	NATIVE(rawmemchr, s, c);
	while (*p != (unsigned char)c)
		p++;
	return (void *)p;
}

MODEL void *memrchr(const void *s, int c, size_t n)
{
	const unsigned char *p = s;

	NATIVE(memrchr, s, c, n);
	while (n--)
		if (p[n] == (unsigned char)c)
			return (void *)(p + n);
	return NULL;
}
