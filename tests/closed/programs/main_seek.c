/* entry: main
 * class: stdin, files
 * run: printf 'abcdef' >f; $P <f
 * run: printf 'abcdef' | $P
 * run: head -c 9999 /dev/zero >f; $P <f
 */
#include <stdio.h>
#include <unistd.h>

int
main(void)
{
	off_t n = lseek(0, 0, SEEK_END);

	if (n < 0)
		return 1;
	if (n > 1000)
		return 2;
	return 0;
}
