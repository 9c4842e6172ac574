#include "lib/clib/clib.h"

#include <stddef.h>

/* Order of the first n characters of a name and of a whole one. */
static int order(const char *name, size_t n, const char *whole)
{
	size_t i = 0;

	while (i < n && name[i] == whole[i])
		i++;
	return i < n ? (unsigned char)name[i] - (unsigned char)whole[i] : -(whole[i] != 0);
}

static const struct clib *find(const char *name, size_t n)
{
	size_t low = 0, high = clib_rows;

	while (low < high) {
		size_t middle = (low + high) / 2;
		int c = order(name, n, clib_table[middle].name);

		if (!c)
			return &clib_table[middle];
		if (c < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

static bool is_in(char c, const char *list)
{
	while (*list && *list != c)
		list++;
	return *list;
}

static size_t length(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	return n;
}

static bool begins(const char *name, const char *with)
{
	while (*with && *name == *with)
		name++, with++;
	return !*with;
}

static bool ends(const char *name, size_t n, const char *with, size_t k)
{
	return n > k && begins(name + n - k, with);
}

static const char *without_prefix(const char *name)
{
	static const char *const prefix[] = { "__isoc99_", "__isoc23_", "__" };

	for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++)
		if (begins(name, prefix[i]))
			return name + length(prefix[i]);
	return name;
}

const struct clib *clib_find(const char *name)
{
	static const char endings[][11] = { "664", "u_unlocked", "l_l", "ff", "fl", "ff32", "ff32x",
		"ff64", "ff64x", "ff128" };
	const char *base = without_prefix(name);
	size_t n = length(base);
	const struct clib *c = find(name, length(name));

	if (!c && base != name)
		c = find(base, n);
	for (size_t i = 0; !c && i < sizeof endings / sizeof *endings; i++) {
		char ending[11] = { 0 };

		for (size_t k = 1; k < sizeof *endings && endings[i][k]; k++)
			ending[k - 1] = endings[i][k];
		if (ends(base, n, ending, length(ending)))
			c = find(base, n - length(ending));
		if (c && !is_in(endings[i][0], c->also))
			c = NULL;
	}
	return c;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads an entry; what follows it. */
static const char *entry(const char *s, struct clib_arg *e)
{
	*e = (struct clib_arg){ *s++, 0, -1, -1 };
	if (is_digit(*s)) {
		e->extent = '#';
		e->a = (int16_t)(*s++ - '0');
	} else if (*s == '.') {
		e->extent = *s++;
		for (e->a = 0; is_digit(*s); s++)
			e->a = (int16_t)(e->a * 10 + *s - '0');
	} else if (*s >= 'A' && *s <= 'Z') {
		e->extent = *s++;
		if (is_digit(*s))
			e->a = (int16_t)(*s++ - '0');
		if (is_digit(*s))
			e->b = (int16_t)(*s++ - '0');
	}
	return s;
}

unsigned clib_args(const struct clib *c)
{
	struct clib_arg e;
	unsigned n = 0;

	for (const char *s = c->args; *s; n++)
		s = entry(s, &e);
	return n ? n : 1;
}

struct clib_arg clib_arg(const struct clib *c, unsigned i)
{
	const char *s = c->args;
	struct clib_arg e;

	do
		s = entry(s, &e);
	while (*s && i--);
	return e;
}

struct clib_most clib_most(struct clib_arg e)
{
	switch (e.extent) {
	case '#': return (struct clib_most){ 1, e.a, -1, true };
	case '.': return (struct clib_most){ e.a, -1, -1, true };
	case 'X': return (struct clib_most){ 1, e.a, e.b, true };
	case 'R': return (struct clib_most){ 1, e.a, e.b, false };
	case 'B':
	case 'L':
	case 'N':
	case 'S': return (struct clib_most){ e.a >= 0, e.a, -1, false };
	case 'D':
	case 'E':
	case 'M': return (struct clib_most){ e.b >= 0, e.b, -1, false };
	case 'V': return (struct clib_most){ 1, e.b < 0 ? e.a : e.b, -1, false };
	default: return (struct clib_most){ 0, -1, -1, false };
	}
}

enum clib_written clib_written(const struct clib *c, uint64_t result)
{
	int32_t low = (int32_t)result;
	bool failed = c->fails[0] == '-' ? low < 0
	    : c->fails[0] == '<'         ? low <= 0
	    : c->fails[0] == '0'         ? result == 0
	    : c->fails[0] == '+'         ? result != 0
	                                 : c->fails[0] && low == -1;

	return !failed ? CLIB_WRITES : c->fails[0] == '?' ? CLIB_MAYBE : CLIB_NOTHING;
}

bool clib_does(const struct clib *c, const char *letters)
{
	for (const char *p = c->does; *p; p++)
		if (is_in(*p, letters))
			return true;
	return false;
}

bool clib_has(const struct clib *c, const char *accesses)
{
	for (const char *s = c->args; *s;) {
		struct clib_arg e;

		s = entry(s, &e);
		if (is_in(e.access, accesses))
			return true;
	}
	return false;
}

bool clib_extends(const struct clib *c, const char *extents)
{
	for (const char *s = c->args; *s;) {
		struct clib_arg e;

		s = entry(s, &e);
		if (e.extent && is_in(e.extent, extents))
			return true;
	}
	return false;
}

const char *clib_object(const struct clib *c, unsigned *n)
{
	const char *name = without_prefix(c->name);

	*n = (unsigned)(length(name) - length("_location"));
	return is_in('o', c->points) ? name : NULL;
}

bool clib_is_local(const struct clib *c)
{
	return !*c->asks && !*c->state && !clib_has(c, "ck") && !clib_does(c, "2jpPlthsm");
}
