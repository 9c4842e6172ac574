/* entry: find
 * class: lists, NULL
 */
struct node { int v; struct node *next; };

int
find(struct node *l, int v, int **out)
{
	for (; l; l = l->next) {
		if (l->v == v) {
			if (out)
				*out = &l->v;
			return 1;
		}
	}
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	struct node a = { 3, 0 }, b = { 2, &a };
	int *out;

	find(0, 1, 0);
	find(&b, 3, 0);
	find(&b, 3, &out);
	find(&b, 4, &out);
	return 0;
}
#endif
