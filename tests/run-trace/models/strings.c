/* Library functions on the two strings that are its arguments; prints what they say. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int x) { return (x > 0) - (x < 0); }
static long at(const char *p, const char *base) { return p ? p - base : -1; }
static int order(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }

/* Where a character is in a set, and a text that one of two pointers leads to. */
static void sets(const char *a, const char *b)
{
	static const char set[] = "c1,ab";
	const char *either[2] = { a, b }, *p = strchr(set, *a), *q = memchr(set, *b, 3);

	if (p)
		printf("%d %ld\n", *p, at(p, set));
	printf("%ld %d %d\n", at(q, set), strpbrk(a, "zB,") != NULL, (p ? at(p, set) : 0) == 3);
	if (!strcmp(either[*b == 'x'], "ab") || atoi(either[a[0] == '9']) == 77)
		puts("either");
}

int main(int argc, char **argv)
{
	const char *a = argv[1], *b = argv[2];
	char buf[64] = "", copy[64], *save, *p, *end;
	int i, x = 0, n = 0;
	long v;

	printf("%zu %zu\n", strlen(a), strnlen(a, 3));
	printf("%ld %ld %ld\n", at(strchr(a, 'b'), a), at(strrchr(a, *b), a), at(memchr(a, 'c', strlen(a)), a));
	printf("%d %d %d %d\n", sign(strcmp(a, b)), sign(strncmp(a, b, 2)), sign(memcmp(a, b, 1)), sign(strcasecmp(a, b)));
	strcpy(buf, a);
	strcat(buf, b);
	strncat(buf, b, 2);
	printf("%s\n", buf);
	memmove(buf + 1, buf, strlen(buf) + 1);
	memset(buf, *b ? *b : '.', 2);
	printf("%s\n", buf);
	printf("%ld %zu %zu\n", at(strstr(a, b), a), strspn(a, "ab"), strcspn(a, "c1"));
	memcpy(copy, a, strlen(a) + 1);
	for (p = strtok_r(copy, ", ", &save); p; p = strtok_r(NULL, ", ", &save))
		printf("[%s]", p);
	v = strtol(a, &end, 0);
	printf("\n%ld %ld %d\n", v, at(end, a), atoi(b));
	for (i = 0; a[i]; i++)
		printf("%d%d%d%d%c", !!isalpha((unsigned char)a[i]), !!isdigit((unsigned char)a[i]),
		       !!isspace((unsigned char)a[i]), !!ispunct((unsigned char)a[i]), toupper((unsigned char)a[i]));
	printf("\n%d", sscanf(a, "%d%1s%n", &x, buf, &n));
	printf(" %d %s %d\n", x, buf, n);
	sets(a, b);
	p = strdup(a);
	qsort(p, strlen(p), 1, order);
	printf("%s\n", p);
	free(p);
	if (a[0] == 'x' && b[0] == 'y')
		puts("xy");
	return argc;
}
