/* Integer square root, rounded down, by summing odd numbers; a subject of Koroglu and Sen
 * (IPPC), Tables 1 and 2. One path for each root, and one for a negative argument.
 *
 * duct: concolic --entry int_sqrt --search dfs -- -DLIMIT=400
 * expect: exhausted=true paths=22 branches.unknown=0
 * oracle: -DLIMIT=400
 */
#include <duct.h>

#ifndef LIMIT
#define LIMIT 1000000
#endif

int int_sqrt(int n)
{
	int root = 0, odd = 1, square = 1;

	duct_assume(n <= LIMIT);
	if (n < 0)
		return -1;
	while (square <= n) {
		root++;
		odd += 2;
		square += odd;
	}
	return root;
}
