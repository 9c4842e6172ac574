/* All variables of the environment, by environ; open: 1 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

int main(void)
{
	int n = 0;

	for (char **e = environ; *e; e++, n++) {
		char *equals = strchr(*e, '=');

		if (!equals)
			return 9;
		if (!strncmp(*e, "SECRET_", 7) && equals[1] == 'x')
			puts("secret");
	}
	if (n == 0)
		return 1;
	if (n > 5)
		puts("many");
	if (getenv("HOME"))
		puts("home");
	return 0;
}
