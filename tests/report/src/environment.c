/* Everything that a program gets from outside. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	const char *mode = getenv("MODE");
	FILE *f = fopen("data", "rb");
	int c = f ? fgetc(f) : -1, d = getchar();

	if (argc > 2 && argv[1][0] == 'x' && !strcmp(argv[2], "given"))
		puts("argument");
	if (mode && mode[0] == 'm')
		puts("environment");
	if (c == 'q')
		puts("file");
	if (d == '7')
		puts("standard input");
	if (f)
		fclose(f);
	if (d == '8')
		abort();
	return argc;
}
