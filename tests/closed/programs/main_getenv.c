/* entry: main
 * class: environment
 * run: env -i $P
 * run: FOO=1 $P
 * run: FOO= $P
 * run: FOO=verbose LEVEL=12 $P
 * run: LEVEL=9 $P
 */
#include <stdlib.h>
#include <string.h>

int
main(void)
{
	const char *foo = getenv("FOO"), *level = getenv("LEVEL");

	if (foo && !*foo)
		return 1;
	if (foo && !strcmp(foo, "verbose"))
		return 2;
	if (level && atoi(level) > 8)
		return 3;
	if (!getenv("PATH"))
		return 4;
	return 0;
}
