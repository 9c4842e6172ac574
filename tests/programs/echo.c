/* Standard input: bytes and length.
 *
 * duct: concolic --stdin 3
 * expect: exhausted=true failures=0 branches.unknown=0
 */
#include <stdio.h>

int main(void)
{
	int c, lines = 0, digits = 0;

	while ((c = getchar()) != EOF) {
		if (c == '\n')
			lines++;
		else if (c >= '0' && c <= '9')
			digits++;
	}
	return lines > 1 ? 2 : digits == 3;
}
