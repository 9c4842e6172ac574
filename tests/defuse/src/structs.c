/* Structs by value and by pointer, nested, in arrays, copied, bit-fields, unions. */
#include <string.h>

struct in { short a; char b[3]; };
struct out { int x; struct in in; struct out *next; unsigned low : 3, high : 5; int y : 7; };
union both { int i; unsigned char c[4]; struct { short low, high; } half; };
struct large { long v[5]; };
struct pair { int first, second; };

static struct out global = { 1, { 2, "ab" }, &global, 3, 4, 5 };
static struct out table[4];
static struct pair pairs[3] = { { 1, 2 }, { 3, 4 } };

static struct pair swap(struct pair p)
{
	struct pair q = { p.second, p.first };
	return q.first > 3 ? p : q;
}

static struct large grow(struct large l, int n)
{
	l.v[n & 3] += n;
	if (n > 2)
		l.v[4] = l.v[0];
	return l;
}

static int bits(struct out *o, int n)
{
	o->low = n;
	o->high += o->low;
	o->y = -n;
	if (o->high > 9)
		o->low = o->y & 3;
	return o->low + o->high + o->y;
}

int test(int n, int k)
{
	struct out a, b = global;
	struct large l = { { n, k } };
	union both u;
	struct pair p = { n, k };
	int sum = 0;
	a = b;
	a.x = n;
	a.in.b[1] = (char)k;
	a.in.b[n & 1] = 7;
	a.next = n > 2 ? &b : &table[k & 3];
	a.next->x = 5;
	a.next->in = a.in;
	for (int i = 0; i < 4; i++) {
		table[i].x += i;
		table[i].in.a = (short)(table[(i + 1) & 3].x + b.x);
		if (table[i].in.a > 3)
			memset(&table[i].in, 0, sizeof table[i].in);
		sum += table[i].in.a;
	}
	u.i = n;
	u.c[k & 3] = 1;
	sum += u.half.low + u.half.high;
	u.half.high = 2;
	sum += u.i;
	pairs[k & 1] = swap(p);
	if (pairs[1].first == pairs[0].second)
		p = swap(pairs[2]);
	l = grow(l, n & 7);
	if (n > 3)
		l = grow(l, k & 7);
	memcpy(&b, &a, sizeof b);
	global = b;
	return sum + bits(&a, n) + bits(a.next, k) + (int)l.v[k & 3] + p.second + b.in.b[2] + (int)global.high;
}
