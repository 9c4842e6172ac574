/* Clocks that tell parts of a second. */
#include <sys/time.h>
#include <time.h>

int main(void)
{
	struct timespec t;
	struct timeval v;

	clock_gettime(CLOCK_MONOTONIC, &t);
	gettimeofday(&v, NULL);
	if (t.tv_nsec > 999999990)
		return 1;
	if (v.tv_usec == 77)
		return 2;
	return v.tv_sec > t.tv_sec ? 3 : 0;
}
