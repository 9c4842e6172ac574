/* grow: arrays that grow as they are filled, where being out of memory ends the program. */
#ifndef DUCT_GROW_H
#define DUCT_GROW_H

#include <stddef.h>

/* The array with room for `need` items of `size` bytes, moved when *cap, the items it has room for, was less; what is
 * new is zero. Aborts when out of memory. The caller frees it. */
void *grow(void *array, size_t *cap, size_t need, size_t size);

#endif
