/* equal: compares n bytes without a branch, so that symbolic ones make a single condition. */
#ifndef DUCT_EQUAL_BYTES_H
#define DUCT_EQUAL_BYTES_H

#include <stddef.h>

static inline int equal_bytes(const char *a, const char *b, size_t n)
{
	unsigned char difference = 0;

	for (size_t i = 0; i < n; i++)
		difference |= (unsigned char)(a[i] ^ b[i]);
	return !difference;
}

#endif
