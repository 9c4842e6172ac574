/* max3 of Kosmatov, "All-Paths Test Generation for Programs with Internal Aliases" (late aliases), Figures 1 to 3:
 * the maximum of an array of three. 4 paths, 4 tests.
 *
 * duct: concolic --entry max3 --search dfs --len a=3 --keep all
 * expect: exhausted=true paths=4 tests=4 branches.covered=4 branches.infeasible=0
 * oracle: -DALL
 */
int max3(int *a)
{
	int max = a[0];

	if (max < a[1])
		max = a[1];
	if (max < a[2])
		max = a[2];
	return max;
}
