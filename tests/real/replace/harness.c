/* Lines: an expression, what takes the place of its first match, text. */
#include <u.h>
#include <libc.h>
#include <regexp9.h>

#undef main

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void regerror(char *message)
{
	puts(message);
	exit(1);
}

int main(void)
{
	static char text[4096], made[4096];
	size_t n = fread(text, 1, sizeof text - 1, stdin);
	char *by = memchr(text, '\n', n), *rest;
	Resub match[10] = { 0 };
	Reprog *program;

	if (!by || !(rest = strchr(by + 1, '\n')))
		return 2;
	*by++ = *rest++ = 0;
	program = regcomp(text);
	if (!program)
		return 1;
	if (regexec(program, rest, match, 10)) {
		regsub(by, made, sizeof made, match, 10);
		puts(made);
	}
	free(program);
	return 0;
}
