/* entry: f
 * class: malloc failure
 * compilers: differ
 */
#include <stdint.h>
#include <stdlib.h>

int
f(size_t n)
{
	char *p = malloc(n), *q;

	if (!p)
		return 1;
	q = realloc(p, n + n / 2);
	if (!q) {
		free(p);
		return 2;
	}
	free(q);
	q = calloc(n, n);
	if (!q)
		return 3;
	free(q);
	return 0;
}

#ifdef NATIVE
#include <sys/resource.h>
int
main(void)
{
	struct rlimit r = { 256 << 20, 256 << 20 };

	setrlimit(RLIMIT_AS, &r);
	f(8);
	f(SIZE_MAX / 2);
	f(SIZE_MAX);
	f((size_t)200 << 20);
	f(1 << 16);
	return 0;
}
#endif
