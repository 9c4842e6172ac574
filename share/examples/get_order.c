/* getOrder of Kosmatov (late aliases), Figures 7 to 9: the order of a permutation of
 * 0 .. N-1, the least k such that applying it k times changes nothing.
 *
 * Late aliases: 4, 7, 16, 30, 62, 110 feasible paths for N = 3 .. 8, one test each; early
 * aliases, N! tests.
 *
 * duct: concolic --entry getOrder --search dfs --len p=4 --keep all -- -DN=4
 * expect: exhausted=true paths=7 tests=7 branches.unknown=0
 * oracle: -DN=4
 */
#include <duct.h>

#ifndef N
#define N 5
#endif

typedef int perm[N];

/* The precondition, made of constraints only: elements in range and pairwise different. */
static void assume_permutation(const int *p)
{
	int i, j;

	for (i = 0; i < N; i++)
		duct_assume(p[i] >= 0 && p[i] < N);
	for (i = 0; i < N; i++) {
		for (j = 0; j < i; j++)
			duct_assume(p[i] != p[j]);
	}
}

int getOrder(int *p)
{
	int i, order = 1, is_id;
	perm power, tmp;

	assume_permutation(p);
	for (i = 0; i < N; i++)
		power[i] = p[i];
	while (1) {
		for (i = 0, is_id = 1; i < N && is_id; i++) {
			if (power[i] != i)
				is_id = 0;
		}
		if (is_id)
			return order;
		for (i = 0; i < N; i++)
			tmp[i] = power[i];
		for (i = 0; i < N; i++)
			power[i] = tmp[p[i]];
		order++;
	}
}
