#include "lib/base/digest.h"

#include <nettle/base16.h>

void digest_begin(struct digest *d)
{
	sha256_init(&d->sha);
}

void digest_add(struct digest *d, const void *data, size_t n)
{
	sha256_update(&d->sha, n, data);
}

void digest_print(const struct digest *d, char text[DIGEST_TEXT])
{
	struct sha256_ctx last = d->sha;
	uint8_t bytes[SHA256_DIGEST_SIZE];

	sha256_digest(&last, sizeof bytes, bytes);
	base16_encode_update(text, sizeof bytes, bytes);
	text[DIGEST_TEXT - 1] = 0;
}
