/* supervisor: limits that hold whatever a session does. */
#ifndef DUCT_SUPERVISOR_H
#define DUCT_SUPERVISOR_H

#include <stdbool.h>
#include <stdint.h>

/* Does the work in a process of its own, watched from outside; its exit status. In the process that
 * works it returns, too. */
int supervise(int (*work)(void *), void *data);
/* There: the time of a session is over then, after so many seconds. */
void supervisor_expect(double deadline, double seconds);
/* There: bytes that it may take together with the programs that prove and solve. */
void supervisor_memory(uint64_t bytes);
/* There: nothing is looked for any more, what was found is written. */
void supervisor_ending(void);
/* There: what happens until it goes on is not of the session's time. */
void supervisor_pause(bool paused);

#endif
