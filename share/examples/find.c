/* FIND, after Hoare, as in Su et al. (hybrid data-flow testing), Table 2: permutes an
 * array of N so that a[f] has the value it would have if a were sorted, what is before is
 * not greater, and what follows not less.
 *
 * duct: concolic --entry find --search dfs --len a=3 -- -DN=3
 * expect: exhausted=true failures=0 branches.unknown=0
 * oracle: -DN=3
 */
#include <duct.h>

#ifndef N
#define N 4
#endif

static int partition(int *a, int low, int high, int pivot, int *left)
{
	int i = low, j = high;

	while (i <= j) {
		while (a[i] < pivot)
			i++;
		while (pivot < a[j])
			j--;
		if (i <= j) {
			int t = a[i];

			a[i] = a[j];
			a[j] = t;
			i++;
			j--;
		}
	}
	*left = j;
	return i;
}

int find(int *a, int f)
{
	int low = 0, high = N - 1;

	duct_assume(f >= 0 && f < N);
	while (low < high) {
		int left;
		int right = partition(a, low, high, a[f], &left);

		if (f <= left)
			high = left;
		else if (right <= f)
			low = right;
		else
			break;
	}
	return a[f];
}
