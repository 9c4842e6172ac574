/* Functions whose inputs are structures: see structures.t. */
#include <stdio.h>
#include <stdlib.h>

struct node {
	int v;
	struct node *next;
};
struct tree {
	int key;
	struct tree *left, *right;
};

int length(const struct node *l)
{
	int n = 0;

	for (; l; l = l->next)
		n += l->v > 0;
	if (n == 3)
		return 1;
	return 0;
}

static int depth(const struct tree *t)
{
	int l, r;

	if (!t)
		return 0;
	l = depth(t->left);
	r = depth(t->right);
	return (l > r ? l : r) + 1;
}

int height(const struct tree *t)
{
	if (depth(t) > 2)
		return 1;
	if (t && t->left && t->right && t->left->key > t->right->key)
		return 2;
	return 0;
}

int same(struct node *a, struct node *b)
{
	a->v = 1;
	b->v = 2;
	if (a->v == 2)
		return 1;
	return 0;
}

int ring(const struct node *l)
{
	if (l->next == l)
		return 1;
	if (l->next->next == l)
		return 2;
	return 0;
}

int trace(int **m, int n)
{
	int s = 0;

	if (n < 0 || n > 3)
		return -1;
	for (int i = 0; i < n; i++)
		s += m[i][i] == 7;
	if (s == 2)
		return 1;
	return 0;
}

int apply(int (*f)(int), int n)
{
	if (!f)
		return -1;
	if (f(n) == 3 && f(n + 1) == 5)
		return 1;
	return 0;
}

int lines(FILE *in)
{
	int c, n = 0;

	if (!in)
		return -1;
	while ((c = getc(in)) != EOF)
		n += c == '\n';
	if (n == 2)
		return 1;
	return 0;
}

int marks(void *p[], const int *k)
{
	*(char *)p[*k & 1] = 1;
	if (*k == 1)
		return 1;
	return 0;
}

void *given(void *, unsigned long);

int keeps(struct tree **t, int v)
{
	struct tree *now = given(*t, sizeof *now);

	if (!now)
		return 0;
	now->key = v;
	now->left = malloc(sizeof *now);
	*t = now;
	if (v == 5)
		return 2;
	return 1;
}

/* Only the third call gets something to write to. */
int told(void (*cb)(char *))
{
	static const char fixed[] = "fixed";
	char b[2] = { 0 };

	cb(0);
	cb((char *)fixed);
	cb(b);
	return b[0] == 'x' ? b[1] == 'y' ? 7 : 2 : 1;
}
