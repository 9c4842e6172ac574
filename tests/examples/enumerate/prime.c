/* All inputs of share/examples/prime.c that matter to its paths. */
#include "tests/lib/paths.h"

int is_prime(int n);
static int n;

static void run(void)
{
	is_prime(n);
}

static void each(void)
{
	path_try(run);
}

void enumerate(void)
{
	path_ints(&n, 1, -1, LIMIT, each);
}
