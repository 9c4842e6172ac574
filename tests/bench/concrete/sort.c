/* Heap sort and insertion into runs of 300,000 numbers, with the comparison through a pointer. */
#include "work.h"

static int less(const unsigned *a, const unsigned *b)
{
	return *a < *b;
}

static void sink(unsigned *a, unsigned i, unsigned n, int (*before)(const unsigned *, const unsigned *))
{
	for (unsigned child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && before(a + child, a + child + 1))
			child++;
		if (!before(a + i, a + child))
			return;
		unsigned t = a[i];
		a[i] = a[child];
		a[child] = t;
	}
}

static void sort(unsigned *a, unsigned n)
{
	for (unsigned i = n / 2; i-- > 0;)
		sink(a, i, n, less);
	for (unsigned i = n; i-- > 1;) {
		unsigned t = a[0];
		a[0] = a[i];
		a[i] = t;
		sink(a, 0, i, less);
	}
}

unsigned work(void)
{
	static unsigned a[300000];
	unsigned x = 1, sum = 0;

	for (unsigned round = 0; round < 4; round++) {
		for (unsigned i = 0; i < sizeof a / sizeof *a; i++)
			a[i] = x = x * 1664525 + 1013904223;
		sort(a, sizeof a / sizeof *a);
		for (unsigned i = 0; i < sizeof a / sizeof *a; i += 1000)
			sum = sum * 31 + a[i];
	}
	return sum;
}
