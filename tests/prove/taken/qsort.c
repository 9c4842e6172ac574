#include <stdlib.h>
static int n;
static int cmp(const void *a, const void *b)
{
	n++;
	if (*(const int *)a > *(const int *)b) /* taken */
		return 1;
	return 0;
}
int main(void)
{
	int a[3] = {3, 2, 1};
	qsort(a, 3, sizeof *a, cmp);
	if (n > 0) /* taken */
		n = 0;
	if (a[0] == 1) /* taken */
		return 1;
	return 0;
}
