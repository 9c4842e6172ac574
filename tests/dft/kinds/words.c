/* Library functions and loops that look at texts and memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int text(const char *s, const char *t)
{
	char out[64];
	int n = 0;
	if (strlen(s) == 23)
		n += 1;
	if (strcmp(s, "configuration") == 0)
		n += 2;
	if (strchr(s, '%') == s + 9)
		n += 4;
	if (atoi(t) == 31337)
		n += 8;
	if (strtol(t, NULL, 16) == 0xbeef)
		n += 16;
	snprintf(out, sizeof out, "%d-%s", atoi(t), s);
	if (strcmp(out, "42-life") == 0)
		n += 32;
	return n;
}
int memory(unsigned char *p, unsigned char *q, unsigned n)
{
	unsigned char b[32];
	if (n > 32)
		return 1;
	memcpy(b, p, n);
	if (n > 10 && b[n - 1] == 0x7f)
		return 2;
	if (n == 17 && memcmp(b, q, n) == 0)
		return 3;
	memset(b, 0, n);
	return b[0] ? 5 : 4;
}
int numbers(const char *s)
{
	int a, b;
	double d = strtod(s, NULL);
	if (d == 2.5)
		return 1;
	if (sscanf(s, "%d,%d", &a, &b) == 2 && a * 3 == b + 1000)
		return 2;
	return 0;
}
static int own(const char *s) /* digits to a number */
{
	int v = 0;
	while (*s == ' ' || *s == '\t')
		s++;
	while (*s >= '0' && *s <= '9')
		v = v * 10 + (*s++ - '0');
	return *s ? -1 : v;
}
int loops(const char *s, const unsigned char *m, int n)
{
	unsigned sum = 0;
	int i;
	if (own(s) == 7777)
		return 1;
	for (i = 0; i < n && i < 40; i++)
		sum = sum * 31 + m[i];
	if (n == 12 && sum == 0xcafe)
		return 2;
	return 0;
}
