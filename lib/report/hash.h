/* hash: private to lib/report: FNV-1a, 64 bits (Fowler, Noll, Vo). */
#ifndef DUCT_REPORT_HASH_H
#define DUCT_REPORT_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START 0xcbf29ce484222325u

static inline uint64_t hash_add(uint64_t h, const void *data, size_t n)
{
	for (const unsigned char *s = data; n; n--)
		h = (h ^ *s++) * 0x100000001b3u;
	return h;
}

#endif
