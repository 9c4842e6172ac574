/* Standard input: a regular expression, a line feed, a text. Compiles the one and looks for it in the other. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *REcompile(char *re, size_t len);
int REtest(char *str, size_t len, void *machine);
char *REmatch(char *str, size_t len, void *machine, size_t *lenp, int no_bol);
void REdestroy(void *machine);
void mawk_exit(int status);
void da_string(FILE *f, const char *text, size_t n);

void mawk_exit(int status)
{
	exit(status);
}

/* mawk's own is in a file that needs all the rest of it. */
char *str_str(char *text, size_t n, char *key, size_t key_n);
char *str_str(char *text, size_t n, char *key, size_t key_n)
{
	return memmem(text, n, key, key_n);
}

/* For messages of mawk's debugger. */
void da_string(FILE *f, const char *text, size_t n)
{
	fwrite(text, 1, n, f);
}

int main(void)
{
	enum { MOST = 255 };
	char *text = calloc(1, MOST + 1), *end, *found;     /* of the heap: what is read behind it shows */
	size_t n = fread(text, 1, MOST, stdin), length = 0;
	void *machine;

	if (!(end = memchr(text, '\n', n)))
		return 1;
	*end++ = 0;
	machine = REcompile(text, (size_t)(end - 1 - text));
	if (!machine)
		return 2;
	n -= (size_t)(end - text);
	found = REmatch(end, n, machine, &length, 0);
	printf("%d %d %zu\n", REtest(end, n, machine), found ? (int)(found - end) : -1, length);
	REdestroy(machine);
	return 0;
}
