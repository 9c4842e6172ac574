/* The parts of the shell that dash's arithmetic needs, in place of its own headers. */
#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#define is_in_name(c) ((c) == '_' || isalnum((unsigned char)(c)))
#define strtoimax decimal
#define mempcpy(to, from, size) (&spare)         /* there is one variable, whatever its name */

extern char spare;
_Noreturn void sh_error(const char *format, ...);
void *stalloc(size_t size);
intmax_t lookupvarint(const char *name);
intmax_t setvarint(const char *name, intmax_t value, int flags);
intmax_t decimal(const char *text, char **end, int base);
