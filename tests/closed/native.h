/* native: what the drivers of the programs use, under #ifdef NATIVE, at their ends.
 *   TRY(CALL);     the call in a child of two seconds: it may end in any way
 *   dirty(BYTE);   what later calls find in their uninitialised locals */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static inline int
closed_child(void)
{
	pid_t pid = fork();

	if (pid) {
		waitpid(pid, NULL, 0);
		return 0;
	}
	alarm(2);
	return 1;
}

#define TRY(...) do { if (closed_child()) { __VA_ARGS__; _exit(0); } } while (0)

__attribute__((noinline, unused)) static void
dirty(int byte)
{
	volatile char stack[16384];

	memset((char *)stack, byte, sizeof stack);
}
