/* entry: f
 * class: floats, compilers
 */
#include <math.h>

int
f(double a, double b)
{
	double r = a / b;

	if (r == r)
		return 0;
	if (signbit(r))
		return 1;
	return 2;
}

#ifdef NATIVE
int
main(void)
{
	f(0, 0);
	f(1, 1);
	f(NAN, 1);
	f(-NAN, 1);
	return 0;
}
#endif
