/* Majumdar and Sen (LATEST), Figure 6: lazy expansion must not forget what a callee writes.
 *
 * foo sets the global, so the label is unreachable although foo may return 0. Two paths;
 * the true side of `global == 0` and both sides of `x == 0` are infeasible.
 *
 * duct: concolic --entry test --search dfs --calls 1
 * expect: exhausted=true paths=2 branches.total=6 branches.covered=3 branches.infeasible=3
 * oracle: -DALL
 */
int global;

static int foo(int u)
{
	global = 1;
	if (u == 0)
		return 0;
	else
		return 1;
}

int test(int y)
{
	int x;

	global = 0;
	x = foo(y);
	if (global == 0 && x == 0) {
		/* L: */
		return 1;
	}
	return 0;
}
