/* grow: growable arrays; out of memory aborts the program. */
#ifndef DUCT_GROW_H
#define DUCT_GROW_H

#include <stddef.h>

/* Grows the array to at least `need` items of `size` bytes; *cap: its capacity in items. New items
 * are zero. Aborts when out of memory. The caller frees the result. */
void *grow(void *array, size_t *cap, size_t need, size_t size);
/* The same for an array that keeps no capacity: room for one more behind its n items. The capacity
 * follows from n: 8, then powers of two. The new item is zero. */
void *grow_one(void *array, size_t n, size_t size);
/* Adds an item to such an array, zero; a pointer to it. */
#define PUSH(array, n) ((array) = grow_one((array), (n), sizeof *(array)), &(array)[(n)++])

#endif
