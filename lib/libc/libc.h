/* libc: symbols of the installed C library, and of other installed libraries. */
#ifndef DUCT_LIBC_H
#define DUCT_LIBC_H

#include <stdbool.h>
#include <stddef.h>

/* Does the C library (including libm) define this function or variable? */
bool libc_has(const char *name);

/* The folder of the C library, which others lie in, too; malloc'd, or NULL. */
char *libc_folder(void);

/* Which of n functions does the shared library `path` define? None where it cannot be read, is no
 * such library or is larger than 4 MiB. */
void library_defines(const char *path, const char *const *name, size_t n, bool *has);

#endif
