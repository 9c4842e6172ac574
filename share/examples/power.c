/* power(x, y), Figure 2 of Su et al. (hybrid data-flow testing): x to the power of y.
 *
 * Line n of the figure is line n + 20 of this file, for n = 1 .. 19.
 *
 * Def-use pairs, at statement level, parameters defined at entry, p-uses on both edges:
 * 24, of which 22 are feasible. (8,18,res) is not, because line 18 is reached with y > 0
 * only, after at least one turn of the loop; (5,(9,false),exp) is not, because 5 assigns
 * a positive number. (8,17,res) is covered by y = 0, x != 0; its cut points are
 * 4 8 9 13 14 17.
 *
 * The loop turns |y| times, so power_within bounds y: then there is a path for each y,
 * two where y <= 0, 3 * BOUND + 2 together. One of them is the abort at line 15.
 *
 * duct: concolic --entry power_within --search dfs -- -DBOUND=4
 * expect: paths=14 branches.total=8 branches.covered=8 failures=1
 * oracle: -DBOUND=4
 */
#include <stdlib.h>
#include <duct.h>

double power(int x, int y) {
	int exp;
	double res;
	if (y > 0)
		exp = y;
	else
		exp = -y;
	res = 1;
	while (exp != 0) {
		res *= x;
		exp -= 1;
	}
	if (y <= 0) {
		if (x == 0)
			abort();
		else
			return 1.0 / res; }
	return res;
}

#ifndef BOUND
#define BOUND 8
#endif

double power_within(int x, int y)
{
	duct_assume(y >= -BOUND && y <= BOUND);
	return power(x, y);
}
