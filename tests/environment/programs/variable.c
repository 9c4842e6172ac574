/* Variables that may be set, empty, or a number. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	const char *home = getenv("APP_HOME"), *level = getenv("APP_LEVEL");

	if (!home)
		return 1;
	if (!*home)
		return 2;
	if (level && atoi(level) == 7)
		puts("seven");
	return home[0] == '/' ? 0 : 3;
}
