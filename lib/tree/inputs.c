/* inputs: the values of a run's inputs in few bytes, as each run with an open branch keeps them.
 * For each variable that is set, in order: a byte with the number of bytes of the value and how
 * many variables lie between it and the one before, or FAR when that takes a number of its own;
 * then the bytes of the value, least first. */
#include "lib/tree/inner.h"

#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { LENGTH = 31, FAR = 7, END = 255, MOST = 1 + 5 + 16 };

static size_t put_number(uint8_t *at, uint32_t n)
{
	size_t k = 0;
	for (; n >= 128; n >>= 7)
		at[k++] = (uint8_t)(n | 128);
	at[k++] = (uint8_t)n;
	return k;
}

static size_t put_value(uint8_t *at, struct value v)
{
	size_t k = 0;
	for (; v.lo || v.hi; k++) {
		at[k] = (uint8_t)v.lo;
		v.lo = v.lo >> 8 | v.hi << 56;
		v.hi >>= 8;
	}
	return k;
}

uint8_t *inputs_pack(const struct assignment *from)
{
	uint8_t *to = NULL;
	size_t n = 0, room = 0;
	uint32_t next = 0;
	for (uint32_t i = 0; i < from->n; i++) {
		uint32_t gap = i - next;
		size_t head = n++;
		if (!from->set[i]) {
			n--;
			continue;
		}
		GROW(to, room, n + MOST);
		n += gap < FAR ? 0 : put_number(to + n, gap);
		size_t length = put_value(to + n, from->v[i]);
		to[head] = (uint8_t)(length | (gap < FAR ? gap : FAR) << 5);
		n += length;
		next = i + 1;
	}
	GROW(to, room, n + 1);
	to[n++] = END;
	return resized(to, n, 1);
}

void inputs_unpack(struct assignment *to, const uint8_t *from)
{
	uint32_t i = 0;
	if (to->n)
		memset(to->set, 0, to->n * sizeof *to->set);
	while (*from != END) {
		uint32_t length = *from & LENGTH, gap = *from >> 5;
		struct value v = { 0 };
		from++;
		if (gap == FAR) {
			gap = 0;
			for (int shift = 0;; shift += 7) {
				gap |= (uint32_t)(*from & 127) << shift;
				if (!(*from++ & 128))
					break;
			}
		}
		for (uint32_t k = length; k-- > 0;) {
			v.hi = v.hi << 8 | v.lo >> 56;
			v.lo = v.lo << 8 | from[k];
		}
		from += length;
		i += gap;
		assignment_set(to, i++, v);
	}
}
