/* entry: f
 * class: uninitialised values
 * compilers: differ
 */
int
f(int n)
{
	int a[8], s = 0;

	for (int i = 0; i < n && i < 8; i++)
		a[i] = i;
	for (int i = 0; i < 8; i++)
		s += a[i];
	if (s < 0)
		return 1;
	if (s == 28)
		return 2;
	return 0;
}

#ifdef NATIVE
#include "native.h"
int
main(void)
{
	for (int i = 0; i < 10; i++) {
		dirty(0);
		f(i);
		dirty(0xee);
		f(i);
	}
	return 0;
}
#endif
