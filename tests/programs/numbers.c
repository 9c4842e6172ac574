/* Numbers of every type as parameters, in structures, arrays and unions, with conditions that only
 * certain bits meet.
 *
 * duct: concolic --entry numbers --len v=3
 * expect: exhausted=true failures=0 branches.unknown=0
 */
#include <math.h>
#include <string.h>

struct sample { float f; long double l; union { double d; unsigned char byte[8]; } u; };

int numbers(struct sample *s, float f, double d, long double l, const float *v, int n)
{
	int r = 0;

	if (f * 3 == 10.5f)
		return 1;
	if (d < 0x1p-1060 && d > 0)
		return 2;
	if (l > 1e4000L)
		return isinf(l) ? 3 : 4;
	if (s->f != s->f)
		return 5;
	if (s->l == 0.1L)
		return 6;
	if (s->u.byte[7] == 0x40 && s->u.d == 3)
		return 7;
	if (v[0] + v[1] == v[2] && v[2] > 1000)
		return 8;
	if ((double)(float)n != n)
		return 9;
	if (signbit(d) && d == 0)
		return 10;
	if (floor(d) == -3 && d != -3)
		return 11;
	return r;
}
