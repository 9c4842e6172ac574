/* Comparisons. The result is the difference of the first bytes that differ, as in glibc. */
#define _GNU_SOURCE 1
#include <string.h>
#include <strings.h>

#include "share/libc/model.h"
#include "share/libc/names.h"

/* The result as one expression. With information flow, each character is a condition. */
#ifdef DUCT_FLOWS
#define AT_ONCE(a, b, n, how)
#else
#define AT_ONCE(a, b, n, how) \
	do { \
		int result_; \
		if (duct_live && duct_rt_compare(&result_, a, b, n, how)) \
			return result_; \
	} while (0)
#endif

int strcmp(const char *a, const char *b)
{
	NATIVE(strcmp, a, b);
	AT_ONCE(a, b, SIZE_MAX, COMPARE_TEXT);
	for (;; a++, b++) {
		if (*a != *b)
			return (unsigned char)*a - (unsigned char)*b;
		if (!*a)
			return 0;
	}
}
ALIAS(strcmp)

MODEL int strncmp(const char *a, const char *b, size_t n)
{
	NATIVE(strncmp, a, b, n);
	AT_ONCE(a, b, n, COMPARE_TEXT);
	for (; n; n--, a++, b++) {
		if (*a != *b)
			return (unsigned char)*a - (unsigned char)*b;
		if (!*a)
			return 0;
	}
	return 0;
}

MODEL int strcoll(const char *a, const char *b)
{
	NATIVE(strcoll, a, b);
	return strcmp(a, b);
}

MODEL int strcasecmp(const char *a, const char *b)
{
	NATIVE(strcasecmp, a, b);
	AT_ONCE(a, b, SIZE_MAX, COMPARE_ALIKE);
	for (;; a++, b++) {
		int x = duct_lower((unsigned char)*a), y = duct_lower((unsigned char)*b);

		if (x != y)
			return x - y;
		if (!x)
			return 0;
	}
}

MODEL int strncasecmp(const char *a, const char *b, size_t n)
{
	NATIVE(strncasecmp, a, b, n);
	AT_ONCE(a, b, n, COMPARE_ALIKE);
	for (; n; n--, a++, b++) {
		int x = duct_lower((unsigned char)*a), y = duct_lower((unsigned char)*b);

		if (x != y)
			return x - y;
		if (!x)
			return 0;
	}
	return 0;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a, *y = b;

	NATIVE(memcmp, a, b, n);
	AT_ONCE(a, b, n, COMPARE_BYTES);
	for (; n; n--, x++, y++)
		if (*x != *y)
			return *x - *y;
	return 0;
}
ALIAS(memcmp)

MODEL int bcmp(const void *a, const void *b, size_t n)
{
	return memcmp(a, b, n);
}
