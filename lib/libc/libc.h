/* libc: symbols of the installed C library. */
#ifndef DUCT_LIBC_H
#define DUCT_LIBC_H

#include <stdbool.h>

/* Does the C library (including libm) define this function or variable? */
bool libc_has(const char *name);

#endif
