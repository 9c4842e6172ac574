#include "lib/base/words.h"

#include <string.h>

#define LONGEST 64

size_t words_edits(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b), row[LONGEST + 1];
	if (n > LONGEST || m > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= m; j++)
		row[j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t diagonal = row[0];
		row[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t best = diagonal + (a[i - 1] != b[j - 1]);
			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[m];
}

struct words_search words_search(const char *word)
{
	size_t third = strlen(word) / 3;
	return (struct words_search){ word, NULL, (third > 2 ? third : 2) + 1 };
}

void words_consider(struct words_search *s, const char *candidate)
{
	size_t d = words_edits(s->word, candidate);
	if (d < s->best) {
		s->best = d;
		s->found = candidate;
	}
}

const char *words_nearest(const char *word, const char *const *list)
{
	struct words_search s = words_search(word);
	for (; *list; list++)
		words_consider(&s, *list);
	return s.found;
}
