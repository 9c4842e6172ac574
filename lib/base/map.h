/* map: 64-bit keys to 32-bit numbers; open addressing. */
#ifndef DUCT_MAP_H
#define DUCT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Empty when it is zero. */
struct map {
	uint64_t *key; /* 0: a free slot */
	uint32_t *value;
	size_t slots, used;
};

void map_close(struct map *m); /* it is empty then */
/* The value of a nonzero key; added with value 0 if new, *fresh tells. The pointer is valid until
 * the next call. */
uint32_t *map_at(struct map *m, uint64_t key, bool *fresh);
uint32_t map_get(const struct map *m, uint64_t key); /* 0: not found */

#endif
