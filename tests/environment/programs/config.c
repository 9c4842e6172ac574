/* A file with a fixed name, which may not be there. */
#include <stdio.h>

int main(void)
{
	FILE *f = fopen("app.conf", "r");
	int c, n = 0;

	if (!f) {
		puts("default");
		return 1;
	}
	while ((c = getc(f)) != EOF)
		if (c == '=')
			n++;
	fclose(f);
	return n == 2 ? 2 : 0;
}
