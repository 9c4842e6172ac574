/* All inputs of share/examples/max3als.c that matter to its paths. */
#include "tests/lib/paths.h"

int max3Als(int i0, int i1, int i2);
static int v[3];

static void run(void)
{
	max3Als(v[0], v[1], v[2]);
}

static void each(void)
{
	path_try(run);
}

void enumerate(void)
{
	path_ints(v, 3, 0, 4, each);
}
