/* Standard input by descriptors, and through a copy of one. */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	char buf[4];
	FILE *f;

	if (read(0, buf, 2) < 2)
		return 1;
	if (buf[0] == 'a' && buf[1] == 'b') {
		f = fdopen(dup(0), "r");
		return getc(f) == 'c' ? 3 : 2;
	}
	return 0;
}
