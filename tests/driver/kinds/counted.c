/* As many numbers as the first one says. Outcomes: 10 */
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	int n, x, sum = 0;
	if (scanf("%d", &n) != 1)
		return 1;
	for (int i = 0; i < n; i++) {
		if (scanf(" %d", &x) != 1)
			return 2;
		sum += x;
	}
	if (n == 5 && sum == 25)
		puts("five");
	return 0;
}
