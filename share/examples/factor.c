/* Prime factors of n by trial division; a subject of Koroglu and Sen (IPPC), Tables 1 and
 * 2, and of Su et al. (hybrid data-flow testing), Table 2 ("factorization").
 *
 * As in the IPPC paper, quotient and remainder come from subtraction only; -DREMAINDER
 * uses C's operators.
 *
 * duct: concolic --entry factor --search dfs --calls 1 -- -DLIMIT=40
 * expect: exhausted=true branches.unknown=0
 * oracle: -DLIMIT=40
 */
#include <duct.h>

#ifndef LIMIT
#define LIMIT 2000
#endif

int factors[32];

static int divide(int n, int d, int *rest)
{
#ifdef REMAINDER
	*rest = n % d;
	return n / d;
#else
	int quotient = 0;

	while (n >= d) {
		n -= d;
		quotient++;
	}
	*rest = n;
	return quotient;
#endif
}

int factor(int n)
{
	int count = 0, d = 2, quotient, rest;

	duct_assume(n <= LIMIT);
	if (n < 2)
		return 0;
	while (d * d <= n) {
		quotient = divide(n, d, &rest);
		if (rest == 0) {
			factors[count++] = d;
			n = quotient;
		} else {
			d++;
		}
	}
	factors[count++] = n;
	return count;
}
