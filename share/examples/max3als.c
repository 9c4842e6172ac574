/* max3Als of Kosmatov (late aliases), Figures 4 and 6: the maximum of three elements of a
 * constant array, chosen by indices.
 *
 * The array has only two different values, so one of the four paths is infeasible. With
 * late aliases (the default) 3 tests; with --aliases=early one for each of the 125 triples of indices.
 *
 * duct: concolic --entry max3Als --search dfs --calls 1 --keep all
 * expect: exhausted=true paths=3 tests=3 branches.covered=4
 * oracle: -DALL
 */
#include <duct.h>

int a[5] = { 6, 7, 6, 6, 7 };

int max3Als(int i0, int i1, int i2)
{
	int max;

	duct_assume(i0 >= 0 && i0 <= 4);
	duct_assume(i1 >= 0 && i1 <= 4);
	duct_assume(i2 >= 0 && i2 <= 4);
	max = a[i0];
	if (max < a[i1])
		max = a[i1];
	if (max < a[i2])
		max = a[i2];
	return max;
}
