/* All inputs of share/examples/gcd.c that matter to its paths. */
#include "tests/lib/paths.h"

int gcd(int a, int b);
static int v[2];

static void run(void)
{
	gcd(v[0], v[1]);
}

static void each(void)
{
	path_try(run);
}

void enumerate(void)
{
	path_ints(v, 2, 1, LIMIT, each);
}
