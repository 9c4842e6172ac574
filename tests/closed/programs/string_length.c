/* entry: f
 * class: strings
 */
#include <string.h>

int
f(const char *s)
{
	if (strlen(s) > 20)
		return 1;
	if (s[0] == 'x' && strlen(s) == 17)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f("");
	f("xxxxxxxxxxxxxxxxx");
	f("0123456789012345678901234567890");
	return 0;
}
#endif
