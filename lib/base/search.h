/* search: binary search in a sorted array. */
#ifndef DUCT_SEARCH_H
#define DUCT_SEARCH_H

#include <stddef.h>

/* The index of the first of n items that does not come before the key; n: all of them do.
 * `compare` as for bsearch(3): negative, zero or positive where the key comes before the item, is
 * equal to it, or comes after it. Compiled into its caller, with the comparison. */
static inline size_t lower_bound(const void *key, const void *array, size_t n, size_t size,
    int (*compare)(const void *key, const void *item))
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare(key, (const char *)array + middle * size) > 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
