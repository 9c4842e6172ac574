/* clock: the time for deadlines, and durations as system calls take them. */
#ifndef DUCT_CLOCK_H
#define DUCT_CLOCK_H

#include <time.h>

double clock_now(void); /* seconds of CLOCK_MONOTONIC, which does not jump */

/* A duration in seconds, any number, as system calls take it: 0 for what is negative or no number,
 * and never more than what they can express. */
struct timespec clock_timespec(double seconds); /* at most 1e9 seconds */
int clock_milliseconds(double seconds);         /* rounded up, at most INT_MAX */

#endif
