/* entry: main
 * class: stdin
 * run: $P
 * run: printf 'a\nb\n' | $P
 * run: seq 30 | $P
 * run: head -c 3000 /dev/zero | tr '\0' x | $P
 */
#include <stdio.h>

int
main(void)
{
	int c, lines = 0, bytes = 0, longest = 0, column = 0;

	while ((c = getchar()) != EOF) {
		bytes++;
		if (c == '\n') {
			lines++;
			column = 0;
		} else if (++column > longest) {
			longest = column;
		}
	}
	if (lines > 9)
		return 1;
	if (longest > 100)
		return 2;
	if (bytes == 0)
		return 3;
	return 0;
}
