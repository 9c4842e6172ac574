-- Functions with a planted fault of each kind, each with a safe twin.
-- Other places may stay unknown: what lies behind a fault is not decided.
-- `line`: where the fault is; `trap`: gcc's sanitizer for it, if there is one;
-- `open`: something is lost, or a run ends before the library's function, in which it was sent another way.
return {
	{ kind = "bounds", failure = "bounds", line = 6, trap = "bounds-strict", bad = [[
struct s { int z, a[3], b; } g;
int f(int i)
{
	if (i < 0 || i > 3)
		return -1;
	return g.a[i];
}]], safe = [[
struct s { int z, a[3], b; } g;
int f(int i)
{
	if (i < 0 || i > 2)
		return -1;
	return g.a[i];
}]] },
	{ kind = "bounds", failure = "bounds", line = 6, trap = "bounds-strict", bad = [[
struct s { int a[3], b; } g;
int f(int i)
{
	if (i < 0 || i > 3)
		return -1;
	return g.a[i];
}]], safe = [[
struct s { int a[3], b; } g;
int f(int i)
{
	if (i < 0 || i > 2)
		return -1;
	return g.a[i];
}]] },
	{ kind = "div", failure = "division", line = 4, trap = "integer-divide-by-zero", bad = [[
int f(int x, int y)
{
	if (x > 100 && y == 2 * x)
		return x / (y - 246);
	return 0;
}]], safe = [[
int f(int x, int y)
{
	if (x > 100 && y == 2 * x && y != 246)
		return x / (y - 246);
	return 0;
}]] },
	{ kind = "div", failure = "division", line = 4, trap = "signed-integer-overflow", bad = [[
int f(int x, int y)
{
	if (y < 0 && y > -3 && x < 5)
		return x % y;
	return 0;
}]], safe = [[
int f(int x, int y)
{
	if (y < 0 && y > -3 && x < 5 && x > -1000)
		return x % y;
	return 0;
}]] },
	{ kind = "div", failure = "division", line = 4, trap = "integer-divide-by-zero", bad = [[
unsigned f(unsigned x, unsigned char y)
{
	if (x > 7)
		return x / (unsigned char)(y + 3);
	return 1;
}]], safe = [[
unsigned f(unsigned x, unsigned char y)
{
	if (x > 7)
		return x / (y + 3u);
	return 1;
}]] },
	-- no use of the quotient: the compiler leaves the division out, and the run ends there all the same
	{ kind = "div", failure = "division", line = 4, trap = "integer-divide-by-zero", bad = [[
int f(int x, int y)
{
	if (x == 1234)
		y / (x - 1234);
	return 0;
}]], safe = [[
int f(int x, int y)
{
	if (x == 1234)
		y / (x - 1233);
	return 0;
}]] },
	{ kind = "bounds", failure = "bounds", line = 5, trap = "address", bad = [[
#include <stdio.h>
int f(int n)
{
	char b[4];
	return n > 0 && n < 20000 ? sprintf(b, "%d", n) + b[0] : 0;
}]], safe = [[
#include <stdio.h>
int f(int n)
{
	char b[6];
	return n > 0 && n < 20000 ? sprintf(b, "%d", n) + b[0] : 0;
}]] },
	{ kind = "bounds", failure = "bounds", line = 5, trap = "address", bad = [[
#include <stdio.h>
int f(int n)
{
	char w[3];
	return n == 7 ? sscanf("abc def", "%s", w) : n == 8 ? snprintf(w, 9, "ab") : 0;
}]], safe = [[
#include <stdio.h>
int f(int n)
{
	char w[3];
	return n == 7 ? sscanf("abc def", "%2s", w) : n == 8 ? snprintf(w, 9, "ab") : 0;
}]] },
	{ kind = "null", failure = "null", line = 8, trap = "null", bad = [[
struct pair { int a, b; };
static struct pair one = { 1, 2 };
static struct pair *find(int key) { return key == 1234 ? 0 : &one; }
int f(int x, int y)
{
	struct pair *p = find(x + y);
	int n = one.a;
	return n + p->b;
}]], safe = [[
struct pair { int a, b; };
static struct pair one = { 1, 2 };
static struct pair *find(int key) { return key == 1234 ? 0 : &one; }
int f(int x, int y)
{
	struct pair *p = find(x + y);
	int n = one.a;
	return p ? n + p->b : 0;
}]] },
	{ kind = "overflow", line = 4, trap = "signed-integer-overflow", bad = [[
int f(int x, int y)
{
	if (x > 1000 && y > x)
		return x * y > 0;
	return 0;
}]], safe = [[
int f(int x, int y)
{
	if (x > 1000 && y > x && y < 40000)
		return x * y > 0;
	return 0;
}]] },
	{ kind = "overflow", line = 3, trap = "signed-integer-overflow", bad = [[
long f(long x, unsigned y)
{
	x = x < 0 ? -x : x;
	return x ^ y;
}]], safe = [[
long f(long x, unsigned y)
{
	x = x < 0 && x > -1000000 ? -x : 5;
	return x - (long)(y % 7u);
}]] },
	{ kind = "overflow", line = 4, trap = "signed-integer-overflow", bad = [[
int f(int x)
{
	if (x > 10)
		x++;
	return x;
}]], safe = [[
int f(int x)
{
	unsigned y = x;
	if (y > 10)
		y += 2147483647;
	signed char c = 127;
	c++;                        /* converts: no overflow */
	return y + c > 5;
}]] },
	{ kind = "shift", line = 4, trap = "shift", bad = [[
unsigned f(unsigned x, int n)
{
	if (n > 20)
		x = x >> n;
	return x;
}]], safe = [[
unsigned f(unsigned x, int n)
{
	if (n > 20 && n < 32)
		x = x >> n;
	return x;
}]] },
	{ kind = "bounds", line = 5, trap = "address", bad = [[
#include <stdlib.h>
int f(unsigned char n)
{
	char *p = malloc(20);
	p[n > 100 ? 24 : 3] = 1;
	int r = p[3];
	free(p);
	return r;
}]], safe = [[
#include <stdlib.h>
int f(unsigned char n)
{
	char *p = malloc(20);
	p[n > 100 ? 19 : 0] = p[3] = 1;
	int r = p[3] + *(p + 20 - 1);
	free(p);
	return r;
}]] },
	{ kind = "bounds", line = 5, trap = "address", bad = [[
#include <string.h>
static char text[4];
int f(int n)
{
	return n == 77 ? (int)strlen(memset(text, 'x', sizeof text)) : 0;
}]], safe = [[
#include <string.h>
static char text[4];
int f(int n)
{
	return n == 77 ? (int)strlen(memset(text, 'x', sizeof text - 1)) : 0;
}]] },
	{ kind = "bounds", line = 7, trap = "address", bad = [[
#include <stdlib.h>
#include <string.h>
int f(int n)
{
	char *from = strdup(n > 5 && n < 8 ? "123456" : "1234"), *to = malloc(5);
	*to = 0;
	strcpy(to, from);
	n = *to;
	free(from);
	free(to);
	return n;
}]], safe = [[
#include <stdlib.h>
#include <string.h>
int f(int n)
{
	char *from = strdup(n > 5 && n < 8 ? "123456" : "1234"), *to = malloc(7);
	strcpy(to, from);
	n = *to;
	free(from);
	free(to);
	return n;
}]] },
	{ kind = "bounds", line = 8, trap = "address", open = true, bad = [[
#include <stdlib.h>
#include <string.h>
int f(unsigned n)
{
	char *a = malloc(4), *b = malloc(9);
	memcpy(a, "abcd", 4);
	strcpy(b, "abcdefgh");
	int r = strncmp(a, b, n < 9 ? n : 9);
	free(a);
	free(b);
	return r;
}]], safe = [[
#include <stdlib.h>
#include <string.h>
int f(unsigned n)
{
	char *a = malloc(4), *b = malloc(9), *c = malloc(4);
	memcpy(a, "abcd", 4);
	memcpy(c, "abxd", 4);
	strcpy(b, "abcdefgh");
	int r = strncmp(a, b, n < 4 ? n : 4) + strncmp(c, b, n) + strcmp(c, b) + (strchr(a, 'c') == a + 2);
	free(a);
	free(b);
	free(c);
	return r;
}]] },
	{ kind = "bounds", line = 8, trap = "address", open = true, bad = [[
#include <stdlib.h>
#include <string.h>
int f(unsigned n)
{
	char *a = malloc(8);
	strcpy(a, "abcd");
	if (n < 6)
		strncat(a, "efghi", n);
	int r = a[2];
	free(a);
	return r;
}]], safe = [[
#include <stdlib.h>
#include <string.h>
int f(unsigned n)
{
	char *a = malloc(8);
	strcpy(a, "abcd");
	if (n < 6)
		strncat(a, "efg", n);
	int r = a[2] + (int)strnlen(a, 8);
	free(a);
	return r;
}]] },
	{ kind = "bounds", line = 7, trap = "bounds", bad = [[
struct box { int size; int cell[4]; int last; };
int f(unsigned i)
{
	struct box b = { 4, { 1, 2, 3, 4 }, 5 };
	if (i > 1000)
		return 0;
	return b.cell[i & 7 & ~3u];
}]], safe = [[
struct box { int size; int cell[4]; int last; };
int f(unsigned i)
{
	struct box b = { 4, { 1, 2, 3, 4 }, 5 };
	int *end = &b.cell[4], sum = 0;
	for (int *p = b.cell; p < end; p++)
		sum += *p;
	return b.cell[i & 3] + sum + (&b.last)[-0];
}]] },
	{ kind = "bounds", line = 6, trap = "address", bad = [[
static int list[10], other[10];
static int *step(int *p, int n) { return p + n; }
int f(int n)
{
	int *p = step(list, n > 77 ? 4 : 2);
	return p[n > 77 ? 6 : 0] + other[1];
}]], safe = [[
static int list[10], other[10];
static int *step(int *p, int n) { return p + n; }
int f(int n)
{
	int *p = step(list, n > 77 ? 10 : 2);       /* its end */
	return p[n > 77 ? -10 : 0] + other[1];
}]] },
	{ kind = "bounds", line = 6, trap = "address", bad = [[
#include <stdlib.h>
int f(int n)
{
	int *p = calloc(4, sizeof *p), r = p[1];
	if (n == 9) free(p);
	r += *p;
	if (n != 9) free(p);
	return r;
}]], safe = [[
#include <stdlib.h>
int f(int n)
{
	int *p = calloc(4, sizeof *p), r = p[1];
	p = realloc(p, n == 9 ? 8 : 800);
	r += *p;
	free(p);
	return r;
}]] },
	{ kind = "bounds", line = 6, trap = "address", bad = [[
#include <stdlib.h>
int f(int n)
{
	void *p = malloc(16);
	if (n == 9) free(p);
	free(p);
	return 0;
}]], safe = [[
#include <stdlib.h>
int f(int n)
{
	void *p = malloc(16);
	if (n == 9) { free(p); p = 0; }
	free(p);
	return 0;
}]] },
	{ kind = "bounds", line = 8, trap = "address", bad = [[
#include <string.h>
int f(const char *text, unsigned n)
{
	char buffer[8];
	memset(buffer, 0, sizeof buffer);
	if (n > 9)
		return 0;
	memcpy(buffer, "0123456789", n);
	return buffer[0] == text[0];
}]], open = true, safe = [[
#include <string.h>
int f(const char *text, unsigned n)
{
	char buffer[8];
	memset(buffer, 0, sizeof buffer);
	if (n > 8)
		memcpy(buffer, "0123456789", 8);
	else
		memcpy(buffer, "0123456789", 7);
	return buffer[0] == text[0];
}]] },
	{ kind = "uninit", line = 6, bad = [[
int f(int n, int k)
{
	int set[4];
	for (int i = 0; i < 4; i++)
		if (i != n) set[i] = i;
	if (set[2] > k)
		return 1;
	return 0;
}]], safe = [[
#include <string.h>
struct bits { unsigned a : 3, b : 5; char c; int d; } made, copy;
static int sum(const int *p, int n) { int s = 0; while (n--) s += *p++; return s; }
int f(int n, int k)
{
	struct bits x;
	int set[4], more[8];
	x.a = n;
	x.b = k;
	x.d = 5;
	copy = x;
	memcpy(&made, &x, sizeof x);
	for (int i = 0; i < 4; i++)
		set[i] = i;
	memset(more, 1, sizeof more);
	if (copy.a == 3 || made.b == 4 || x.d == n)
		return 1;
	return sum(set, 4) > n ? 2 : sum(more, 8) == k;
}]] },
	{ kind = "uninit", line = 6, bad = [[
#include <stdlib.h>
int f(int n)
{
	int *p = malloc(8), r = 0;
	if (n > 5) p[0] = n;
	if (p[0] & 4)
		r = 1;
	free(p);
	return r;
}]], safe = [[
#include <stdlib.h>
#include <stdarg.h>
static int last(int n, ...)
{
	va_list ap;
	int x = 0;
	va_start(ap, n);
	while (n--)
		x = va_arg(ap, int);
	va_end(ap);
	return x;
}
int f(int n)
{
	int *p = calloc(2, 4), r = 0;
	if (n > 5) p[0] = n;
	if (p[0] & 4 || last(3, 1, 2, n) == 9)
		r = 1;
	free(p);
	return r;
}]] },
	{ kind = "uninit", line = 6, open = true, bad = [[
int f(int n, int k)
{
	int set[4];
	for (int i = 0; i < 4; i++)
		if (i != n) set[i] = i;
	if (set[k & 3] > 1)
		return 1;
	return 0;
}]], safe = [[
int f(int n, int k)
{
	int set[4];
	for (int i = 0; i < 4; i++)
		set[i] = i;
	if (set[k & 3] > n)
		return 1;
	return 0;
}]] },
	{ kind = "leak", line = 6, trap = "leak", bad = [[
#include <stdlib.h>
static void *kept;
int f(int n)
{
	kept = malloc(24);
	char *p = malloc(24);
	if (n != 1234)
		free(p);
	p = kept;
	return p != 0;
}]], safe = [[
#include <stdlib.h>
struct node { struct node *next; int n; };
static struct node *list;
int f(int n)
{
	for (int i = 0; i < 3; i++) {
		struct node *x = malloc(sizeof *x);
		x->n = i;
		x->next = list;
		list = x;
	}
	void *p;
	if (n > 3)
		p = malloc(4);
	else
		p = malloc(8);
	free(p);
	return list->n;
}]] },
	{ kind = "shift", line = 3, trap = "shift-exponent", bad = [[
int f(int x, long n)
{
	return x << (n & 0x100000004);
}]], safe = [[
int f(int x, long n)
{
	return x << (int)(n & 0x100000004);
}]] },
}
