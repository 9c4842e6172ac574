/* entry: f
 * class: values that the C library leaves open
 */
#include <string.h>
#include <ctype.h>
int f(const char *a, const char *b, int c)
{
	int r = strcmp(a, b);

	if (r == 1)
		return 1;
	if (r == 5)
		return 2;
	if (r < -200)
		return 3;
	if (strcmp(a, "abc") == 1)
		return 4;
	if (strcmp(a, "abc") == 2)
		return 5;
	if (memcmp(a, "xyz", 3) == 1)
		return 6;
	if (memcmp(a, b, 2) > 1)
		return 7;
	if (strncmp(a, b, 2) == -1)
		return 8;
	if (isdigit((unsigned char)c) == 1)
		return 9;
	if (isdigit((unsigned char)c) == 2048)
		return 10;
	if (strcmp("b", "a") == 1)
		return 11;
	return 0;
}
#ifdef NATIVE
#include <stdio.h>
int main(void)
{
	const char *t[] = { "abc", "abd", "abe", "xyz", "xzz", "yyy", "\xff", "a", "", "ac", "f", "xya", "wyz", "b" };

	for (int i = 0; i < 14; i++)
		for (int k = 0; k < 14; k++)
			for (int c = '0'; c < 70; c += 20)
				f(t[i], t[k], c);
	return 0;
}
#endif
