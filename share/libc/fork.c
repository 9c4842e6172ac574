/* Processes: a run may make a limited number of them, so that a program that forks without
 * end cannot take the machine. Children go on concretely as far as traces are concerned. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <unistd.h>

#include "share/libc/stream.h"
#include "share/libc/names.h"

pid_t fork(void)
{
	pid_t pid;

	if (FAILS("fork", EAGAIN))
		return -1;
	if (!duct_rt_may_fork()) {
		errno = EAGAIN;
		return -1;
	}
	if (duct_live || duct_rt_environment())
		duct_rt_lost(duct_block_unit, duct_block,
		    "what a child process does with inputs is not followed");
	duct_pipe_lose(-1);
	pid = CALL_REAL(fork);
	if (pid == 0)
		duct_rt_forked();
	return pid;
}
ALIAS(fork)

MODEL pid_t vfork(void)
{
	return fork();
}
