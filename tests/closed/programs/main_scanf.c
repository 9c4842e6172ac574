/* entry: main
 * class: stdin
 * run: $P
 * run: echo 4 5 | $P
 * run: echo 20 22 | $P
 * run: echo 3 x | $P
 */
#include <stdio.h>

int
main(void)
{
	int a, b, n = scanf("%d %d", &a, &b);

	if (n == EOF)
		return 2;
	if (n == 1)
		return 3;
	if (a + b == 42)
		return 1;
	return 0;
}
