/* libc: what the C library here defines. */
#ifndef DUCT_LIBC_H
#define DUCT_LIBC_H

#include <stdbool.h>

/* Does it, mathematics included, define this function or variable? */
bool libc_has(const char *name);

#endif
