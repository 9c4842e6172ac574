/* Corners: where representations meet. (limits: address faults volatile) */
#include "tests/conform/conform.h"
#include <stdarg.h>

/* rule: structures of integers and floats by value */
struct id { int i; float f; };
struct di { double d; int i; };
struct ff { float a, b; };
struct fi { float f; int i; char c; };
union ul { double d; long l; char c[8]; };

static struct id turn_id(struct id s, int k) { s.i -= k; s.f *= 2; return s; }
static struct di turn_di(struct di s, long k) { s.i ^= (int)k; s.d += 1; return s; }
static struct fi turn_fi(struct fi s) { return (struct fi){ s.f + 1, s.i * 3, (char)(s.c + s.i) }; }
static union ul turn_ul(union ul u) { u.c[1]++; return u; }

static int classes(struct in in)
{
	struct id a = turn_id((struct id){ (int)in.x, 1.5f }, 7);
	struct di b = turn_di((struct di){ 0.5, (int)in.y }, in.x);
	struct fi c = turn_fi((struct fi){ 2.0f, (int)in.x, 'a' });
	union ul u = turn_ul((union ul){ .l = in.y });

	MARK(1, a.i == 1000 && a.f == 3.0f && b.i == 0x55);
	MARK(2, b.i == -1 && b.d == 1.5 && c.i == 33);
	MARK(3, c.c == 'z' && c.f == 3.0f && c.i == 75);
	MARK(4, u.l == 0x7700 && u.c[1] == 0x77);
	NEVER(5, a.i + 7 != (int)in.x);
	return 0;
}

/* rule: pointers as integers, tagged and mixed */
struct cell { long v; uintptr_t link; };

static int tagged(struct in in)
{
	struct cell a = { in.x, 0 }, b = { in.y, 0 }, c = { 3, 0 }, *p;

	a.link = (uintptr_t)&b | (in.x & 1);
	b.link = (uintptr_t)&c ^ (uintptr_t)&a;
	p = (struct cell *)(a.link & ~(uintptr_t)7);
	MARK(11, (a.link & 1) && p->v == 12);
	p = (struct cell *)(p->link ^ (uintptr_t)&a);
	MARK(12, p->v == 3 && in.y == -7);
	NEVER(13, p != &c);
	return 0;
}

/* rule: arrays of pointers at symbolic indices, swapped */
static int swapped(struct in in)
{
	int a = 10, b = 20, c = (int)in.y, *p[3] = { &a, &b, &c }, *t;
	unsigned i = (unsigned)in.x % 3, k = (unsigned)in.x / 3 % 3;

	t = p[i];
	p[i] = p[k];
	p[k] = t;
	*p[0] += 5;
	MARK(21, c == 47 && *p[0] == 47);
	MARK(22, b == 25 && *p[1] == 10 && c == 3);
	NEVER(23, a + b != 30 && a + b != 35);
	return 0;
}

/* rule: tables of structures at symbolic indices */
static const struct entry { char name[4]; int code; struct { short lo, hi; } range; } entries[] = {
	{ "add", 11, { 0, 9 } }, { "sub", 22, { 10, 99 } }, { "mul", 33, { -5, 5 } }, { "div", 44, { 7, 7 } },
};

static int tables(struct in in)
{
	const struct entry *e = &entries[in.x & 3];
	struct entry copy = entries[in.y & 3];

	MARK(31, e->code == 33 && in.x > 1000);
	MARK(32, e->name[0] == 'd' && in.y >= e->range.lo && in.y <= e->range.hi);
	MARK(33, copy.range.hi == 99 && copy.name[2] == 'b' && e->code == 11);
	MARK(34, memcmp(&e->range, &copy.range, sizeof copy.range) == 0 && copy.code == 44);
	NEVER(35, e->range.lo > e->range.hi);
	return 0;
}

/* rule: string literals and negative indices */
static int literals(struct in in)
{
	const char *digits = "0123456789abcdef", *end = digits + 16;

	MARK(41, "exact"[in.x % 5 < 0 ? 0 : in.x % 5] == 'c');
	MARK(42, end[-1 - (in.y & 15)] == 'a' && digits[in.y & 7] == '5');
	MARK(43, (in.y & 15)[digits] == '9' && in.x == 7);
	NEVER(44, end[-1 - (in.y & 15)] == digits[in.y & 15]);
	return 0;
}

/* rule: tables of functions in two dimensions */
static int one(int v) { return v + 1; }
static int two(int v) { return v * 2; }
static int three(int v) { return v - 3; }

static int grids(struct in in)
{
	static int (*const grid[2][2])(int) = { { one, two }, { three, one } };
	int v = grid[in.x & 1][in.y & 1]((int)in.x);

	MARK(51, v == 82 && (in.y & 1) == 1 && in.x & 1);
	MARK(52, v == 84 && (in.y & 1) == 1 && in.x == 42);
	MARK(53, v == 96);
	return 0;
}

/* rule: chained assignments through narrow types */
static int chained(struct in in)
{
	int a;
	char b;
	unsigned short c;
	struct { int f : 5; _Bool g : 1; unsigned h : 1; } s = { 0 };

	a = b = (char)(c = (unsigned short)in.x);
	MARK(61, a == -100 && c == 0x129c && b == a);
	a = s.f = (int)in.y;
	MARK(62, a == -16 && in.y == 48);
	a = s.g = in.y & 6;
	s.h += s.g;
	s.h += 1;
	MARK(63, a == 1 && s.h == 0 && s.f == 11);
	NEVER(64, a > 1);
	return 0;
}

/* rule: wide things among variable arguments */
static long mixed_list(int n, ...)
{
	va_list list;
	long t;

	va_start(list, n);
	t = (long)(va_arg(list, __int128) >> 60);
	t += (long)va_arg(list, double);
	t ^= va_arg(list, struct di).i;
	t += va_arg(list, char *)[1];
	va_end(list);
	return t;
}

static int wide_list(struct in in)
{
	long t = mixed_list(4, (__int128)in.x << 64, 2.0, (struct di){ 1, (int)in.y }, in.s);

	MARK(71, t == 0x1236 && in.s[1] == '4' && in.y == 0);
	NEVER(72, in.x == 0 && in.y == 0 && in.s[0] == 0 && t != 2 + in.s[1]);
	return 0;
}

/* rule: memory that moves: realloc keeps what was there */
static int moved(struct in in)
{
	unsigned char *p = malloc(8), *q;

	if (!p)
		return 0;
	memcpy(p, &in.x, 8);
	q = realloc(p, 4000);
	if (!q)
		return 0;
	q[3999] = q[7];
	p = q;
	MARK(81, p[0] == 'm' && p[3999] == 'v' && p[3] == 9);
	NEVER(82, p[7] != (unsigned char)(in.x >> 56));
	free(p);
	return 0;
}

/* rule: switch on characters, longs and booleans */
static int chosen(struct in in)
{
	switch ((_Bool)(in.x & 2)) {
	case 0: MARK(91, in.y == 5); break;
	case 1:
		switch ((signed char)in.y) {
		case -128: MARK(92, in.y > 0); break;
		case 127: MARK(93, in.y < 0); break;
		default: break;
		}
	}
	switch (in.x) {
	case -9223372036854775807l - 1: return mark(94);
	case 9223372036854775807l: return mark(95);
	}
	return 0;
}

/* rule: values that cross an unknown call */
static void *identity(void *p) { return p; }
static void *(*volatile pass)(void *) = identity;

static int crossed(struct in in)
{
	long v = in.x, *p = pass(&v), w = (long)(intptr_t)pass((void *)in.y);

	*p += 2;
	MARK(101, v == 44 && w == 0x123456789);
	NEVER(102, *p != in.x + 2);
	return 0;
}

/* rule: objects that overlap by unions and casts */
static int overlapping(struct in in)
{
	union { struct { unsigned char a, b; unsigned short c; } s; unsigned u; struct { unsigned lo : 4, mid : 24, hi : 4; } f; } o;
	long l = 0;

	o.u = (unsigned)in.x;
	o.f.mid = (unsigned)in.y;
	MARK(111, o.s.c == 0x7fed && o.s.a == 0xc3 && o.s.b == 0xba);
	((short *)&l)[in.y & 3] = (short)in.x;
	MARK(112, l == 0x7a5a00000000);
	((char *)&l)[in.x & 7] = -1;
	MARK(113, l == (long)0xff0000000000abcf);
	NEVER(114, l == 0x0101010101010101);
	return 0;
}

RULES(classes, tagged, swapped, tables, literals, grids, chained, wide_list, moved, chosen, crossed, overlapping)
