/* All inputs of share/examples/triangle.c that matter to its paths. */
#include "tests/lib/paths.h"

int triangle(int a, int b, int c);
static int v[3];

static void run(void)
{
	triangle(v[0], v[1], v[2]);
}

static void each(void)
{
	path_try(run);
}

void enumerate(void)
{
	path_ints(v, 3, 0, 8, each);
}
