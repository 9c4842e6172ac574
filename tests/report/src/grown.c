/* Lists, a callback, memory that is freed, an array of unknown length: what tests have to build. */
#include <stdlib.h>

struct node { int v; struct node *next; };

int find(struct node *l, int v, int **out)
{
	for (; l; l = l->next)
		if (l->v == v) {
			if (out)
				*out = &l->v;
			return 1;
		}
	return 0;
}

void reverse(struct node **l)
{
	struct node *r = NULL, *n;

	for (; *l; *l = n) {
		n = (*l)->next;
		(*l)->next = r;
		r = *l;
	}
	*l = r;
}

int drop(struct node *l)
{
	int n = 0;

	while (l) {
		struct node *t = l->next;
		free(l);
		l = t;
		n++;
	}
	return n > 1;
}

int sum(const int *a, unsigned n)
{
	int s = 0;

	if (n > 3)
		return -1;
	for (unsigned i = 0; i < n; i++)
		s += a[i] > 0 ? a[i] : 0;
	if (s == 7)
		return 1;
	return 0;
}

int ask(int (*f)(int, const char *), int n)
{
	if (n < 0 || n > 3)
		return -1;
	for (int i = 0; i < n; i++)
		if (f(i, "x") == 12)
			return i;
	return n;
}
