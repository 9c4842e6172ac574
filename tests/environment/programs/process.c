/* Numbers that the system gives. */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	if (getpid() == 1)
		puts("init");
	if (getuid() == 0 && geteuid() != 0)
		puts("dropped");
	return getppid() == 1 ? 1 : 0;
}
