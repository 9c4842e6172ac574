/* entry: main
 * class: random numbers, files
 * run: for i in 1 2 3 4 5 6 7 8 9 10 11 12; do $P; done
 */
#include <stdio.h>

int
main(void)
{
	FILE *f = fopen("/dev/urandom", "rb");
	int c;

	if (!f)
		return 3;
	c = getc(f);
	if (c & 1)
		return 1;
	if (c > 100)
		return 2;
	return 0;
}
