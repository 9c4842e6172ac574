/* entry: d
 * class: faults on the first path
 * compilers: differ
 * faults: yes
 */
int
d(int n, int d)
{
	int m = n / d;

	if (m == 10)
		return 1;
	return 2;
}

#ifdef NATIVE
#include "native.h"
int
main(void)
{
	d(10, 1);
	d(1, 1);
	TRY(d(1, 0));
	return 0;
}
#endif
