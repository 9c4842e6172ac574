/* Outcomes of processes that the program makes, and of one that such a process makes. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int child(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "deep") == 0) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(argc > 2 && argv[2][0] == 'q' ? 4 : 2);
		if (pid > 0)
			waitpid(pid, NULL, 0);
		return 1;
	}
	return getenv("CHILD") ? 3 : 0;
}

int main(int argc, char **argv)
{
	int status = 0;
	pid_t pid = fork();

	if (pid < 0)
		return 7;
	if (pid == 0)
		return child(argc, argv);
	waitpid(pid, &status, 0);
	if (WEXITSTATUS(status) == 3)
		return 8;
	return getenv("PARENT") ? 9 : 0;
}
