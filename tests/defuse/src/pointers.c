/* Pointers: to locals, parameters, globals, elements, functions, pointers; lists on the heap. */
#include <stdlib.h>

struct node { int value; struct node *next; };

static int a, b, *shared = &a;
static int numbers[8];
static struct node *head;

static void set(int *p, int v) { *p = v; }
static int *choose(int n) { return n > 0 ? &a : n < -2 ? &b : &numbers[3]; }
static int twice(int n) { a++; return 2 * n + a; }
static int less(int n) { b = n; return n - b / 2; }
static int (*const functions[])(int) = { twice, less };

static void push(int v)
{
	struct node *n = malloc(sizeof *n);
	n->value = v;
	n->next = head;
	head = n;
}

static int drop(struct node **at)
{
	struct node *n = *at;
	int v;
	if (!n)
		return 0;
	v = n->value;
	*at = n->next;
	n->value = -1;
	return v;
}

static void exchange(int **p, int **q)
{
	int *r = *p;
	*p = *q;
	*q = r;
}

int test(int n, int k)
{
	int x = n, y = k, *p = &x, *q = choose(k), **pp = n > k ? &p : &q;
	int (*f)(int) = functions[n & 1];
	set(&x, k);
	set(q, n);
	*p += y;
	exchange(&p, pp);
	**pp = 4;
	if (*p > *q)
		shared = p;
	*shared = 9;
	for (int *e = numbers; e < numbers + 8; e++)
		*e = *p + (int)(e - numbers);
	q = &numbers[n & 7];
	q[-1 + (n & 7 ? 0 : 1)] = y;
	for (int i = 0; i < (k & 3); i++)
		push(numbers[i]);
	if (n & 2)
		y = drop(&head);
	while (head && head->value != n)
		y += drop(&head);
	y += f(x);
	f = f == twice ? less : twice;
	y += f(y) + *shared + numbers[5] + b;
	head = NULL;
	shared = &a;
	return x + y;
}
