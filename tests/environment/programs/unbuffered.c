/* Without a buffer, read goes on where getchar was. */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	char c;

	setvbuf(stdin, NULL, _IONBF, 0);
	if (getchar() != 'a')
		return 1;
	if (read(0, &c, 1) != 1)
		return 2;
	return c == 'b' ? 3 : 0;
}
