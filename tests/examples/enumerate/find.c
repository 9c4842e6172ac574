/* All inputs of share/examples/find.c that matter to its paths. */
#include "tests/lib/paths.h"

int find(int *a, int f);
static int v[N + 1], w[N];

static void run(void)
{
	for (int i = 0; i < N; i++)
		w[i] = v[i];
	find(w, v[N]);
}

static void each(void)
{
	path_try(run);
}

void enumerate(void)
{
	for (int f = 0; f < N; f++) {
		v[N] = f;
		path_ints(v, N, 1, N, each);
	}
}
