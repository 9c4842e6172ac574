/* Numbers in its arguments, and where they end; prints what the library says. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static void both(const char *s, int base)
{
	char *end;
	long v;
	unsigned long u;

	errno = 0;
	v = strtol(s, &end, base);
	printf("%d: %ld %d %d ", base, v, (int)(end - s), errno);
	errno = 0;
	u = strtoul(s, &end, base);
	printf("%lx %d %d\n", u, *end == '\0', errno);
	if (v == 1234567 || v < -100)
		puts("v");
}

int main(int argc, char **argv)
{
	both(argv[1], 10);
	both(argv[2], 0);
	both(argv[2], 16);
	both(argv[2], 36);
	if (atoi(argv[1]) == 77 && atol(argv[1]) > 100)
		puts("truncated");
	return argc;
}
