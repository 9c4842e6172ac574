#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char taken[400][2];
static int cond(int line, int c) { taken[line][c] = 1; return c; }
#define COND(c) cond(__LINE__, !!(c))
#line 1
typedef int (*op)(int);
struct hooks { int n; op call[2]; struct hooks *next; int (*two)(int, int); };
extern struct hooks *current(void);
int g = 1;
static int s = 4;
static int never = 5;
static op saved;
int one(int a)
{
	int r = a;
	if (COND(a > 0))
		s = r + 1;
	return r & 7;
}
static int two(int a)
{
	int r = a;
	if (COND(a == 5))
		g = r + 1;
	if (COND(g == 4))
		r = a;
	return r & 7;
}
int three(int a, int b)
{
	int r = a;
	if (COND(s == 2))
		g = 1;
	if (COND(never < 5))
		r = a;
	return r & 7;
}
static op table[2] = { one, two };
int f(struct hooks *h, int n)
{
	int x = n & 7;
	struct hooks *c;
	if (!h) return 0;
	saved = h->call[0];
	if (saved) x = saved(x) & 7;
	if (table[n & 1]) x = table[n & 1](x) & 7;
	if (COND(s > 2))
		x = x + 1;
	if (h->next && h->next->two)
		x = h->next->two(x, n & 3) & 7;
	if (COND(x == 4)) return 9;
	return x;
}

static int own(int a) { return rand() & 7; }
static int own_two(int a, int b) { if (rand() % 9 == 0) g = rand() & 7; return b; }
static struct hooks pool[4];
struct hooks *current(void) { return rand() % 4 ? &pool[rand() & 3] : 0; }
static op an_op(void) { switch (rand() % 5) { case 0: return 0; case 1: case 2: return one; default: return own; } }
int main(void)
{
	for (int run = 0; run < 300000; run++) {
		for (int i = 0; i < 4; i++) {
			struct hooks *h = &pool[i];
			h->n = rand() & 7;
			h->call[0] = an_op(), h->call[1] = an_op();
			h->two = rand() % 3 == 0 ? 0 : rand() % 2 ? three : own_two;
			h->next = rand() % 3 ? &pool[rand() & 3] : 0;
		}
		if (run % 5 == 0) g = rand() & 7;
		f(rand() % 20 ? &pool[rand() & 3] : 0, rand() & 15);
	}
	for (int i = 0; i < 400; i++)
		for (int k = 0; k < 2; k++)
			if (taken[i][k]) printf("%d %s\n", i, k ? "true" : "false");
	return 0;
}
