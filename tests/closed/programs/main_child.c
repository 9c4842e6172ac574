/* entry: main
 * class: processes, arguments
 * run: $P
 * run: $P 3
 * run: $P 9
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (argc > 1)
			_exit(atoi(argv[1]));
		_exit(0);
	}
	waitpid(pid, &status, 0);
	if (WEXITSTATUS(status) == 3)
		return 1;
	if (WEXITSTATUS(status) > 5)
		return 2;
	return 0;
}
