/* map: numbers to numbers by open addressing. */
#ifndef DUCT_MAP_H
#define DUCT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map { uint64_t *key; uint32_t *value; size_t mask, used; };   /* key 0: empty */

bool map_open(struct map *m);                /* false when out of memory; close it all the same */
void map_close(struct map *m);
/* The value of a key, which is not 0; made 0 when it was not there, *fresh says so. Valid until the next
 * call. NULL when out of memory. */
uint32_t *map_at(struct map *m, uint64_t key, bool *fresh);
uint32_t map_get(const struct map *m, uint64_t key);         /* 0 when it is not there */

#endif
