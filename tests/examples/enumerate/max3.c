/* All inputs of share/examples/max3.c that matter to its paths. */
#include "tests/lib/paths.h"

int max3(int *a);
static int v[3];

static void run(void)
{
	max3(v);
}

static void each(void)
{
	path_try(run);
}

void enumerate(void)
{
	path_ints(v, 3, 0, 2, each);
}
