/* Real roots of a quadratic equation: degenerate ones, a discriminant that is negative, overflows
 * or is no number, and roots too close to tell apart.
 *
 * duct: concolic --entry quadratic --query-timeout 0.7
 * expect: failures=0 branches.unknown=0
 */
#include <math.h>

struct roots { int count; double x1, x2; };

int quadratic(double a, double b, double c)
{
	struct roots r = { 0, 0, 0 };
	double d, root;

	if (isnan(a) || isnan(b) || isnan(c))
		return -3;
	if (a == 0) {
		if (b == 0)
			return c == 0 ? -1 : 0;
		r.x1 = r.x2 = -c / b;
		return isinf(r.x1) ? -2 : 1;
	}
	d = b * b - 4 * a * c;
	if (!isfinite(d))
		return -2;
	if (d < 0)
		return 0;
	root = sqrt(d);
	r.x1 = (-b - root) / (2 * a);
	r.x2 = (-b + root) / (2 * a);
	r.count = fabs(r.x1 - r.x2) <= 1e-9 * fmax(fabs(r.x1), fabs(r.x2)) ? 1 : 2;
	return r.count;
}
