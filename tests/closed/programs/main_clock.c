/* entry: main
 * class: time
 * run: for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do $P; done
 */
#include <sys/time.h>
#include <time.h>

int
main(void)
{
	struct timespec t;
	struct timeval v;

	clock_gettime(CLOCK_REALTIME, &t);
	gettimeofday(&v, 0);
	if (t.tv_nsec & 0x100)
		return 1;
	if (v.tv_usec & 4)
		return 2;
	return 0;
}
