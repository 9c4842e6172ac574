/* The harness that AFL++ and gcov run a command with: standard input has its arguments, each ended by a 0, an empty one
 * behind the last, and then its own standard input. The command's main is called command_main. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BYTES = 4096, ARGUMENTS = 64 };

int command_main(int argc, char **argv, char **envp);
extern char **environ;

int
main(void)
{
	static char bytes[BYTES + 2], *argv[ARGUMENTS + 2] = { "command" };
	ssize_t n = read(0, bytes, BYTES);
	char *s = bytes, *end = bytes + (n > 0 ? n : 0);
	int argc = 1, fd = memfd_create("input", 0);

	while (s < end && *s && argc <= ARGUMENTS) {
		argv[argc++] = s;
		s += strlen(s) + 1;
	}
	s += s < end;
	if (fd < 0 || write(fd, s, (size_t)(end > s ? end - s : 0)) < 0 || lseek(fd, 0, SEEK_SET) || dup2(fd, 0) < 0)
		return 4;
	close(fd);
	exit(command_main(argc, argv, environ));
}
