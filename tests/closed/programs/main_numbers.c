/* entry: main
 * class: arguments
 * run: $P
 * run: $P 1 2
 * run: $P 600 400
 * run: $P 1 -1
 * run: $P 123456789012 3
 */
#include <errno.h>
#include <stdlib.h>

int
main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	errno = 0;
	long a = strtol(argv[1], 0, 10), b = atoi(argv[2]);

	if (a > 99999999999)
		return 5;
	if (a + b == 1000)
		return 1;
	if (b == -a)
		return 3;
	return 0;
}
