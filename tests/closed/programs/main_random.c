/* entry: main
 * class: random numbers, time
 * compilers: differ
 * run: for i in 1 2 3 4 5 6 7 8 9 10; do $P; done; sleep 1; $P; sleep 1; $P
 */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int
main(void)
{
	srand((unsigned)time(0) ^ (unsigned)getpid());
	if (rand() % 2)
		return 1;
	if (rand() % 3 == 1)
		return 2;
	return 0;
}
