/* Calls that must be tail calls, old-style definitions, calls with fewer arguments than
 * there are parameters, cleanups, nested returns of one function. */
#include <stdint.h>
#include <stdio.h>
#include "share/duct.h"

static int odd(unsigned n, int v);
static int even(unsigned n, int v)
{
	if (n == 0)
		return v;
	__attribute__((musttail)) return odd(n - 1, v + 1);
}
static int odd(unsigned n, int v)
{
	if (n == 0)
		return -v;
	__attribute__((musttail)) return even(n - 1, v * 3);
}

int old(a, b, c) int a; char b; short c; { return a + b * c; }
int (*pointer)() = (int (*)())old;

static void clean(int *p) { printf("clean %d\n", *p); }
static int scoped(int x)
{
	__attribute__((cleanup(clean))) int kept = x + 1;
	if (x > 3)
		return x;
	kept += 2;
	return kept;
}

static int nested(int n, int v) { return n == 0 ? v : (nested(n - 1, v) & 1) + (n > 2 ? 7 : 0); }
static int constant(int n, int v) { if (n) constant(n - 1, v); else return v; return 5; }

int main(void)
{
	uint64_t x = 0, y = 0;
	duct_symbolic(&x, sizeof x, "x");
	duct_symbolic(&y, sizeof y, "y");
	printf("%d %d %d\n", even(100000, 7), even(5000, (int)x), odd((unsigned)y & 7, (int)x));
	printf("%d %d\n", old((int)x, (char)y, (short)3), pointer((int)x, 2, (int)y));
	printf("%d\n", scoped((int)x & 7));
	printf("%d %d %d\n", nested(4, (int)x), nested(0, (int)y), constant(3, (int)x));
	return 0;
}
