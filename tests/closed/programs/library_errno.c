/* entry: f
 * class: hidden state of the library, strings
 */
#include <errno.h>
#include <stdlib.h>

int
f(const char *s)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(s, &end, 10);
	if (errno == ERANGE)
		return 1;
	if (end == s)
		return 2;
	if (*end)
		return 3;
	if (n > 5000000000)
		return 4;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f("");
	f("12");
	f("12x");
	f("5000000001");
	f("99999999999999999999999");
	return 0;
}
#endif
