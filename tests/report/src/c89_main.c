/* The same of a program: what it prints is longer than a string need be in C89. */
#include <stdio.h>

int main(void)
{
	int c = getchar(), i;

	for (i = 0; i < 100; i++)
		printf("line %d of output that is long\n", i * c);
	return c == 'x' ? 3 : 0;
}
