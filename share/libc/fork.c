/* Processes: a run may make a limited number of them, so that a program that forks without end
 * cannot use up the machine. An input says whether the trace follows the parent or the child; the
 * other one continues concretely. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <unistd.h>

#include "share/libc/stream.h"
#include "share/libc/names.h"

pid_t fork(void)
{
	int new;
	pid_t pid;

	if (FAILS("fork", EAGAIN))
		return -1;
	if (!duct_rt_may_fork()) {
		errno = EAGAIN;
		return -1;
	}
	new = duct_rt_follows();
	if (duct_live || duct_rt_environment())
		duct_rt_lost(duct_block_unit, duct_block,
		    new ? "what the parent process does with inputs is not followed"
		        : "what a child process does with inputs is not followed");
	duct_pipe_lose(-1);
	duct_children_begin();
	pid = CALL_REAL(fork);
	duct_rt_forked(pid, new);
	return pid;
}
ALIAS(fork)

MODEL pid_t vfork(void)
{
	return fork();
}
