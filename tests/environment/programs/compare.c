/* cmp: two files, which may be one. */
#include <stdio.h>

int main(int argc, char **argv)
{
	FILE *a, *b;
	int c, d;

	if (argc != 3)
		return 9;
	a = fopen(argv[1], "rb");
	b = fopen(argv[2], "rb");
	if (!a || !b)
		return 2;
	do {
		c = getc(a);
		d = getc(b);
		if (c != d)
			return 1;
	} while (c != EOF);
	return 0;
}
