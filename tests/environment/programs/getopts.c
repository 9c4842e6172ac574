/* getopt: a flag, an option with a number, and operands. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int c, all = 0, n = 0;

	while ((c = getopt(argc, argv, "an:")) != -1)
		if (c == 'a')
			all = 1;
		else if (c == 'n')
			n = atoi(optarg);
		else
			return 2;
	if (n == 12 && all)
		puts("both");
	if (optind < argc)
		printf("%s\n", argv[optind]);
	return n > 40 ? 3 : 0;
}
