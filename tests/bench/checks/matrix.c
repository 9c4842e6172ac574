/* Products of matrices of numbers on the heap. */
#include "tests/bench/concrete/work.h"
#include <stdlib.h>

static void multiply(double *c, const double *a, const double *b, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < n; j++) {
			double sum = 0;

			for (unsigned k = 0; k < n; k++)
				sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] = sum;
		}
}

static double *make(unsigned n, unsigned seed)
{
	double *m = malloc(n * n * sizeof *m);

	for (unsigned i = 0; m && i < n * n; i++)
		m[i] = (double)((seed = seed * 1664525 + 1013904223) >> 24);
	return m;
}

unsigned work(void)
{
	unsigned n = 200;
	double *a = make(n, 1), *b = make(n, 2), *c = make(n, 3), sum = 0;

	for (int round = 0; a && b && c && round < 30; round++) {
		multiply(c, a, b, n);
		for (unsigned i = 0; i < n; i++)
			sum += c[i * n + i];
		a[round] += 1;
	}
	free(a);
	free(b);
	free(c);
	return (unsigned)(sum / 1000);
}
