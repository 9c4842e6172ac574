/* entry: main
 * class: files
 * run: $P
 * run: $P >/dev/full
 * run: $P >&-
 */
#include <stdio.h>

int
main(void)
{
	if (printf("hello\n") < 0)
		return 2;
	if (fflush(stdout) != 0)
		return 1;
	return 0;
}
