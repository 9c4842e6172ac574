/* clock: the time for deadlines. */
#ifndef DUCT_CLOCK_H
#define DUCT_CLOCK_H

double clock_now(void); /* seconds of CLOCK_MONOTONIC, which does not jump */

#endif
