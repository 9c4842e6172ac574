/* hash: SHA-256 of a sequence of pieces, each preceded by its length. */
#include "lib/store/db.h"

#include <string.h>

void store_hash_begin(struct store_hash *h)
{
	digest_begin(&h->all);
}

void store_hash_add(struct store_hash *h, const void *data, size_t n)
{
	uint64_t length = n;

	digest_add(&h->all, &length, sizeof length);
	digest_add(&h->all, data, n);
}

void store_hash_text(struct store_hash *h, const char *s)
{
	store_hash_add(h, s ? s : "", s ? strlen(s) : 0);
}

void store_hash_print(const struct store_hash *h, char text[STORE_HASH_TEXT])
{
	digest_print(&h->all, text);
}
