/* The number of bytes of a text that a C library function reads, by the table lib/clib, found by
 * the same steps as in the function. */
#include "lib/runtime/rt.h"

/* A text, and the number of bytes from there to the end of its object. */
struct bounded_text {
	const char *at;
	size_t room;
};

/* A byte of the text; a byte of an object that grows becomes an input. */
static char byte(struct bounded_text t, size_t i)
{
	if (duct_may_grow((uintptr_t)t.at + i, 1))
		duct_grow_read((uintptr_t)t.at + i, 1);
	return t.at[i];
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool alike(char a, char b, bool fold)
{
	return fold ? lower(a) == lower(b) : a == b;
}

static size_t length(struct bounded_text t, size_t most)
{
	size_t i = 0;

	while (i < t.room && i < most && byte(t, i))
		i++;
	return i;
}

/* The whole text with its terminator, if that lies within `most` bytes. */
static size_t whole(struct bounded_text t, size_t most)
{
	size_t n = length(t, most);

	return n == most ? n : n + 1;
}

/* Up to the character, or up to the terminator if that counts. */
static size_t until(struct bounded_text t, char c, size_t most, bool ends)
{
	size_t i = 0;

	while (i < t.room && i < most && byte(t, i) != c && (byte(t, i) || !ends))
		i++;
	return i == most ? i : i + 1;
}

static size_t same(struct bounded_text t, struct bounded_text u, size_t most, bool fold)
{
	size_t i = 0;

	while (i < t.room && i < u.room && i < most && byte(t, i)
	    && alike(byte(t, i), byte(u, i), fold))
		i++;
	return i == most || (i == u.room && i < t.room) ? i : i + 1;
}

static bool is_in(char c, struct bounded_text set)
{
	for (size_t i = 0; i < set.room && byte(set, i); i++)
		if (set.at[i] == c)
			return true;
	return false;
}

/* Up to the first character that is in the set, or is not. */
static size_t span(struct bounded_text t, struct bounded_text set, bool in)
{
	size_t i = 0;

	while (i < t.room && byte(t, i) && is_in(byte(t, i), set) == in)
		i++;
	return i + 1;
}

/* As far as a search for the text u reads; it begins anew at each character. */
static size_t search(struct bounded_text t, struct bounded_text u, bool fold)
{
	size_t far = 0;

	for (size_t i = 0; i < t.room; i++) {
		size_t k = 0;

		while (k < u.room && byte(u, k) && i + k < t.room
		    && alike(byte(t, i + k), byte(u, k), fold))
			k++;
		if (k == u.room || !byte(u, k))
			return far > i + k ? far : i + k;
		if (i + k == t.room)
			break;
		far = far > i + k + 1 ? far : i + k + 1;
		if (!byte(t, i))
			return far;
	}
	return t.room + 1;
}

size_t duct_extent(
    enum duct_touch how, const char *p, size_t room, const char *q, size_t other, size_t n)
{
	struct bounded_text t = { p, room }, u = { q, other };

	switch (how) {
	case TOUCH_BYTES: return n;
	case TOUCH_TEXT: return whole(t, SIZE_MAX);
	case TOUCH_TEXT_N: return whole(t, n);
	case TOUCH_UNTIL: return until(t, (char)n, SIZE_MAX, true);
	case TOUCH_FIND: return until(t, (char)n, SIZE_MAX, false);
	case TOUCH_FIND_N: return until(t, (char)(uintptr_t)q, n, false);
	case TOUCH_SAME: return same(t, u, SIZE_MAX, false);
	case TOUCH_SAME_N: return same(t, u, n, false);
	case TOUCH_ALIKE: return same(t, u, SIZE_MAX, true);
	case TOUCH_ALIKE_N: return same(t, u, n, true);
	case TOUCH_SPAN: return span(t, u, true);
	case TOUCH_SPAN_NOT: return span(t, u, false);
	case TOUCH_SEARCH: return search(t, u, false);
	case TOUCH_SEARCH_ALIKE: return search(t, u, true);
	case TOUCH_COPY: return whole(u, SIZE_MAX);
	case TOUCH_APPEND: return length(t, SIZE_MAX) + length(u, SIZE_MAX) + 1;
	case TOUCH_APPEND_N: return length(t, SIZE_MAX) + length(u, n) + 1;
	case TOUCH_MODELLED: break;
	}
	return 0;
}
