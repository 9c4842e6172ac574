/* entry: main
 * class: stdin
 * run: $P
 * run: echo help | $P
 * run: printf 'x\nquit\n' | $P
 * run: printf '%050d\n' 7 | $P
 */
#include <stdio.h>
#include <string.h>

int
main(void)
{
	char line[32];

	while (fgets(line, sizeof line, stdin)) {
		size_t n = strcspn(line, "\n");

		if (!line[n])
			return 4;
		line[n] = 0;
		if (!strcmp(line, "quit"))
			return 1;
		if (!strcmp(line, "help"))
			puts("quit, help");
	}
	return 0;
}
