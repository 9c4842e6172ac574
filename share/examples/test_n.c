/* test(a1, ..., an) of Majumdar and Xu, "Reducing Test Inputs Using Information Partitions"
 * (FlowTest), Figure 1(a): n inputs that do not interfere.
 *
 * Concolic testing runs 2^n paths. error() cannot be reached. FlowTest ends with n blocks
 * and at most two paths a block.
 *
 * duct: concolic --entry test --search dfs --len a=5 -- -DN=5
 * expect: exhausted=true paths=2^N failures=0 branches.unknown=0
 * oracle: -DN=5
 */
#include <stdlib.h>

#ifndef N
#define N 4
#endif

static void error(void)
{
	abort();
}

void test(int *a)
{
	int i;

	for (i = 0; i < N; i++) {
		if (a[i] == 0)
			a[i] = 1;
	}
	for (i = 0; i < N; i++) {
		if (a[i] == 0)
			error();
	}
}
