/* Values that pass through calls, code behind pointers, memory that is allocated, more than 64 bytes at once. */
#include <stdlib.h>

struct large { int v[20]; };
static int both(int x) { if (x > 9) return 3; return x & 1; }
static int other(int x) { return x > 3 ? 4 : 1; }
static int sum(struct large l, int k) { return l.v[k & 3] + l.v[19]; }

int test(unsigned char n)
{
	struct large l = { { 0 } }, m;
	int (*to)(int) = n > 7 ? both : other, r = both(n), *p = calloc(2, sizeof *p);
	m = l;
	if (!p || r == 2)
		return 1;
	p[n & 1] = 5;
	if (n > 4)
		m.v[19] = p[1 - (n & 1)] == 6 ? n : p[n & 1];
	p[0] = 6;
	if (p[0] == 5)
		return p[1];
	if (to(2) == 4)
		return sum(l, 1);
	return sum(m, n) + both(5);
}
