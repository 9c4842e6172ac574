/* Compresses a text by references to what came before (a chain of positions for each hash of three bytes), and unpacks
 * it again. */
#include "tests/bench/concrete/work.h"
#include <string.h>

#define SIZE (1u << 17)
#define WINDOW 4096u
#define HASHES 4096u
#define LONGEST 66u
#define NONE 0xffffffffu

struct chains { unsigned head[HASHES], before[WINDOW]; };
struct output { unsigned char *at; unsigned used, room; };

static unsigned hash(const unsigned char *p)
{
	return ((p[0] << 8 ^ p[1] << 4 ^ p[2]) * 2654435761u) >> 20;
}

static void put(struct output *o, unsigned byte)
{
	if (o->used < o->room)
		o->at[o->used++] = (unsigned char)byte;
}

static unsigned same(const unsigned char *p, const unsigned char *q, unsigned most)
{
	unsigned n = 0;

	while (n < most && p[n] == q[n])
		n++;
	return n;
}

static unsigned longest(const struct chains *c, const unsigned char *in, unsigned at, unsigned size, unsigned *where)
{
	unsigned best = 0, most = size - at < LONGEST ? size - at : LONGEST, tries = 16;

	for (unsigned i = c->head[hash(in + at)]; i != NONE && at - i < WINDOW && tries--; i = c->before[i % WINDOW]) {
		unsigned n = same(in + i, in + at, most);

		if (n > best) {
			best = n;
			*where = i;
		}
	}
	return best;
}

static void enter(struct chains *c, const unsigned char *in, unsigned at)
{
	unsigned h = hash(in + at);

	c->before[at % WINDOW] = c->head[h];
	c->head[h] = at;
}

static unsigned pack(const unsigned char *in, unsigned size, struct output *o)
{
	static struct chains chains;

	memset(&chains, 0xff, sizeof chains);
	for (unsigned at = 0; at < size;) {
		unsigned where = 0, n = at + 3 < size ? longest(&chains, in, at, size, &where) : 0;

		if (n < 3) {
			n = 1;
			put(o, 0);
			put(o, in[at]);
		} else {
			put(o, n);
			put(o, (at - where) & 255);
			put(o, (at - where) >> 8);
		}
		for (; n--; at++)
			if (at + 3 < size)
				enter(&chains, in, at);
	}
	return o->used;
}

static unsigned unpack(const unsigned char *in, unsigned size, struct output *o)
{
	for (unsigned i = 0; i + 1 < size;) {
		unsigned n = in[i++];

		if (!n) {
			put(o, in[i++]);
			continue;
		}
		unsigned from = o->used - (in[i] | in[i + 1] << 8);

		for (i += 2; n--; from++)
			put(o, o->at[from]);
	}
	return o->used;
}

static void make(unsigned char *text, unsigned n)
{
	static const char *const words[] = { "the ", "quick ", "brown ", "fox ", "jumps ", "over ", "lazy ", "dog.\n" };
	unsigned x = 1, i = 0;

	while (i < n) {
		const char *word = words[(x = x * 1664525 + 1013904223) >> 29];

		while (*word && i < n)
			text[i++] = (unsigned char)*word++;
		if (x >> 20 & 1 && i < n)
			text[i++] = (unsigned char)('0' + (x >> 8) % 10);
	}
}

unsigned work(void)
{
	static unsigned char text[SIZE], packed[2 * SIZE], back[SIZE];
	unsigned sum = 0;

	make(text, SIZE);
	for (unsigned round = 0; round < 96; round++) {
		struct output o = { packed, 0, sizeof packed }, b = { back, 0, sizeof back };
		unsigned n = pack(text, SIZE, &o);

		unpack(packed, n, &b);
		if (b.used != SIZE || memcmp(text, back, SIZE))
			return 0;
		sum = sum * 31 + n;
		text[round & 15] ^= 1;
	}
	return sum;
}
