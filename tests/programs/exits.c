/* exit() in the middle of the entry function, with output before it.
 *
 * duct: concolic --entry exits
 * expect: exhausted=true failures=0 branches.covered=4
 */
#include <stdio.h>
#include <stdlib.h>

int exits(int x)
{
	if (x > 5) {
		printf("large\n");
		exit(7);
	}
	if (x == -3)
		return 2;
	return 1;
}
