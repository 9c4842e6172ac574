/* grow: memory. Growable arrays, copies, and texts that are written as streams.
 *
 * One rule for memory: a filter that gets none ends with status 4 and a message that says how much
 * it asked for and which limit is in force (no_memory); sessions and their workers do the same, and
 * the store keeps what was committed. So nothing in lib/ and tools/ calls malloc() and its kin,
 * none of these functions returns NULL, and no other function returns an error for want of memory.
 * Readers of bytes that nobody vouches for compare a count with what is there before they ask for
 * as much. tests/source/memory.t lists the exceptions, each with its reason. */
#ifndef DUCT_GROW_H
#define DUCT_GROW_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* Says "NAME: out of memory: cannot get N bytes", with the limit on addresses if there is one, and
 * ends the process with status 4. asked: 0: not known. */
_Noreturn void no_memory(size_t asked);
/* From now on no_memory raises SIGABRT, without a message: for worker processes, whose parent
 * treats it like an abort of a library. */
void no_memory_aborts(void);
/* The caller frees what these functions return. */
#define NEVER_NULL __attribute__((returns_nonnull, warn_unused_result))
/* Room for n items: zero; of any content; an array with another room. */
NEVER_NULL void *zeroed(size_t n, size_t size);
NEVER_NULL void *reserved(size_t n, size_t size);
NEVER_NULL void *reserved_aligned(size_t alignment, size_t n, size_t size); /* of any content */
NEVER_NULL void *resized(void *array, size_t n, size_t size);

/* A copy of a text; of its first n characters at most. */
NEVER_NULL char *copied(const char *text);
NEVER_NULL char *copied_part(const char *text, size_t n);
/* The text of a format. */
NEVER_NULL char *formatted(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
NEVER_NULL char *formatted_list(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));
/* A stream that writes into *text, of *size characters and NUL, as open_memstream(); both are valid
 * after fflush() and fclose(). */
NEVER_NULL FILE *text_stream(char **text, size_t *size);

/* Grows the array to at least `need` items of `size` bytes; *cap: its capacity in items. New items
 * are zero. */
void *grow(void *array, size_t *cap, size_t need, size_t size);
#define GROW(array, cap, need) ((array) = grow((array), &(cap), (need), sizeof *(array)))
/* The same for an array that keeps no capacity: room for one more behind its n items. The capacity
 * follows from n: 8, then powers of two. The new item is zero. */
NEVER_NULL void *grow_one(void *array, size_t n, size_t size);
/* Adds an item to such an array, zero; a pointer to it. */
#define PUSH(array, n) ((array) = grow_one((array), (n), sizeof *(array)), &(array)[(n)++])

#endif
