/* Bytes that go through a pipe, in pieces of other sizes. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char word[4] = "", c = 0;
	int ends[2], from;

	pipe(ends);
	if (argc < 2)
		return 1;
	from = dup(ends[0]);
	c = (char)getchar();
	write(ends[1], "<", 1);
	write(ends[1], &c, 1);
	write(ends[1], argv[1], strlen(argv[1]) + 1);
	read(ends[0], word, 2);
	if (word[1] == 'q')
		puts("q");
	read(from, word, 3);
	if (!strcmp(word, "ab"))
		puts("ab");
	return 0;
}
