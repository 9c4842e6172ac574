/* Standard input: commands of a letter and a key of up to seven characters: a adds it, r replaces it, d deletes it,
 * g gets it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dict.h"

unsigned int hash(const void *key)
{
	return dictGenHashFunction(key, (int)strlen(key));
}

void *copy(void *unused, const void *key)
{
	return strdup(key);
}

int same(void *unused, const void *a, const void *b)
{
	return !strcmp(a, b);
}

void drop(void *unused, void *key)
{
	free(key);
}

int main(void)
{
	dictType type = { hash, copy, NULL, same, drop, NULL };
	dict *d = dictCreate(&type, NULL);
	dictIterator *i;
	dictEntry *e;
	char letter, key[8];

	while (scanf(" %c%7s", &letter, key) == 2) {
		switch (letter) {
		case 'a':
			printf("%d\n", dictAdd(d, key, "added"));
			break;
		case 'r':
			printf("%d\n", dictReplace(d, key, "replaced"));
			break;
		case 'd':
			printf("%d\n", dictDelete(d, key));
			break;
		case 'g':
			e = dictFind(d, key);
			puts(e ? e->val : "none");
		}
	}
	i = dictGetIterator(d);
	while ((e = dictNext(i)))
		printf("%s %s\n", (char *)e->key, (char *)e->val);
	dictReleaseIterator(i);
	dictRelease(d);
	return 0;
}
