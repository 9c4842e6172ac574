/* entry: main
 * class: arguments, files
 * run: $P
 * run: $P missing
 * run: printf 'ab' >f; $P f
 * run: printf '#!/bin/sh\n' >f; $P f
 * run: : >f; $P f
 */
#include <stdio.h>

int
main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	FILE *f = fopen(argv[1], "r");

	if (!f) {
		perror(argv[1]);
		return 3;
	}
	int a = getc(f), b = getc(f);

	if (a == '#' && b == '!')
		return 1;
	if (a == EOF)
		return 4;
	fclose(f);
	return 0;
}
