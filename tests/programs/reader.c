/* A file that the program reads.
 *
 * duct: concolic --file data=4
 * expect: failures=0 branches.unknown=0
 */
#include <stdio.h>

int main(void)
{
	unsigned char head[4];
	FILE *f = fopen("data", "rb");
	size_t n;

	if (f == NULL)
		return 9;
	n = fread(head, 1, sizeof head, f);
	fclose(f);
	if (n < 4)
		return 1;
	if (head[0] != 0x89 || head[1] != 'P')
		return 2;
	if (head[2] + head[3] == 300)
		return 3;
	return 0;
}
