/* entry: main
 * class: processes, files
 * run: $P
 * run: : >flag; $P
 */
#include <stdio.h>
#include <stdlib.h>

int
main(void)
{
	FILE *p;
	int c;

	if (system("test -e flag") == 0)
		return 1;
	p = popen("echo yes", "r");
	if (!p)
		return 2;
	c = getc(p);
	pclose(p);
	if (c == 'y')
		return 3;
	return 0;
}
