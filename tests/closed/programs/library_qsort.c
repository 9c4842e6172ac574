/* entry: f
 * class: callbacks, library
 */
#include <stdlib.h>

static int swaps;

static int
compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	if (x > y)
		swaps++;
	return (x > y) - (x < y);
}

int
f(int *a, int n)
{
	if (n < 0 || n > 64)
		return -1;
	qsort(a, (size_t)n, sizeof *a, compare);
	if (n > 9 && a[9] == 77)
		return 1;
	if (swaps > 3)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	int a[] = { 9, 8, 7, 6, 5, 4, 3, 2, 1, 77 };

	f(a, -1);
	f(a, 0);
	f(a, 1);
	f(a, 10);
	f(a, 65);
	return 0;
}
#endif
