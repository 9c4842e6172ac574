/* entry: f
 * class: uninitialised values
 * compilers: differ
 */
#include <stdlib.h>

int
f(int n)
{
	int *a = malloc(16 * sizeof *a), r = 0;

	if (!a)
		return -1;
	if (n == 3)
		a[3] = 1;
	if (a[3] == 1)
		r = 1;
	if (a[5] < 0)
		r = 2;
	free(a);
	return r;
}

#ifdef NATIVE
#include "native.h"
int
main(void)
{
	for (int i = 0; i < 3; i++) {
		char *p = malloc(64);

		memset(p, i == 1 ? 0xff : 0, 64);
		free(p);
		f(i == 2 ? 3 : 0);
	}
	return 0;
}
#endif
