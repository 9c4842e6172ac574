/* entry: f
 * class: hidden state of the library, files
 */
#include <stdio.h>

int
f(int a, int b)
{
	char buffer[64];
	FILE *s = fmemopen(buffer, sizeof buffer, "w+");
	int x = 0;

	if (!s)
		return -1;
	fprintf(s, "%d %d", a, b);
	rewind(s);
	if (fscanf(s, "%d", &x) == 1 && x == 77)
		return 1;
	fclose(s);
	if (x != a)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f(77, 0);
	f(7, 8);
	return 0;
}
#endif
