/* Arguments, a variable and a file together. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : getenv("INPUT");
	FILE *f;
	int c;

	if (!name)
		return 2;
	if (!(f = fopen(name, "r")))
		return 3;
	c = getc(f);
	if (c == '#' && getenv("STRICT"))
		return 4;
	return c == EOF ? 5 : 0;
}
