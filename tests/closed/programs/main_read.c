/* entry: main
 * class: stdin
 * run: $P
 * run: printf 'GIF89a.......................' | $P
 * run: printf 'GIF87a' | $P
 * run: printf 'XX' | $P
 * run: $P <&-
 */
#include <string.h>
#include <unistd.h>

int
main(void)
{
	char head[24];
	ssize_t n = read(0, head, sizeof head);

	if (n < 0)
		return 4;
	if (n < 6)
		return 3;
	if (memcmp(head, "GIF8", 4) == 0 && head[4] == '9')
		return n == 24 ? 1 : 2;
	return 0;
}
