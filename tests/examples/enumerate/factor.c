/* All inputs of share/examples/factor.c that matter to its paths. */
#include "tests/lib/paths.h"

int factor(int n);
static int n;

static void run(void)
{
	factor(n);
}

static void each(void)
{
	path_try(run);
}

void enumerate(void)
{
	path_ints(&n, 1, -1, LIMIT, each);
}
