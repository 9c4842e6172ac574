/* Each case accesses memory at places that were met before, with another object or another end of it; sites.t has what must
 * come of each. */
#include "share/duct.h"
#include <stdlib.h>
#include <string.h>

struct pair { int a; char tail[3]; };

static int table[8], after[8];
static struct pair pairs[4];
int counts[5];

static __attribute__((noinline)) int at(const int *p, long i) { return p[i]; }
static __attribute__((noinline)) void put(char *p, long i, char v) { p[i] = v; }
static __attribute__((noinline)) long wide(const void *p) { return *(const long *)p; }
static __attribute__((noinline)) long double longest(const void *p) { return *(const long double *)p; }

static __attribute__((noinline)) int sum(const int *p, int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += p[i];
	return s;
}

static __attribute__((noinline)) int walk(const char *p, const char *end)
{
	int s = 0;

	while (p <= end)
		s += *p++;
	return s;
}

static __attribute__((noinline)) int last_freed(int **list, int n)
{
	int s = 0;

	for (int i = 0; i < n; i++) {
		s += *list[i];
		if (i + 1 == n)
			free(list[0]);
	}
	return s + *list[0];
}

static __attribute__((noinline)) int *local(void)
{
	volatile int x[4] = { 1, 2, 3, 4 };
	int *p = (int *)x;

	at(p, 1);
	__asm__("" : "+r"(p));
	return p;
}

static __attribute__((noinline)) int deep(int n)
{
	int own[6] = { n, 1, 2, 3, 4, 5 };

	return n ? deep(n - 1) + sum(own, 6) : at(own, 5);
}

static __attribute__((noinline)) int both(const int *p, void (*f)(void *), void *q)
{
	int x = p[0];

	f(q);
	return x + p[1];
}

static void nothing(void *p) { (void)p; }

static int *block(int n)
{
	int *p = malloc((size_t)n * sizeof *p);

	for (int i = 0; p && i < n; i++)
		p[i] = i;
	return p;
}

static int run(int which)
{
	int *p = block(8), *q = block(3), *list[2] = { block(2), block(2) };
	char *text = calloc(10, 1);
	int s = at(p, 7) + at(q, 2) + sum(p, 8) + sum(q, 3) + sum(table, 8) + at(counts, 4) + both(p, nothing, p) + both(q, nothing, p);

	put(text, 9, 1);
	s += (int)wide(p + 6) + walk(text, text + 9) + deep(3) + (int)longest(p);
	switch (which) {
	case 0: return s + *local() * 0;
	case 1: return at(p, 8);
	case 2: return at(q, 3);
	case 3: return at(q, -1);
	case 4: return sum(q, 4);
	case 5: return sum(p, 9);
	case 6: put(text, 10, 1); return 0;
	case 7: put(text, -1, 1); return 0;
	case 8: free(p); return at(p, 0);
	case 9: free(p); return sum(p, 1);
	case 10: return both(p, free, p);
	case 11: return both(q, free, q);
	case 12: return last_freed(list, 2);
	case 13: p = realloc(p, 16); return at(p, 3);
	case 14: p = realloc(p, 16); return at(p, 4);
	case 15: q = realloc(q, 40); return at(q, 9);
	case 16: { int *old = q; q = realloc(q, 4000); return at(old, 0) + (q == old); }
	case 17: return (int)wide(p + 7);
	case 18: return (int)wide((char *)text + 3);
	case 19: return (int)wide((char *)text + 2);
	case 20: return walk(text, text + 10);
	case 21: return at(table, 8);
	case 22: return sum(table, 9);
	case 23: return at(counts, 5) + counts[which - 22];
	case 24: return counts[which - 19];
	case 25: return table[which - 17] + after[0];
	case 26: return pairs[which - 22].a;
	case 27: return pairs[which - 24].tail[2];
	case 28: return (int)longest(p + 6);
	case 29: return (int)longest((char *)p + 22);
	case 30: free(p); free(q); p = block(8); q = block(3); return at(p, 7) + at(q, 2) + deep(5);
	case 31: free(q); q = block(2); return at(q, 2);
	case 32: { int x[3] = { 1, 2, 3 }; return sum(x, 3) + at(x, 2); }
	case 33: { int x[3] = { 1, 2, 3 }; return sum(x, 4); }
	case 34: { int n = which - 30, x[n]; memset(x, 0, sizeof x); return sum(x, n) + at(x, n); }
	case 35: { char *end = text + 10; return *end; }
	case 36: return at((int *)0, 0);
	case 37: return sum((int *)0, 2);
	default: return 0;
	}
}

int main(void)
{
	int which;

	duct_symbolic(&which, sizeof which, "which");
	return run(which) & 1;
}
