/* All inputs of share/examples/is_sorted.c that matter to its paths. */
#include "tests/lib/paths.h"

int isSorted(int a, int b, int c);
static int v[3];

static void run(void)
{
	isSorted(v[0], v[1], v[2]);
}

static void each(void)
{
	path_try(run);
}

void enumerate(void)
{
	path_ints(v, 3, 0, 2, each);
}
