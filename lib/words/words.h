/* words: what a mistyped word may have been meant to be. */
#ifndef DUCT_WORDS_H
#define DUCT_WORDS_H

#include <stddef.h>

/* Edit distance (insert, delete, replace); words longer than 64 bytes are far from all. */
size_t words_edits(const char *a, const char *b);
/* A search for the nearest word: `found` is NULL when none considered was near enough. */
struct words_search { const char *word, *found; size_t best; };
struct words_search words_search(const char *word);
void words_consider(struct words_search *s, const char *candidate);
/* The word of a NULL-terminated list that is nearest, or NULL. */
const char *words_nearest(const char *word, const char *const *list);

#endif
