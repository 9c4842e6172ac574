/* entry: f
 * class: faults on the first path
 */
#include <stdlib.h>

int
f(int a, int b)
{
	if (a == 0)
		abort();
	if (b > a)
		exit(3);
	if (b == -7)
		return 1;
	return 0;
}

#ifdef NATIVE
#include "native.h"
int
main(void)
{
	TRY(f(0, 0));
	TRY(f(1, 2));
	f(1, -7);
	f(1, 0);
	return 0;
}
#endif
