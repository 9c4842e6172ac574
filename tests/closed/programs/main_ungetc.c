/* entry: main
 * class: stdin
 * run: $P
 * run: printf '/ x' | $P
 * run: printf '//' | $P
 * run: printf 'abc' | $P
 */
#include <stdio.h>

int
main(void)
{
	int c = getchar();

	if (c == '/') {
		int d = getchar();

		if (d == '/')
			return 1;
		ungetc(d, stdin);
	}
	if (getchar() == ' ')
		return 2;
	if (feof(stdin))
		return 3;
	return 0;
}
