/* entry: main
 * class: time
 * compilers: differ
 * run: $P
 * run: sleep 1.1; $P
 */
#include <time.h>

int
main(void)
{
	time_t t = time(0);

	if (t % 2)
		return 1;
	if (t == 0)
		return 2;
	return 0;
}
