/* entry: f
 * class: arrays, strings, NULL
 */
#include <string.h>

int
f(char **names)
{
	int n = 0;

	for (; names[n]; n++) {
		if (strcmp(names[n], "--") == 0)
			return n > 2 ? 1 : 2;
	}
	if (n > 5)
		return 3;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	char *a[] = { 0 }, *b[] = { "--", 0 }, *c[] = { "a", "b", "c", "--", 0 },
	     *d[] = { "a", "b", "c", "d", "e", "f", "g", 0 };

	f(a);
	f(b);
	f(c);
	f(d);
	return 0;
}
#endif
