/* entry: f
 * class: pointer comparison, aliasing
 */
#include <stddef.h>

void *
move(void *to, const void *from, size_t n)
{
	char *t = to;
	const char *s = from;

	if (t < s) {
		while (n--)
			*t++ = *s++;
	} else if (t > s) {
		while (n--)
			t[n] = s[n];
	}
	return to;
}

int
f(char *to, const char *from, unsigned n)
{
	if (n > 64)
		return -1;
	move(to, from, n);
	if (to == from)
		return 1;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	char a[128] = "abcdefghijk";

	f(a, a, 0);
	f(a, a + 1, 5);
	f(a + 1, a, 5);
	f(a, a, 65);
	return 0;
}
#endif
