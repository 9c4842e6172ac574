/* entry: main
 * class: arguments, stdin
 * run: $P
 * run: $P -v
 * run: printf xyz | $P
 */
#include <stdio.h>
#include <string.h>

int
main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "-v"))
		puts("v");
	if (getchar() == 'x')
		puts("x");
	return 0;
}
