/* entry: best
 * class: callbacks
 */
#include <stddef.h>

int
best(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	char *at = base, *most = base;

	if (n == 0)
		return -1;
	for (size_t i = 1; i < n; i++) {
		at += size;
		if (compare(at, most) > 0)
			most = at;
	}
	if (most != base)
		return 1;
	return 0;
}

#ifdef NATIVE
static int
numbers(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

int
main(void)
{
	int a[] = { 1, 2, 3 };

	best(a, 0, sizeof *a, numbers);
	best(a, 1, sizeof *a, numbers);
	best(a, 3, sizeof *a, numbers);
	best(a + 2, 1, sizeof *a, numbers);
	return 0;
}
#endif
