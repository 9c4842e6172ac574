/* One option among arguments that may be missing. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "-v")) {
		puts("version");
		return 0;
	}
	return argc == 3 ? 2 : 1;
}
