/* grow: growable arrays; out of memory aborts the program. */
#ifndef DUCT_GROW_H
#define DUCT_GROW_H

#include <stddef.h>

/* Grows the array to at least `need` items of `size` bytes; *cap: its capacity in items. New items
 * are zero. Aborts when out of memory. The caller frees the result. */
void *grow(void *array, size_t *cap, size_t need, size_t size);

#endif
