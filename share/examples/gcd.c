/* Greatest common divisor; a subject of Koroglu and Sen (IPPC), Tables 1 and 2.
 *
 * gcd is the binary algorithm. As in the paper, parity and halves are found with
 * subtraction and comparison only, so that every condition is linear: a path through it
 * decides both numbers, and there is one path for each pair of them.
 * euclid is the same function by remainders, where conditions are not linear.
 *
 * duct: concolic --entry gcd --search dfs -- -DLIMIT=12
 * expect: exhausted=true paths=LIMIT*LIMIT branches.unknown=0
 * oracle: -DLIMIT=12
 */
#include <duct.h>

#ifndef LIMIT
#define LIMIT 30
#endif

static int is_even(int n)
{
	while (n > 1)
		n -= 2;
	return n == 0;
}

static int half(int n)
{
	int h = 0;

	while (n > 1) {
		n -= 2;
		h++;
	}
	return h;
}

int gcd(int a, int b)
{
	int factor = 1;

	duct_assume(a >= 1 && a <= LIMIT);
	duct_assume(b >= 1 && b <= LIMIT);
	while (is_even(a) && is_even(b)) {
		a = half(a);
		b = half(b);
		factor += factor;
	}
	while (a != b) {
		if (is_even(a))
			a = half(a);
		else if (is_even(b))
			b = half(b);
		else if (a > b)
			a -= b;
		else
			b -= a;
	}
	return a * factor;
}

int euclid(int a, int b)
{
	duct_assume(a >= 1 && a <= LIMIT);
	duct_assume(b >= 1 && b <= LIMIT);
	while (b != 0) {
		int rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}
