/* All inputs of share/examples/sqrt.c that matter to its paths. */
#include "tests/lib/paths.h"

int int_sqrt(int n);
static int n;

static void run(void)
{
	int_sqrt(n);
}

static void each(void)
{
	path_try(run);
}

void enumerate(void)
{
	path_ints(&n, 1, -1, LIMIT, each);
}
