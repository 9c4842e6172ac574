/* grow: growable arrays, and allocations that never return NULL: when memory is out, the program
 * ends with a message. */
#ifndef DUCT_GROW_H
#define DUCT_GROW_H

#include <stdarg.h>
#include <stddef.h>

/* Says "NAME: out of memory" on stderr and ends the process with status 4. */
_Noreturn void no_memory(void);
/* From now on no_memory raises SIGABRT, without a message: for worker processes, whose parent
 * treats it like an abort of a library. */
void no_memory_aborts(void);
/* Room for n items, zero; never NULL. The caller frees it. */
void *zeroed(size_t n, size_t size);

/* A copy of a text; never NULL. The caller frees it. */
char *copied(const char *text);
/* The text of a format; never NULL. The caller frees it. */
char *formatted(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *formatted_list(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));

/* Grows the array to at least `need` items of `size` bytes; *cap: its capacity in items. New items
 * are zero. The caller frees the result. */
void *grow(void *array, size_t *cap, size_t need, size_t size);
#define GROW(array, cap, need) ((array) = grow((array), &(cap), (need), sizeof *(array)))
/* The same for an array that keeps no capacity: room for one more behind its n items. The capacity
 * follows from n: 8, then powers of two. The new item is zero. */
void *grow_one(void *array, size_t n, size_t size);
/* Adds an item to such an array, zero; a pointer to it. */
#define PUSH(array, n) ((array) = grow_one((array), (n), sizeof *(array)), &(array)[(n)++])

#endif
