/* supervisor: enforces a session's limits of time and memory from another process, so that they
 * hold even while the session hangs inside a library call. */
#ifndef DUCT_SUPERVISOR_H
#define DUCT_SUPERVISOR_H

#include <stdbool.h>
#include <stdint.h>

/* Forks a process that calls `work`, and watches it. Returns the exit status of `work`, in the
 * watching and in the working process. */
int supervise(int (*work)(void *), void *data);
/* The functions below are for the working process; they tell the watching one about the session. */
/* The session ends at `deadline` (clock_now), after `seconds` in all. */
void supervisor_expect(double deadline, double seconds);
/* The session and its provers and solvers together may take so many bytes. */
void supervisor_memory(uint64_t bytes);
/* A function of duct's begins or ends. After the deadline, a long call may finish; scripts that
 * make no call, or only short ones, are stopped. */
void supervisor_works(bool working);
/* Called in a further process of the session, which is not watched itself: the process that waits
 * for it is. */
void supervisor_apart(void);
/* A script may compute for so many seconds without such a call, because the last run was long. */
void supervisor_allow(double seconds);
/* The search is over; results are being written. */
void supervisor_ending(void);
/* While paused, time does not count towards the session's limit. */
void supervisor_pause(bool paused);

#endif
