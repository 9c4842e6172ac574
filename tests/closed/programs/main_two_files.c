/* entry: main
 * class: files, arguments
 * run: $P a b
 * run: echo x >a; $P a b
 * run: echo x >a; echo x >b; $P a b
 * run: echo x >a; echo y >b; $P a b
 * run: echo x >a; echo xy >b; $P a b
 * run: seq 40 >a; seq 40 >b; $P a b
 * run: $P
 */
#include <stdio.h>

int
main(int argc, char **argv)
{
	FILE *a, *b;
	int c, d, n = 0;

	if (argc != 3)
		return 2;
	a = fopen(argv[1], "rb");
	if (!a)
		return 3;
	b = fopen(argv[2], "rb");
	if (!b)
		return 4;
	do {
		c = getc(a);
		d = getc(b);
		if (c != d)
			return 1;
		n++;
	} while (c != EOF);
	if (n > 64)
		return 5;
	return 0;
}
