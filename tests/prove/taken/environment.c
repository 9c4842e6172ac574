#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int r = 0;
	errno = 0;
	fopen("/none", "r");
	if (errno == 2) /* taken */
		r = 1;
	if (argc > 3) /* taken */
		r = 2;
	if (argv[1] && argv[1][0] == 'x') /* taken */
		r = 3;
	int c = getopt(argc, argv, "a:");
	if (optind == 2) /* taken */
		r = 4;
	if (c == 'a' && optarg) /* taken */
		r = 5;
	char *e = getenv("X");
	if (e && *e == 'y') /* taken */
		r = 6;
	int fd[2];
	if (pipe(fd) == 0 && fd[0] > 2) /* taken */
		r = 7;
	return r;
}
