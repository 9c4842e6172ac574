/* entry: main
 * class: processes, memory
 * run: $P
 * run: printf x | $P
 * run: printf yyy | $P
 */
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int
main(void)
{
	int *shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid;

	if (shared == MAP_FAILED)
		return 9;
	*shared = 1;
	pid = fork();
	if (pid == 0) {
		int c = getchar();

		*shared = c == 'x' ? 5 : c;
		_exit(0);
	}
	waitpid(pid, 0, 0);
	if (*shared == 5)
		return 1;
	if (*shared == 'y')
		return 2;
	if (*shared == 1)
		return 3;
	return 0;
}
