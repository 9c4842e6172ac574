/* Calls that depend on inputs in part only: the C library may answer those of which nothing is symbolic. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number, or what may be behind it, depends on one character. */
static void numbers(const char *shape, char c)
{
	char s[16], *end;
	double d;
	long v;

	strcpy(s, shape);
	*strchr(s, '?') = c;
	v = strtol(s, &end, 0);
	printf("%ld %d ", v, (int)(end - s));
	d = strtod(s, &end);
	printf("%g %d\n", d, (int)(end - s));
}

int main(int argc, char **argv)
{
	static const char *const shapes[] = { "12?4", "9?7", "1e?", "1e+?", " -?", "4?e2", "7.?", "8 ?" };
	char a[9] = "", b[5] = "", buf[32] = "", word[8];
	int x, y, n = 0;

	strncpy(a, argv[1], 8);
	strncpy(b, argv[2], 4);
	for (int i = 0; i < 8; i++)
		numbers(shapes[i], a[i & 3]);
	strcpy(buf, a);
	n = snprintf(buf, 4, "%d-%s", 57, "xyz");
	printf("%s %d %zu|%s\n", buf, n, strlen(buf), buf + 4 + strlen(buf) / 4);
	sprintf(buf, "%.2s%5.3d%c%g", "xyz", -7, 'q', 0.25);
	printf("%s %ld\n", buf, (long)(strchr(buf, 'q') - buf));
	sprintf(buf, "%*d|%.*s", b[0] & 7, 3, b[1] & 3, "abcd");
	printf("%s\n", buf);
	sprintf(buf, "%d %s", 12, b);
	n = sscanf(buf, "%d %7s", &x, word);
	printf("%d %d %s\n", n, x, n > 1 ? word : "");
	x = y = b[0];
	n = sscanf("31 x 0x1f", "%d %*c %i", &x, &y);
	printf("%d %d %d\n", n, x + 1, y);
	x = b[1];
	n = sscanf("9.5abcz-", "%*f%[a-c]%n", word, &x);
	printf("%d %s %d\n", n, word, x == 6);
	sprintf(buf, "key=%c=", b[0]);
	printf("%ld %d\n", (long)(strchr(buf, '=') - buf), memchr(buf, '=', 4) == buf + 3);
	return argc;
}
