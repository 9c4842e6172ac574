/* stdio reads ahead: what is left for read is nothing. open: 1 */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	char c;
	int first = getchar();

	if (first == EOF)
		return 1;
	if (read(0, &c, 1) == 1)
		return 2;                /* only behind 4096 bytes */
	return first == 'x' ? 3 : 0;
}
