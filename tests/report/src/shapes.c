/* Inputs of every shape, for tests that are written, compiled and run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hidden;
union word { unsigned u; unsigned char b[4]; };
struct pair { short x; const char *name; };
struct node {
	int value;
	unsigned low : 3, high : 7;
	union word word;
	struct { signed char tag; char text[5]; };
	struct node *next, *other;
	const struct pair *pair;
	int (*call)(int);
	struct hidden *hidden;
};

int table[3][2];
static struct pair chosen;

int tree(const struct node *n)
{
	int sum = 0;

	if (!n)
		return 0;
	if (n->value == 1000 && n->low == 5 && n->high == 77)
		sum += 1;
	if (n->word.b[1] == 'w' && n->tag == -3)
		sum += 2;
	if (!strcmp(n->text, "key"))
		sum += 4;
	if (n->next && n->next->value == 7)
		sum += 8;
	if (n->other && n->other->other)
		sum += 16;
	if (n->pair && n->pair->x < 0 && n->pair->name && n->pair->name[0] == '"')
		sum += 32;
	return sum;
}

int scalars(signed char a, unsigned char b, short c, unsigned short d, unsigned e, long f,
            unsigned long g, long long h, _Bool i, char j)
{
	if (a == -128 && b == 255)
		return 1;
	if (c == -32768 && d == 65535)
		return 2;
	if (e == 4294967295u)
		return -2147483647 - 1;
	if (f == -9223372036854775807L - 1 && g == 18446744073709551615ul)
		return 4;
	if (h == 123456789012345LL && i)
		return 5;
	return j == '\'' ? 6 : j == '\\' ? 7 : 0;
}

unsigned long wide(unsigned long x)
{
	return x > 10 ? 18446744073709551615ul : x;
}

double floats(float f, double d, int n)
{
	if (n > 3)
		return 0.1 * n;
	return (double)f + d;
}

char *pointer(char *text, void *raw, int n)
{
	const unsigned char *bytes = raw;

	if (n == 3 && bytes[2] == 9)
		return text[0] == 'x' ? text + 1 : NULL;
	return NULL;
}

int same(int *p, int *q)
{
	*p = 1;
	*q = 2;
	if (*p == 2)
		return 1;
	return 0;
}

int globals(int n)
{
	if (table[2][1] == 5 && table[0][0] == n)
		return chosen.x == 3;
	return 2;
}

int byvalue(struct pair p, struct node n)
{
	if (p.x == n.value && p.x > 4)
		return p.name ? 1 : 2;
	return 0;
}

int count(int count)
{
	return count > 9 ? count : 0;
}

int bad(int n)
{
	int *nowhere = NULL;

	if (n == 1)
		abort();
	if (n == 2)
		return *nowhere;
	if (n == 3)
		exit(7);
	if (n == 4)
		puts("four");
	return 12 / (n - 5);
}

int main(int argc, char **argv)
{
	printf("%d %s\n", argc, argv[0]);
}
