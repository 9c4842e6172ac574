/* open: 3 (a process that stops; one that ends with a status that it never has; no handler runs while main sleeps) */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void tell(int status)
{
	if (WIFEXITED(status)) {
		if (WEXITSTATUS(status) == 3)
			puts("three");
	} else if (WIFSIGNALED(status)) {
		if (WTERMSIG(status) == 9)
			puts("killed");
		if (WCOREDUMP(status))
			puts("core");
	} else {
		puts("stopped");
	}
}

int main(void)
{
	int status = system("true");
	pid_t pid;

	if (status == -1)
		return 1;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return 2;
	if (sleep(30))
		return 3;
	if ((pid = fork()) < 0)
		return 4;
	if (pid == 0) {
		execlp("no-such-program", "no-such-program", (char *)0);
		_exit(127);
	}
	if (wait3(&status, 0, NULL) == pid)
		tell(status);
	if ((pid = fork()) == 0)
		_exit(4);
	if (pid < 0)
		return 5;
	switch (wait4(pid, &status, WNOHANG, NULL)) {
	case 0: return 6;
	case -1: return 7;
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) != 4)
		return 8;
	return 0;
}
