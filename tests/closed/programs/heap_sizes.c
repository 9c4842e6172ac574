/* entry: f
 * class: sizes that overflow
 * faults: yes
 */
#include <stdlib.h>
#include <string.h>
int f(unsigned n, unsigned m, const char *s)
{
	unsigned char size = n * m;
	char *p = malloc(size), *q;

	if (!p)
		return 1;
	if (n > 100 && size == 4)
		return 2;
	p[n] = 1;
	if (p[0] == 1 && size == 1)
		return 3;
	q = strdup(s);
	if (q && strlen(q) != strlen(s))
		return 4;
	if (q && q[0] == 'x' && size > 200)
		return 5;
	free(q);
	free(p);
	return 0;
}
#ifdef NATIVE
#include "native.h"
int main(void)
{
	TRY(f(130, 2, "a"));
	TRY(f(0, 0, "a"));
	f(0, 1, "a");
	f(1, 250, "x");
	f(2, 10, "abc");
	TRY(f(1, 1, "x"));
	return 0;
}
#endif
