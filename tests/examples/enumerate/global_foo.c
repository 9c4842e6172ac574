/* All inputs of share/examples/global_foo.c that matter to its paths. */
#include "tests/lib/paths.h"

int test(int y);
static int y;

static void run(void)
{
	test(y);
}

static void each(void)
{
	path_try(run);
}

void enumerate(void)
{
	path_ints(&y, 1, 0, 1, each);
}
