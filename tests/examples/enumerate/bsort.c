/* All inputs of share/examples/bsort.c that matter to its paths. */
#include "tests/lib/paths.h"

void bsort(int *a);
static int v[N], w[N];

static void run(void)
{
	for (int i = 0; i < N; i++)
		w[i] = v[i];
	bsort(w);
}

static void each(void)
{
	path_try(run);
}

void enumerate(void)
{
	path_ints(v, N, 1, N, each);
}
