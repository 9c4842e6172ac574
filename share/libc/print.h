/* print: printf into memory, as the library models of snprintf and of memory streams use it. */
#ifndef DUCT_PRINT_H
#define DUCT_PRINT_H

#include <stdarg.h>
#include <stddef.h>

#include "share/libc/model.h"

/* Characters come to to[0 .. room-1]; n counts those beyond, too. */
struct print_buffer {
	char *to;
	size_t room, n;
};

#pragma GCC visibility push(hidden)
/* Can the C library print? Where inputs are symbolic, only if nothing of this depends on them; it
 * is called quietly. */
int duct_print_native(const char *f, va_list ap, const void *to, size_t room);
/* Is something symbolic, and does duct_print know the format? Other formats lose symbolic values.
 */
int duct_print_modelled(const char *f);
/* The result of printf. */
int duct_print(struct print_buffer *o, const char *f, va_list ap);
#pragma GCC visibility pop

#endif
