/* Lengths and comparisons of wide strings, and searches for a wide character. */
#define _GNU_SOURCE 1
#include <wchar.h>

#include "share/libc/model.h"
#include "share/libc/names.h"

MODEL size_t wcslen(const wchar_t *s)
{
	size_t n = 0;

	NATIVE(wcslen, s);
	while (s[n])
		n++;
	return n;
}

MODEL size_t wcsnlen(const wchar_t *s, size_t max)
{
	size_t n = 0;

	NATIVE(wcsnlen, s, max);
	while (n < max && s[n])
		n++;
	return n;
}

MODEL wchar_t *wcschr(const wchar_t *s, wchar_t c)
{
	NATIVE(wcschr, s, c);
	for (; *s != c; s++)
		if (!*s)
			return NULL;
	return (wchar_t *)s;
}

MODEL int wcscmp(const wchar_t *a, const wchar_t *b)
{
	NATIVE(wcscmp, a, b);
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a < *b ? -1 : *a > *b;
}

MODEL int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n)
{
	NATIVE(wcsncmp, a, b, n);
	for (; n && *a && *a == *b; n--) {
		a++;
		b++;
	}
	return !n ? 0 : *a < *b ? -1 : *a > *b;
}
