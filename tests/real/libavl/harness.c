/* Each three bytes are a command and a key of two bytes. */
#include <stdio.h>
#include <stdlib.h>

#include "avl.h"

static int compare(const void *a, const void *b)
{
	unsigned short x = *(const unsigned short *)a, y = *(const unsigned short *)b;

	return x < y ? -1 : x > y;
}

static unsigned short *key(unsigned value)
{
	unsigned short *k = malloc(sizeof *k);

	*k = (unsigned short)value;
	return k;
}

static void command(avl_tree_t *tree, int what, unsigned short k)
{
	unsigned short *item;
	avl_node_t *node;

	switch (what) {
	case 'i':
		item = key(k);
		if (!avl_insert(tree, item))
			free(item);
		break;
	case 'd': avl_delete(tree, &k); break;
	case 's':
		if ((node = avl_search(tree, &k)))
			printf("%u %u\n", k, avl_index(node));
		break;
	case 'n': printf("%d\n", avl_search_closest(tree, &k, &node)); break;
	case 'r':
		if ((node = avl_at(tree, k)))
			printf("%u\n", *(unsigned short *)node->item);
		break;
	case 'b': avl_insert_before(tree, avl_search(tree, &k), avl_init_node(malloc(sizeof *node), key(k))); break;
	case 'a': avl_insert_after(tree, avl_search(tree, &k), avl_init_node(malloc(sizeof *node), key(k))); break;
	case 'f':
		if ((node = avl_search(tree, &k)) && (item = malloc(sizeof *node))) {
			*(avl_node_t *)(void *)item = *node;
			free(avl_fixup_node(tree, (avl_node_t *)(void *)item));
		}
		break;
	case 'c': avl_free_nodes(tree); break;
	}
}

int main(void)
{
	avl_tree_t *tree = avl_alloc_tree(compare, free);
	unsigned char b[3];

	while (fread(b, 1, 3, stdin) == 3)
		command(tree, b[0], (unsigned short)(b[1] << 8 | b[2]));
	printf("%u\n", avl_count(tree));
	avl_free_tree(tree);
	return 0;
}
