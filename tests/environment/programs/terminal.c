/* Is there a terminal; how many processors are there? infeasible: 1 */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	if (isatty(0) && !isatty(1))
		puts("output is no terminal");
	if (isatty(0) != isatty(0))
		puts("cannot be");
	return sysconf(_SC_NPROCESSORS_ONLN) > 64 ? 1 : 0;
}
