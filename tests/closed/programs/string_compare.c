/* entry: f
 * class: strings, NULL
 */
#include <string.h>

int
f(const char *name, const char *value)
{
	if (!name)
		return -1;
	if (strcmp(name, "the-longest-option-of-all") == 0)
		return 1;
	if (value && strcmp(name, value) == 0)
		return 2;
	if (value && strlen(value) > 2 * strlen(name) + 10)
		return 3;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f(0, "x");
	f("the-longest-option-of-all", 0);
	f("equal", "equal");
	f("a", "a value that is longer than that");
	f("a", "b");
	f("a", 0);
	return 0;
}
#endif
