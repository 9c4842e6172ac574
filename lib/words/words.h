/* words: what a mistyped word may have been meant to be. */
#ifndef DUCT_WORDS_H
#define DUCT_WORDS_H

#include <stddef.h>

/* Edit distance (insert, delete, replace); words longer than 64 bytes are far from all. */
size_t words_edits(const char *a, const char *b);
/* The word of a NULL-terminated list that is nearest, or NULL when none is near enough. */
const char *words_nearest(const char *word, const char *const *list);

#endif
