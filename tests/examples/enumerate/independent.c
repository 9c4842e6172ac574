/* All inputs of share/examples/independent.c that matter to its paths. */
#include "tests/lib/paths.h"

int independent(const int *a);
static int v[N];

static void run(void)
{
	independent(v);
}

static void each(void)
{
	path_try(run);
}

void enumerate(void)
{
	path_ints(v, N, 0, 1, each);
}
