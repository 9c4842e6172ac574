/* entry: main
 * class: processes
 * run: $P
 * run: printf z | $P
 * run: printf qq | $P
 */
#include <stdio.h>
#include <unistd.h>

int
main(void)
{
	int ends[2];
	char c = 0, d = 0;

	if (pipe(ends) != 0)
		return 3;
	c = (char)getchar();
	if (write(ends[1], &c, 1) != 1)
		return 4;
	if (read(ends[0], &d, 1) == 1 && d == 'q')
		return 1;
	if (d == 'z')
		return 2;
	return 0;
}
