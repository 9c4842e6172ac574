/* Traps of memory: calls that write through pointers, aliasing parameters, symbolic indices, parts of objects,
 * recursion, locals that nothing has written, pointers in structures, unions. */
#include <string.h>

struct item { short kind; union { int whole; unsigned char part[4]; } u; struct item *next; };

static int g, h, table[6];
static struct item items[3];

static void both(int *p, int *q)
{
	*p = 1;
	*q = 2;
	if (*p == 2)
		g = 7;
}

static void deep(int **pp, int n)
{
	if (n > 0)
		deep(pp, n - 1);
	else
		**pp = n;
}

static int fact(int n)
{
	int below = n;
	h = n;
	if (n > 1)
		below = n * fact(n - 1);
	return below + h;
}

static int index_of(int i, int j)
{
	int a[4] = { 0, 1, 2, 3 };
	a[i & 3] = 10;
	a[j & 3] = 20;
	if (a[i & 3] == 10)
		g = i;
	return a[0] + a[(i + j) & 3];
}

static int parts(int v)
{
	struct item it;
	it.u.whole = v;
	it.u.part[1] = 5;
	it.kind = 3;
	if (it.u.whole == v)
		h = 1;
	items[v & 1].u = it.u;
	items[1] = it;
	return items[v & 1].u.part[0] + items[0].kind;
}

static int unset(int n)
{
	int x, y = 0;
	if (n > 2)
		x = 4;
	if (n > 1)
		y = x;
	return y;
}

static int chain(int n)
{
	struct item *at = &items[0];
	int sum = 0;
	items[0].next = &items[n & 1 ? 1 : 2];
	items[1].next = items[2].next = 0;
	items[1].kind = (short)n;
	items[2].kind = 9;
	while (at) {
		at->u.whole = sum;
		sum += at->kind;
		at = at->next;
	}
	return sum + items[2].u.whole;
}

int test(int n, int k)
{
	int x = n, y = k, *p = n > k ? &x : &y, buffer[4];
	both(p, &x);
	y += x;
	deep(&p, n & 1);
	y -= *p;
	memset(buffer, n & 1, sizeof buffer);
	buffer[k & 3] = 3;
	table[n & 3] = buffer[1];
	memcpy(table + 1, buffer, sizeof buffer);
	for (int *e = table; e < table + 6; e++)
		if (*e == k)
			*e = x;
	return fact(n & 3) + index_of(n, k) + parts(n) + (n > 2 ? unset(n) : 0) + chain(k) + table[n & 3] + y + g + h;
}
