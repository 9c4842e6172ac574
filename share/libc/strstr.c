/* Searches for strings and sets, and tokens. */
#define _GNU_SOURCE 1
#include <string.h>

#include "share/libc/model.h"
#include "share/libc/names.h"

static int begins(const char *s, const char *prefix)
{
	for (; *prefix; s++, prefix++)
		if (*s != *prefix)
			return 0;
	return 1;
}

MODEL char *strstr(const char *s, const char *what)
{
	NATIVE(strstr, s, what);
	for (;; s++) {
		if (begins(s, what))
			return (char *)s;
		if (!*s)
			return NULL;
	}
}

static int begins_case(const char *s, const char *prefix)
{
	for (; *prefix; s++, prefix++)
		if (duct_lower((unsigned char)*s) != duct_lower((unsigned char)*prefix))
			return 0;
	return 1;
}

MODEL char *strcasestr(const char *s, const char *what)
{
	NATIVE(strcasestr, s, what);
	for (;; s++) {
		if (begins_case(s, what))
			return (char *)s;
		if (!*s)
			return NULL;
	}
}

MODEL void *memmem(const void *s, size_t n, const void *what, size_t size)
{
	const char *p = s;

	NATIVE(memmem, s, n, what, size);
	for (; n >= size; n--, p++)
		if (!memcmp(p, what, size))
			return (void *)p;
	return NULL;
}

/* Is c in the set? The end of a string never is. One condition, whichever of them it is. */
static int in_set(char c, const char *set)
{
	int in = 0;

	for (; *set; set++)
		in |= c == *set;
	return in;
}

size_t strspn(const char *s, const char *set)
{
	size_t n = 0;

	NATIVE(strspn, s, set);
	while (s[n] && in_set(s[n], set))
		n++;
	return n;
}
ALIAS(strspn)

size_t strcspn(const char *s, const char *set)
{
	size_t n = 0;

	NATIVE(strcspn, s, set);
	while (s[n] && !in_set(s[n], set))
		n++;
	return n;
}
ALIAS(strcspn)

MODEL char *strpbrk(const char *s, const char *set)
{
	NATIVE(strpbrk, s, set);
	s += strcspn(s, set);
	return *s ? (char *)s : NULL;
}

MODEL char *strsep(char **next, const char *set)
{
	char *s = *next, *end;

	NATIVE(strsep, next, set);
	if (!s)
		return NULL;
	end = s + strcspn(s, set);
	if (*end) {
		*end = 0;
		*next = end + 1;
	} else {
		*next = NULL;
	}
	return s;
}

char *strtok_r(char *s, const char *set, char **next)
{
	char *end;

	NATIVE(strtok_r, s, set, next);
	if (!s && duct_rt_node_at(&s, sizeof s) && !duct_rt_is_set(next, sizeof *next))
		duct_read_bytes(s, 1); /* an input that must not be NULL in the first call */
	if (!s)
		s = *next;
	s += strspn(s, set);
	if (!*s) {
		*next = s;
		return NULL;
	}
	end = s + strcspn(s, set);
	*next = *end ? end + 1 : end;
	*end = 0;
	return s;
}
ALIAS(strtok_r)

/* The position is kept here, so that it stays with one implementation for a whole run. */
MODEL char *strtok(char *s, const char *set)
{
	static char *next;

	if (!next && !duct_rt_symbolic(&s, sizeof s) && !s)
		duct_need_earlier("strtok");
	if (!next) /* no text to go on with */
		duct_read_bytes(s, 1);
	return strtok_r(s, set, &next);
}
