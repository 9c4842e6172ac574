/* words: spelling suggestions. */
#ifndef DUCT_WORDS_H
#define DUCT_WORDS_H

#include <stddef.h>

/* Edit distance (insert, delete, replace). Words longer than 64 bytes match nothing. */
size_t words_edits(const char *a, const char *b);
/* Searches the most similar word; `found` is NULL when none is similar enough. */
struct words_search {
	const char *word, *found;
	size_t best;
};
struct words_search words_search(const char *word);
void words_consider(struct words_search *s, const char *candidate);
/* The most similar word of a NULL-terminated list, or NULL. */
const char *words_nearest(const char *word, const char *const *list);

#endif
