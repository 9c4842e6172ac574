/* entry: f
 * class: uninitialised values
 * compilers: differ
 */
static void
maybe(int *p, int n)
{
	if (n > 0)
		*p = n;
}

int
f(int n)
{
	int x;

	maybe(&x, n);
	if (x == 1)
		return 1;
	if (x == -1)
		return 2;
	return 0;
}

#ifdef NATIVE
#include "native.h"
int
main(void)
{
	f(1);
	f(2);
	dirty(0xff);
	f(0);
	return 0;
}
#endif
