#include <math.h>
int f(double d, float e, int n)
{
	int r = 0;
	if (d * d < 0)
		r = 1;
	if (d != d) /* taken */
		r = 2;
	if ((int)d == 3) /* taken */
		r = 3;
	if (e + 1 == e) /* taken */
		r = 4;
	double t[3] = {0, d, 2};
	if (t[n & 1] > 1e300) /* taken */
		r = 5;
	if (sqrt(d) > 3 && d == d) /* taken */
		r = 6;
	long double l = d;
	if (l > 4) /* taken */
		r = 7;
	return r;
}
