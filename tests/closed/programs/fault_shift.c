/* entry: f
 * class: faults on the first path
 * faults: yes
 */
int
f(unsigned x, int n)
{
	int a[4] = { 0 };

	a[n - 1] = 1;
	if (x >> n == 3)
		return 1;
	if (a[2] == 1)
		return 2;
	return 0;
}

#ifdef NATIVE
#include "native.h"
int
main(void)
{
	TRY(f(0, 0));
	f(6, 1);
	f(0, 3);
	f(0, 2);
	TRY(f(3, 32));
	return 0;
}
#endif
