/* entry: main
 * class: random numbers
 * run: for i in 1 2 3 4 5 6 7 8 9 10 11 12; do $P; done
 */
#include <sys/random.h>

int
main(void)
{
	unsigned char b[2];

	if (getrandom(b, sizeof b, 0) != 2)
		return 3;
	if (b[0] > b[1])
		return 1;
	return 0;
}
