/* arena: the memory of one trace; freed as a whole. For lib/trace and lib/run. */
#ifndef DUCT_TRACE_ARENA_H
#define DUCT_TRACE_ARENA_H

#include "lib/trace/trace.h"

/* Bytes aligned to 16, not zeroed; never NULL, as in lib/base/grow.h. */
void *arena_alloc(struct trace *t, size_t n);
char *arena_text(struct trace *t, const char *s, size_t n); /* NUL-terminated copy */
/* Grows an array of n elements of `size` bytes by one; the array must only be grown by this
 * function. */
void *arena_grow(struct trace *t, void *array, size_t n, size_t size);

#endif
