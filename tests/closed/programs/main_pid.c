/* entry: main
 * class: pids
 * run: for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do $P; done
 */
#include <unistd.h>

int
main(void)
{
	pid_t me = getpid(), parent = getppid();

	if (me & 1)
		return 1;
	if (parent > me)
		return 2;
	if (me & 2)
		return 3;
	return 0;
}
