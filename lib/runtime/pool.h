/* pool: a table of elements that only grows, found again by their content. Elements are of one
 * size, a multiple of four bytes, and have no padding. */
#ifndef DUCT_RUNTIME_POOL_H
#define DUCT_RUNTIME_POOL_H

#include "lib/runtime/rt.h"

struct pool {
	void *element;
	uint32_t *slot, n, room, mask;
};

void *duct_pool_element(const struct pool *p, uint32_t i, size_t size);
/* Where the index of the element, plus 1, is or would be entered; 0 there: it is new. Only of a
 * table that is not empty. */
uint32_t *duct_pool_slot(const struct pool *p, const void *key, size_t size);
/* The index of the element, which is copied when it is new (*fresh). */
uint32_t duct_pool_intern(struct pool *p, const void *key, size_t size, bool *fresh);

#endif
