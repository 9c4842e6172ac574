/* Standard input: commands of a letter and a key of up to three letters of a to h and a space: s stores the key, d
 * deletes it, g gets it, p lists what begins with it. */
#include <stdio.h>

#include "datrie/trie.h"

static Bool list(const AlphaChar *key, TrieData data, void *count)
{
	(void)key;
	*(int *)count += data;
	return TRUE;
}

static void command(Trie *t, int letter, AlphaChar *key)
{
	TrieData data = 0;
	TrieState *s;
	Bool found;

	switch (letter) {
	case 's':
		printf("%d\n", trie_store(t, key, 1 + (TrieData)key[0]));
		break;
	case 'd':
		printf("%d\n", trie_delete(t, key));
		break;
	case 'g':
		found = trie_retrieve(t, key, &data);
		printf("%d %d\n", found, data);
		break;
	case 'p':
		s = trie_root(t);
		for (; *key && trie_state_walk(s, *key); key++)
			;
		printf("%d %d\n", *key != 0, trie_state_is_terminal(s));
		trie_state_free(s);
		break;
	}
}

int main(void)
{
	AlphaMap *map = alpha_map_new();
	AlphaChar key[4];
	Trie *t;
	int letter, c, sum = 0;

	alpha_map_add_range(map, 'a', 'h');
	t = trie_new(map);
	while ((letter = getchar()) != EOF) {
		int n = 0;
		while ((c = getchar()) != EOF && c != ' ')
			if (n < 3)
				key[n++] = (AlphaChar)c;
		key[n] = 0;
		command(t, letter, key);
	}
	trie_enumerate(t, list, &sum);
	printf("%d\n", sum);
	trie_free(t);
	alpha_map_free(map);
	return 0;
}
