/* isSorted(a, b, c) of Koroglu and Sen, "Design of a Modified Concolic Testing Algorithm
 * with Smaller Constraints" (IPPC), Figures 1 to 3: are three numbers in order?
 *
 * From 0, 0, 0 depth-first search runs 4 paths with 3 solver calls whose constraints have
 * 3, 2 and 1 conjuncts: mean 2.
 *
 * duct: concolic --entry isSorted --search dfs
 * expect: exhausted=true paths=4 runs=4 solver.asked=3 solver.constraints_mean=2
 * oracle: -DALL
 */
int isSorted(int a, int b, int c)
{
	if (a > b)
		return 0;
	if (a > c)
		return 0;
	if (b > c)
		return 0;
	return 1;
}
