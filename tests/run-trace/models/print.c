/* printf into memory: what it writes decides what is done next. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int value(const char *s) { return (s[0] & 255) << 8 | (s[1] & 255); }

int main(int argc, char **argv)
{
	const char *a = argv[1], *b = argv[2];
	int x = a[0] ? value(a) - 20000 : 0, i, n;
	char buf[64] = "", small[6], *made;

	n = snprintf(buf, sizeof buf, "%d:%5.3d|%-+6d|%06d|% d", x, x / 3, x, -x, x);
	for (i = 0; buf[i]; i++)
		putchar(buf[i] >= '5' && buf[i] <= '7' ? '*' : buf[i]);
	printf(" %d\n", n);
	n = snprintf(small, sizeof small, "%x", x & 0xfffff);
	if (!strcmp(small, "4e2e"))
		puts("4e2e");
	sprintf(buf, "%s/%-4s/%.2s%c", b, a, a, b[0]);
	if (strchr(buf, 'c'))
		puts("c");
	if (asprintf(&made, "%o %#x %hhd %u", x & 511, x & 255, x, (unsigned)x) > 0)
		printf("%s %d %zu\n", made, n, strlen(made));
	free(made);
	sprintf(buf, "%g %d", 0.5, x);
	printf("%d\n", strcmp(buf, "0.5 -19"));
	return argc;
}
