/* Memory in all shapes: symbolic indices and pointers, structures copied whole and by part,
 * unaligned and overlapping accesses, floats beside inputs, atomics. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "share/duct.h"

struct node { struct node *next; int key; short s[3]; };
struct packed { char c; int i; long l; } __attribute__((packed));
static struct node pool[16];
static uint8_t bytes[64];
static int grid[4][5];
static const char text[] = "a constant table of characters";
static _Atomic int counter;
static long total;

static struct node *build(uint64_t x)
{
	struct node *list = NULL;
	for (int i = 0; i < 6; i++) {
		struct node *n = &pool[i];
		n->key = (int)(x >> (i * 5)) & 31;
		n->s[i % 3] = (short)(n->key * 3);
		struct node **at = &list;
		while (*at && (*at)->key < n->key)
			at = &(*at)->next;
		n->next = *at;
		*at = n;
	}
	return list;
}

static long walk(const struct node *n)
{
	long t = 0;
	for (; n; n = n->next)
		t = t * 7 + n->key + n->s[1];
	return t;
}

static long overlap(uint64_t x)
{
	memcpy(bytes + 3, &x, 8);
	bytes[5] ^= 0x5a;
	uint32_t w;
	memcpy(&w, bytes + 4, 4);
	uint16_t h = *(uint16_t *)(void *)(bytes + 7);
	memmove(bytes + 4, bytes + 3, 20);
	memset(bytes + 9, (int)x, 3);
	uint64_t y;
	memcpy(&y, bytes + 2, 8);
	return (long)(w + h + y);
}

static long indices(uint64_t x, uint64_t y)
{
	for (int i = 0; i < 20; i++)
		grid[i / 5][i % 5] = i;
	grid[x & 3][y % 5] = (int)x;
	grid[1][2]++;
	int *p = &grid[0][0] + (x + y) % 20, *q = &grid[y & 3][1];
	*q += *p;
	const char *t = text + x % sizeof text;
	int ch = *t;
	struct packed a[3] = {{1, 2, 3}}, b;
	a[1].i = (int)y;
	a[x % 3].l = 77;
	b = a[1];
	a[2] = b;
	return *p * 3 + *q + ch + a[y % 3].i + b.l + a[2].c + (p < q) + (q - &grid[0][0]);
}

static long floats(uint64_t x)
{
	union { double d; uint64_t u; float f[2]; } v;
	v.u = x;
	double e = 1.5;
	v.f[0] = 2.0f;
	uint64_t out = v.u;
	v.d = e * 2;
	return (long)(out >> 40) + (long)v.d;
}

static long atomics(int x)
{
	counter = x;
	atomic_fetch_add(&counter, 3);
	int old = atomic_exchange(&counter, x * 2), want = x * 2;
	atomic_compare_exchange_strong(&counter, &want, 9);
	__sync_fetch_and_xor(&total, x);
	__atomic_fetch_and(&total, 0xffff, __ATOMIC_RELAXED);
	return old + counter + want + total;
}

static int recurse(int n, int *best)
{
	int mine[4];
	for (int i = 0; i < 4; i++)
		mine[i] = n + i;
	if (n <= 0)
		return *best;
	if (mine[n & 3] > *best)
		*best = mine[n & 3];
	return recurse(n - 1, best) + mine[1];
}

static int growing(int n)
{
	int *p = NULL, t = 0;
	for (int i = 0; i < n; i++) {
		p = realloc(p, (size_t)(i + 1) * sizeof *p);
		p[i] = i * n;
	}
	for (int i = 0; i < n; i++)
		t += p[i];
	free(p);
	return t;
}

int main(void)
{
	uint64_t x = 0, y = 0;
	duct_symbolic(&x, sizeof x, "x");
	duct_symbolic(&y, sizeof y, "y");
	printf("%ld\n", walk(build(x)));
	printf("%ld\n", overlap(x ^ y));
	printf("%ld\n", indices(x, y));
	printf("%ld\n", floats(x));
	printf("%ld\n", atomics((int)x));
	int best = (int)(y & 7);
	printf("%d\n", recurse((int)(x & 7), &best));
	printf("%d\n", growing((int)(y & 15)));
	return 0;
}
