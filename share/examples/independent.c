/* n independent branches: 2^n paths with n conditions each. The benchmark of what a cheap
 * path costs.
 *
 * duct: concolic --entry independent --search dfs --len a=6 -- -DN=6
 * expect: exhausted=true paths=2^N branches.unknown=0
 * oracle: -DN=6
 */
#ifndef N
#define N 8
#endif

int independent(const int *a)
{
	int i, positive = 0;

	for (i = 0; i < N; i++) {
		if (a[i] > 0)
			positive++;
	}
	return positive;
}
