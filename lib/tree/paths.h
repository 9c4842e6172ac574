/* paths: a set of path identities (64-bit hashes). */
#ifndef DUCT_PATHS_H
#define DUCT_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct paths {
	uint64_t *at;
	size_t n, capacity;
	bool failed;
}; /* zero-initialised: empty */

/* Extends an identity by one value. */
uint64_t paths_mix(uint64_t identity, uint64_t value);
/* True if the identity is new. Out of memory: sets `failed`, returns false. */
bool paths_add(struct paths *p, uint64_t identity);
void paths_clear(struct paths *p);

#endif
