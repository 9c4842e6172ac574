/* cat: each argument is a file's name, `-` is standard input. */
#include <stdio.h>
#include <string.h>

static int copy(FILE *f)
{
	int c, n = 0;

	while ((c = getc(f)) != EOF) {
		putchar(c);
		n++;
	}
	return n;
}

int main(int argc, char **argv)
{
	int i, status = 0, n = 0;

	if (argc < 2)
		n += copy(stdin);
	for (i = 1; i < argc; i++) {
		FILE *f = strcmp(argv[i], "-") ? fopen(argv[i], "r") : stdin;
		if (!f) {
			fprintf(stderr, "no such file\n");
			status = 1;
			continue;
		}
		n += copy(f);
		if (f != stdin)
			fclose(f);
	}
	return n == 2 ? 2 : status;
}
