/* Conditions that come out of macros, of this file and of system headers. */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#define BOTH(x, y) ((x) && (y))
#define POSITIVE(x) x > 0
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define CHECK(c) do { if (!(c)) return -1; } while (0)
#define TWICE(x) BOTH(x, BOTH(x, 1))
#define NAME(a, b) a##b
#define WHEN(c) if (c)
#define CASES case 7: case 8:
#define UNTIL(c) while (!(c))
#define ID(x) x
#define likely(x) __builtin_expect(!!(x), 1)

static int own(int a, int b)
{
	int r = 0, ab = 3;
	if (BOTH(a, b)) r++;
	if (POSITIVE(a)) r++;
	if (!BOTH(a, b) || POSITIVE(b)) r++;
	r += MAX(a, b) + MAX(MAX(a, 1), b && a);
	CHECK(a < 100);
	CHECK(a < 100 && b < 100);
	if (TWICE(a)) r++;
	if (NAME(a, b)) r++;
	if (NAME(a, b) && NAME(a, ) > 1) r++;
	WHEN(a || b) r++;
	WHEN(ID(a)) r++;
	if (ID(a) && ID(ID(b))) r++;
	switch (a) { CASES r++; }
	UNTIL(a++ > 3 || b) r++;
	if (likely(a)) r++;
	if (likely(a && b)) r++;
	return r;
}

static int theirs(int a, int b, const char *s, int status)
{
	int r = 0;
	assert(a < 1000);
	assert(a < 1000 && b < 1000);
	if (isalpha((unsigned char)s[0]) && !isdigit(s[1])) r++;
	if (errno) r++;
	if (EOF == a) r++;
	if (s != NULL && strcmp(s, "x")) r++;
	if (WIFEXITED(status) && WIFSIGNALED(status)) r++;
	r += WIFSIGNALED(status) || WIFSTOPPED(status);
	return r;
}

int main(int argc, char **argv)
{
	int r = 0;
	for (int a = 0; a < 3; a++)
		r += own(a, argc - 1) + theirs(a, 3, a ? "ab" : argv[1] ? "" : "3", argc);
	return r < 0;
}
