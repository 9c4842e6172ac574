/* entry: f
 * class: undefined behaviour that machines define
 * faults: yes
 */
struct s { int a[2]; int b; };
int f(int x, int n, unsigned i, struct s *p)
{
	if (x + 1 < x)
		return 1;
	if (n > 3 && 1 << n == 1)
		return 2;
	if (p->a[i] == 7)
		return 3;
	if (-x == x && x)
		return 4;
	if (x * 2 / 2 != x)
		return 5;
	return 0;
}
#ifdef NATIVE
#include <limits.h>
#include "native.h"
int main(void)
{
	struct s s = { { 0, 0 }, 7 };

	TRY(f(INT_MAX, 0, 0, &s));
	TRY(f(INT_MIN, 0, 0, &s));
	TRY(f(0, 32, 0, &s));
	TRY(f(0, 0, 2, &s));
	TRY(f(1 << 30, 0, 0, &s));
	TRY(f(1, 0, 0, &s));
	return 0;
}
#endif
