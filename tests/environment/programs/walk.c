/* Arguments up to the null pointer; the number is never looked at. */
#include <stdio.h>

int main(int argc, char **argv)
{
	int dashes = 0;

	(void)argc;
	while (*++argv)
		if (**argv == '-')
			dashes++;
	if (dashes == 2)
		puts("two");
	return dashes;
}
