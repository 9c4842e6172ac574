/* A process that the program makes goes on without end: no fault of it. */
#include <unistd.h>

int main(int argc, char **argv)
{
	(void)argv;
	if (fork() == 0) {
		setsid();
		while (argc > 1)
			pause();
		return 3;
	}
	return 0;
}
