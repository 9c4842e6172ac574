#include "lib/base/clock.h"

#include <limits.h>
#include <math.h>

double clock_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

struct timespec clock_timespec(double seconds)
{
	seconds = seconds > 0 ? fmin(seconds, 1e9) : 0;
	time_t whole = (time_t)seconds;
	return (struct timespec){ whole, (long)((seconds - (double)whole) * 1e9) };
}

int clock_milliseconds(double seconds)
{
	return seconds > 0 ? (int)fmin(ceil(seconds * 1000), INT_MAX) : 0;
}
