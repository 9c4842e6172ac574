/* entry: f
 * class: symbolic indices, heap
 */
#include <stdlib.h>

int
f(unsigned i, unsigned j)
{
	int *p[4] = { 0 };
	int r = 0;

	for (int k = 0; k < 3; k++)
		p[k] = calloc(1, sizeof(int));
	free(p[i % 4]);
	p[i % 4] = 0;
	if (!p[j % 4])
		r = 1;
	else
		*p[j % 4] = 5;
	if (p[1] && *p[1] == 5)
		r = 2;
	return r;
}

#ifdef NATIVE
int
main(void)
{
	for (unsigned i = 0; i < 4; i++)
		for (unsigned j = 0; j < 4; j++)
			f(i, j);
	return 0;
}
#endif
