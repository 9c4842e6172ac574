/* Arguments that are numbers. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	char *end;
	long a, b;

	if (argc != 3)
		return 1;
	a = strtol(argv[1], &end, 10);
	if (*end || end == argv[1])
		return 2;
	b = strtol(argv[2], &end, 16);
	if (*end)
		return 3;
	if (b == 0)
		return 4;
	return a % b == 3 ? 5 : 0;
}
