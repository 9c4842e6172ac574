/* How long a file is, and what is at its end. */
#include <stdio.h>

int main(void)
{
	FILE *f = fopen("data.bin", "rb");
	long n;

	if (!f)
		return 1;
	fseek(f, 0, SEEK_END);
	n = ftell(f);
	if (n < 4)
		return 2;
	fseek(f, n - 1, SEEK_SET);
	return getc(f) == 0x7f ? 3 : 0;
}
