/* digest: SHA-256 as text. Nettle uses the processor's own instructions where it has them. */
#ifndef DUCT_DIGEST_H
#define DUCT_DIGEST_H

#include <nettle/sha2.h>
#include <stddef.h>

enum { DIGEST_TEXT = 2 * SHA256_DIGEST_SIZE + 1 }; /* 64 digits and the terminating 0 */

struct digest {
	struct sha256_ctx sha;
};

void digest_begin(struct digest *d);
void digest_add(struct digest *d, const void *data, size_t n);
/* The digest of everything added so far; more can be added afterwards. */
void digest_print(const struct digest *d, char text[DIGEST_TEXT]);

#endif
