/* Is n prime? A subject of Koroglu and Sen (IPPC), Tables 1 and 2.
 *
 * As in the paper, a divisor is tried by subtraction and comparison only, so that all
 * conditions are linear; then each n in 0..LIMIT has a path of its own, except that 0 and 1 share one
 * and so do negative numbers. -DREMAINDER tries it with the remainder operator.
 *
 * duct: concolic --entry is_prime --search dfs -- -DLIMIT=40
 * expect: exhausted=true branches.unknown=0
 * oracle: -DLIMIT=40
 */
#include <duct.h>

#ifndef LIMIT
#define LIMIT 2000
#endif

static int divides(int d, int n)
{
#ifdef REMAINDER
	return n % d == 0;
#else
	while (n > 0)
		n -= d;
	return n == 0;
#endif
}

int is_prime(int n)
{
	int d;

	duct_assume(n <= LIMIT);
	if (n < 2)
		return 0;
	for (d = 2; d * d <= n; d++) {
		if (divides(d, n))
			return 0;
	}
	return 1;
}
