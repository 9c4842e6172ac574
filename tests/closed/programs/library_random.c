/* entry: f
 * class: hidden state of the library
 */
#include <stdlib.h>

int
f(int sides)
{
	if (sides < 2)
		return -1;
	int a = rand() % sides, b = rand() % sides;

	if (a == b)
		return 1;
	if (a > 4)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	for (int i = 0; i < 50; i++)
		f(i);
	return 0;
}
#endif
