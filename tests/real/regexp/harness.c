/* The first line is an expression, its first letter the flags; the rest is searched for it. */
#include <stdio.h>
#include <string.h>

#include "regexp.h"

int main(void)
{
	static char text[4096];
	size_t n = fread(text, 1, sizeof text - 1, stdin);
	char *end = memchr(text, '\n', n);
	const char *error;
	Reprog *program;
	Resub sub;
	int found;

	if (!end)
		return 2;
	*end = 0;
	program = regcomp(text, text[0] == 'i' ? REG_ICASE : text[0] == 'm' ? REG_NEWLINE : 0, &error);
	if (!program) {
		puts(error);
		return 1;
	}
	found = regexec(program, end + 1, &sub, 0);
	for (int i = 0; !found && i < sub.nsub; i++)
		printf("%td %td\n", sub.sub[i].sp - text, sub.sub[i].ep - text);
	regfree(program);
	return found;
}
