/* Numbers from standard input. */
#include <stdio.h>

int main(void)
{
	int a, b;

	if (scanf("%d %d", &a, &b) != 2)
		return 1;
	if (a + b == 30)
		return 2;
	return a > b ? 3 : 0;
}
