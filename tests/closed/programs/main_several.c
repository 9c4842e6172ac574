/* entry: main
 * class: arguments, stdin, environment, files, time
 * run: $P
 * run: printf 'x' | FOO=1 $P -v
 * run: printf 'user' | $P -u
 * run: printf 'user' >passwd; printf 'user' | $P -u
 * run: printf 'user' >passwd; printf 'other' | DEBUG=1 $P -u
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int
main(int argc, char **argv)
{
	char name[16] = "", stored[16] = "";
	FILE *f;

	if (argc > 1 && !strcmp(argv[1], "-v"))
		puts("v");
	if (getenv("FOO"))
		puts("foo");
	if (time(0) < 1000)
		puts("early");
	if (!fgets(name, sizeof name, stdin))
		return 1;
	f = fopen("passwd", "r");
	if (!f)
		return 2;
	if (fgets(stored, sizeof stored, f) && !strcmp(name, stored))
		return 3;
	if (getenv("DEBUG"))
		puts(stored);
	return 0;
}
