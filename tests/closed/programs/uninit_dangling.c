/* entry: f
 * class: objects that are gone
 * compilers: differ
 */
#include <stdlib.h>
static int *out(int x) { int l = x; static int *volatile k; k = &l; return k; }
static int other(int x) { volatile int a[9]; for (int i = 0; i < 9; i++) a[i] = x; return a[3]; }
int f(int x, int n)
{
	int *p, *q = malloc(16);
	char *s = malloc(20), *t;

	{ int y = x; p = &y; }
	if (n == 1 && *p != x)
		return 1;
	p = out(x);
	other(n);
	if (n == 2 && *p != x)
		return 2;
	free(q);
	if (n == 3 && q[0] != 0)
		return 3;
	free(s);
	t = malloc(20);
	if (s == t)
		return 4;
	t[0] = 'q';
	if (n == 5 && s[0] == 'q')
		return 5;
	return 0;
}
#ifdef NATIVE
#include "native.h"
int main(void)
{
	for (int n = 0; n < 6; n++)
		for (int x = 0; x < 3; x++) {
			TRY(f(x, n));
			TRY(malloc(20); dirty(3); free(malloc(16)); f(x, n));
		}
	return 0;
}
#endif
