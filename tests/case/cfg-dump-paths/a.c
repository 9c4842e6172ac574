#include <stdlib.h>
#include <string.h>
#include <stdio.h>
struct node { int v; struct node *next; struct { int a, b; } in; union { int i; float f; }; unsigned lo:3, hi:5; signed sb:4; };
typedef struct { char name[8]; int tab[3][4]; } T;
enum color { RED, GREEN = 5 };
static int table[4] = {1, 2, 3, 4};
const char *names[] = {"one", "two"};
int counter;
extern int outside;
T g;
static int unused(int q) { return q && counter; }
int walk(struct node *p, T t, enum color c, int (*fp)(int), int m[][4], char *s)
{
	static int calls;
	struct node n = *p, *q = p;
	int a[5] = {0}, i = c;
	n.in.a = 3; n.i = 4; n.lo = 2; n.hi = n.sb;
	calls++;
	p->next->v = a[2] + a[i] + table[i];
	m[1][2] = m[i][3];
	*s = s[i];
	t.tab[i][1] = g.tab[2][i];
	q->in.b += fp(2);
	q = q->next;
	q++;
	for (int i = 0; i < 3; i++) { int i = 2; counter += i; }
	return outside + n.v + (c == RED) + strlen(names[1]) + n.lo;
}
struct big { int v[8]; };
struct big made(int i) { struct big d = {{1}}; d.v[i] = 2; return d; }
