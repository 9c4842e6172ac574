/* All inputs of share/examples/page_free.c that matter to its paths. */
#include "tests/lib/paths.h"

void page_free(int *A, unsigned *count);
static int v[N], w[N];
static unsigned count[N];

static void run(void)
{
	for (int i = 0; i < N; i++)
		w[i] = v[i];
	page_free(w, count);
}

static void each(void)
{
	path_try(run);
}

void enumerate(void)
{
	path_ints(v, N, 0, 1, each);
}
