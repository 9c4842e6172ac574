/* entry: f
 * class: floats
 */
#include <math.h>

int
f(double x, float y)
{
	if (x != x)
		return 1;
	if (x + 1.0 == x && x > 0)
		return 2;
	if (y == 0 && signbit(y))
		return 3;
	if (x * 3.0 == 1.5)
		return 4;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f(NAN, 0);
	f(1e300, 0);
	f(-1e300, 0);
	f(0, -0.0f);
	f(0, 0.0f);
	f(0.5, 1);
	return 0;
}
#endif
