/* All inputs of share/examples/power.c that matter to its paths. */
#include "tests/lib/paths.h"

double power_within(int x, int y);
static int v[2];

static void run(void)
{
	power_within(v[0], v[1]);
}

static void each(void)
{
	path_try(run);
}

void enumerate(void)
{
	path_ints(v, 2, -BOUND, BOUND, each);
}
