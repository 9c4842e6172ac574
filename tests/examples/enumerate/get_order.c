/* All inputs of share/examples/get_order.c that matter to its paths. */
#include "tests/lib/paths.h"

void duct_assume(int condition);
int getOrder(int *p);
static int v[N];

static void run(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < i; j++)
			duct_assume(v[i] != v[j]);
	getOrder(v);
}

static void each(void)
{
	path_try(run);
}

void enumerate(void)
{
	path_ints(v, N, 0, N - 1, each);
}
