/* utf8: characters of texts that others chose. */
#ifndef DUCT_UTF8_H
#define DUCT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Length of a UTF-8 character in bytes; 0: invalid, including overlong forms and surrogates. */
size_t utf8_length(const char *s);
/* Would a terminal obey the character, or byte, at s? */
bool utf8_is_control(const char *s);
/* Replaces control characters by `?`, in place. */
void utf8_tidy(char *s);
/* Writes n bytes of text; control characters but newlines and tabs as numeric escapes. */
void utf8_show(FILE *f, const char *s, size_t n);

#endif
