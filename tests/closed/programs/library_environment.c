/* entry: f
 * class: environment, strings
 */
#include <stdlib.h>
#include <string.h>

int
f(const char *name)
{
	const char *value = getenv(name);

	if (!value)
		return 0;
	if (!*value)
		return 1;
	if (strlen(value) > 30)
		return 2;
	return 3;
}

#ifdef NATIVE
int
main(void)
{
	setenv("EMPTY", "", 1);
	setenv("LONG", "0123456789012345678901234567890123456789", 1);
	setenv("X", "1", 1);
	f("EMPTY");
	f("LONG");
	f("X");
	f("NOT_THERE_AT_ALL");
	return 0;
}
#endif
