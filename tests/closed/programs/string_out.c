/* entry: f
 * class: strings, arrays
 */
#include <stddef.h>

int
f(const char *s, char *to, size_t size)
{
	size_t n = 0;

	while (s[n] && n + 1 < size) {
		to[n] = s[n];
		n++;
	}
	if (size)
		to[n] = 0;
	if (s[n])
		return 1;
	if (n > 16)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	char to[100];

	f("", to, 0);
	f("abc", to, 2);
	f("abc", to, 100);
	f("abcdefghijklmnopqrstuvwxyz", to, 100);
	return 0;
}
#endif
