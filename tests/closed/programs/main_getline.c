/* entry: main
 * class: stdin, heap
 * run: $P
 * run: echo hi | $P
 * run: printf 'name = a value\n' | $P
 * run: printf '%0200d\n' 7 | $P
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
main(void)
{
	char *line = 0;
	size_t size = 0;
	ssize_t n = getline(&line, &size, stdin);
	char *equals;

	if (n < 0)
		return 2;
	equals = strchr(line, '=');
	if (n > 150)
		return 1;
	if (equals && equals - line > 4)
		return 3;
	free(line);
	return 0;
}
