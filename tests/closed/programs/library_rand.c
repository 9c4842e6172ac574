/* entry: f
 * class: hidden state of the library
 */
#include <stdlib.h>

int
f(unsigned seed)
{
	srand(seed);
	if (rand() % 3 == 1)
		return 1;
	srand48((long)seed);
	if (lrand48() & 1)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	for (unsigned i = 0; i < 50; i++)
		f(i);
	return 0;
}
#endif
