/* entry: f
 * class: the allocator
 * compilers: differ
 */
#include <stdlib.h>
int f(unsigned n)
{
	char *p = malloc(8), *q, *r;

	if (!p)
		return 1;
	q = realloc(p, n);
	if (q == p)
		return 2;
	free(q);
	p = malloc(16);
	free(p);
	r = malloc(16);
	if (r == p)
		return 3;
	if ((size_t)r % 32)
		return 4;
	return 0;
}
#ifdef NATIVE
int main(void)
{
	f(4);
	f(100000);
	f(0);
	f(1000);
	for (int i = 1; i < 3000; i += 37)
		f(i);
	return 0;
}
#endif
