/* entry: main
 * class: stdin, hidden state
 * run: $P
 * run: echo '1 2 + 3 *' | $P
 * run: echo '1 +' | $P
 * run: echo '1 0 /' | $P
 * run: echo '1 2 3 4 5 6 7 8 9 10' | $P
 * run: echo '40 2 +' | $P
 */
#include <stdio.h>
#include <stdlib.h>

static int stack[8], depth;

int
main(void)
{
	char word[16];

	while (scanf("%15s", word) == 1) {
		if (word[0] >= '0' && word[0] <= '9') {
			if (depth == 8)
				return 3;
			stack[depth++] = atoi(word);
			continue;
		}
		if (depth < 2)
			return 2;
		int b = stack[--depth], a = stack[--depth];

		switch (word[0]) {
		case '+':
			stack[depth++] = a + b;
			break;
		case '*':
			stack[depth++] = a * b;
			break;
		default:
			return 4;
		}
	}
	if (depth == 1 && stack[0] == 42)
		return 1;
	return 0;
}
