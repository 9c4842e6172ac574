/* Reads its standard input in every way that has a model; prints what it got. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char line[4], rest[3], *long_line = NULL, name[4];
	size_t size = 0;
	int c, x = -1, n;
	long at;

	(void)argv;
	c = getchar();
	if (c != EOF && isalpha(c)) {
		printf("letter %c\n", toupper(c));
		ungetc(c, stdin);
	}
	if (fgets(line, sizeof line, stdin))
		printf("line <%s>\n", line);
	n = scanf("%d:%3[a-c]", &x, name);
	printf("%d fields, %d%s\n", n, x, n == 2 ? name : "");
	at = ftell(stdin);
	printf("at %ld, %s\n", at, feof(stdin) ? "end" : "more");
	n = (int)fread(rest, 1, 2, stdin);
	rest[n] = 0;
	printf("%d read: %s\n", n, rest);
	while (getline(&long_line, &size, stdin) > 0)
		printf("%zu more\n", strlen(long_line));
	free(long_line);
	rewind(stdin);
	if (getc(stdin) == '#')
		puts("comment");
	return argc;
}
