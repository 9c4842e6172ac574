/* entry: u
 * class: uninitialised values
 * compilers: differ
 */
#include <stdlib.h>

int
u(void)
{
	static int g;
	int x;

	if (x)
		g++;
	else
		g++;
	if (g == 1)
		abort();
	return 0;
}

#ifdef NATIVE
#include "native.h"
int
main(void)
{
	for (int i = 0; i < 2; i++) {
		dirty(i);
		TRY(u());
		TRY(dirty(i); u());
	}
	return 0;
}
#endif
