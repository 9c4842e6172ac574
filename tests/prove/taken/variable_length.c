#include <stdlib.h>
int f(int n, int k)
{
	int r = 0;
	if (n < 2 || n > 5)
		return 0;
	int a[n];
	for (int i = 0; i < n; i++)
		a[i] = i;
	if (a[1] == 1) /* taken */
		r = 1;
	int *h = malloc(4 * sizeof *h);
	if (!h) /* taken */
		return 9;
	h[0] = 4;
	if (h[0] == 4) /* taken */
		r = 2;
	int *h2 = realloc(h, 8);
	if (h2 && h2[0] == 4) /* taken */
		r = 3;
	free(h2);
	int c = 0;
	for (int i = 0; i < 3; i++) {
		int *z = calloc(1, 4);
		if (z && i == 2 && *z == 0) /* taken */
			c++;
		free(z);
	}
	return r + c;
}
