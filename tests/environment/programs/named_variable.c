/* open: 1 A variable whose name an argument says: two calls for one name give one address. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	const char *value = argc > 1 ? getenv(argv[1]) : NULL;

	if (!value)
		return 1;
	if (!*value)
		return 2;
	if (!strcmp(argv[1], "HOME") && value == getenv("HOME"))
		return 3;
	return *value == 'y';
}
