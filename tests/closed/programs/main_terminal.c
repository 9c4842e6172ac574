/* entry: main
 * class: isatty
 * run: $P
 * run: script -qec "$P" /dev/null
 * run: script -qec "$P >out" /dev/null
 */
#include <stdio.h>
#include <unistd.h>

int
main(void)
{
	if (isatty(1))
		return 1;
	if (isatty(0))
		return 2;
	return 0;
}
