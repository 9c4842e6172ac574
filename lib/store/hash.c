/* hash: 128 bits over bytes: two multiply-and-fold lanes. Names contents, no secrets. */
#include "lib/store/db.h"

#include <string.h>

void
store_hash_begin(struct store_hash *h)
{
	h->a = 0x9e3779b97f4a7c15u;
	h->b = 0xc2b2ae3d27d4eb4fu;
}

static uint64_t
fold(uint64_t x, uint64_t k)
{
	unsigned __int128 p = (unsigned __int128)x * k;

	return (uint64_t)p ^ (uint64_t)(p >> 64);
}

static void
word(struct store_hash *h, uint64_t w)
{
	uint64_t a = h->a, b = h->b;

	h->a = fold(a ^ w, 0xd6e8feb86659fd93u) + b;
	h->b = fold((b + w) ^ 0xa0761d6478bd642fu, 0xe7037ed1a0b428dbu) ^ (a >> 7);
}

void
store_hash_add(struct store_hash *h, const void *data, size_t n)
{
	const unsigned char *p = data;
	uint64_t w;

	word(h, n);
	for (; n >= 8; n -= 8, p += 8) {
		memcpy(&w, p, 8);
		word(h, w);
	}
	w = 0;
	memcpy(&w, p, n);
	word(h, w);
}

void
store_hash_text(struct store_hash *h, const char *s)
{
	store_hash_add(h, s ? s : "", s ? strlen(s) : 0);
}

void
store_hash_print(const struct store_hash *h, char text[33])
{
	struct store_hash last = *h;

	word(&last, 1);
	word(&last, 2);
	snprintf(text, 33, "%016llx%016llx", (unsigned long long)last.a, (unsigned long long)last.b);
}
