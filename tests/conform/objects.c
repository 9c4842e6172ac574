/* Objects: how values lie in memory. (limits: kept) */
#include "tests/conform/conform.h"

/* rule: bit-fields */
struct bits { int a : 3; unsigned b : 5; int : 0; long c : 41; unsigned d : 1; signed char e : 2; _Bool f : 1; };

static int bit_fields(struct in in)
{
	struct bits s = { 0 };

	s.a = in.x;
	s.b = in.x >> 3;
	s.c = in.y;
	s.d = in.y >> 45;
	s.f = in.x & 0x70000;
	MARK(1, s.a == -3 && s.b == 21 && in.x == 0x1ad && !s.f);
	MARK(2, s.c == -0x8000000001 && s.d && in.x == 4);
	MARK(3, s.a++ == 3 && s.a == -4 && s.b == 31 && in.y == 5);
	s.b += 7;
	MARK(4, s.b == 3 && s.a + s.b < 0 && s.f && in.y == 11);
	NEVER(5, s.a > 3);
	NEVER(6, s.b - 32 >= 0);
	NEVER(7, s.c > 0xffffffffff);
	return 0;
}

/* rule: bit-fields written beside each other */
static int bit_fields_kept(struct in in)
{
	union { struct { unsigned lo : 12, mid : 9, hi : 11; } f; unsigned w; } u = { .w = (unsigned)in.x };
	unsigned lo = u.f.lo, hi = u.f.hi;

	u.f.mid = (unsigned)in.y;
	NEVER(11, u.f.lo != lo || u.f.hi != hi);
	MARK(12, u.w == 0xdeadbeef && (in.x & 0x1ff000) == 0);
	u.f.mid ^= u.f.lo;
	MARK(13, u.f.mid == 0x155 && u.f.hi == 3 && u.f.lo == 0xfff);
	return 0;
}

/* rule: memcpy'd objects */
static int copied(struct in in)
{
	unsigned char raw[8];
	struct { short a; int b; } s = { 0 }, t;
	int i;

	memcpy(raw, &in.x, 8);
	MARK(21, raw[0] == 'd' && raw[3] == 'u' && raw[7] == 'c' && in.x % 1009 == 5);
	memcpy(&i, raw + 3, 4);
	MARK(22, i == -123456789);
	memcpy(&s, &in.y, sizeof s);
	t = s;
	MARK(23, t.a == -7 && t.b == 1 << 30 && raw[0] == 1);
	NEVER(24, t.a != (short)in.y);
	return 0;
}

/* rule: memmove overlap */
static int moved(struct in in)
{
	unsigned char b[12] = { 0 };

	memcpy(b, &in.x, 8);
	memmove(b + 2, b, 8);
	MARK(31, b[0] == b[2] && b[9] == 9 && b[8] == 8 && b[1] == 0x55);
	memmove(b + 1, b + 3, 6);
	MARK(32, b[1] == 7 && b[6] == 77 && b[7] == 3);
	NEVER(33, b[0] != (unsigned char)in.x);
	return 0;
}

/* rule: type-punned objects */
static int punned(struct in in)
{
	union { long l; int i[2]; unsigned short h[4]; unsigned char c[8]; } u;

	u.l = in.x;
	MARK(41, u.i[0] == -5 && u.i[1] == 77777);
	u.c[2] = (unsigned char)in.y;
	MARK(42, u.h[1] == 0xabcd && u.h[0] == 1);
	*(short *)&u.c[3] = (short)in.y;
	MARK(43, u.i[0] == 0x02020304 && u.c[4] == 9);
	NEVER(44, u.c[4] != (unsigned char)(in.y >> 8));
	return 0;
}

/* rule: unions in structures */
struct value { enum { INT, PAIR, BYTES } kind; union { long i; struct { int a, b; } p; char c[8]; } u; };

static long weigh(struct value v)
{
	return v.kind == INT ? v.u.i : v.kind == PAIR ? (long)v.u.p.a * v.u.p.b : v.u.c[0] + v.u.c[7];
}

static int unions(struct in in)
{
	struct value v = { (unsigned)in.y % 3, .u.i = in.x };
	long w = weigh(v);

	MARK(51, v.kind == PAIR && w == -1001 && v.u.p.b == 13);
	MARK(52, v.kind == BYTES && w == -200);
	MARK(53, v.kind == INT && w == 0x123456789abcdef);
	NEVER(54, v.kind == BYTES && w < -256);
	return 0;
}

/* rule: structures copied whole and by part */
struct point { int x, y; };
struct shape { char tag; struct point p[3]; short z; };

static int structures(struct in in)
{
	struct shape a = { 'a', { { 1, 2 }, { 3, 4 } }, 5 }, b, *p = &b;
	struct point q;

	a.p[1].x = (int)in.x;
	a.p[2] = (struct point){ (int)in.y, (int)(in.y >> 32) };
	b = a;
	a.p[1].x = 0;
	q = p->p[2];
	MARK(61, b.p[1].x == 31337 && q.x == -1 && q.y == 17);
	p->p[0] = p->p[1];
	MARK(62, b.p[0].x + q.y == 100 && q.x == 0x7fffffff && b.p[0].x == 99);
	NEVER(63, a.p[1].x || b.p[0].y != 4);
	return 0;
}

/* rule: compound literals */
static int sum(const int *p, int n)
{
	int t = 0;

	while (n--)
		t = t * 3 + p[n];
	return t;
}

static int literals(struct in in)
{
	int *p = (int[]){ 1, (int)in.x, [4] = (int)in.y };

	MARK(71, sum(p, 5) == 99999 && in.x == 4);
	MARK(72, ((struct point){ .y = (int)in.x }).y == 8192);
	MARK(73, ((char *)&(long){ in.x * 3 })[3] == 'Z');
	NEVER(74, p[2] | p[3] | (p[0] - 1));
	return 0;
}

/* rule: designated initialisers */
static int designated(struct in in)
{
	int a[8] = { [5] = (int)in.x, 7, [1] = (int)in.y, (int)in.x + 1, [5] = 9 };
	struct shape s = { .z = (short)in.x, .p[1] = { .y = (int)in.y }, .tag = 'q' };

	NEVER(81, a[5] != 9 || a[6] != 7 || a[0]);
	MARK(82, a[1] == -77 && a[2] == 0x10000);
	MARK(83, s.z == -2 && s.p[1].y == 12345 && s.p[1].x == 0);
	NEVER(84, s.p[0].x || s.p[2].y);
	return 0;
}

/* rule: enumerations */
enum colour { RED = -2, GREEN, BLUE = 7, ALPHA = BLUE << 3 };
enum wide { LOW = 1, HIGH = 0x80000000 };

static int enumerations(struct in in)
{
	enum colour c = (enum colour)in.x;
	enum wide w = (enum wide)in.y;

	MARK(101, c == GREEN && in.x > 100);
	MARK(102, c == ALPHA && w == HIGH && in.y < 0);
	MARK(103, c < RED && w > HIGH);
	NEVER(104, (int)w == w && w > HIGH && (int)w == HIGH);
	return 0;
}

/* rule: _Bool */
static int booleans(struct in in)
{
	_Bool b = in.x & 0x100, c = (in.y & 0xff00) != 0, d = b + c;
	_Bool e[2] = { in.x, !in.y };

	MARK(111, b == 1 && (in.x & 0xff) == 3 && d && !c);
	MARK(112, b + c + d == 3 && in.x == -1);
	b = (_Bool)(char)in.x;
	MARK(113, !b && e[0] && e[1]);
	b -= 1;
	NEVER(114, b != !(char)in.x);
	NEVER(115, *(unsigned char *)&e[0] > 1);
	return 0;
}

/* rule: symbolic indices, several dimensions */
static int indices(struct in in)
{
	static const unsigned char table[16] = "symbolic indices";
	int m[3][4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 10, 11, 12 } };
	unsigned i = (unsigned)in.x % 3, j = (unsigned)in.y % 4;

	MARK(121, table[in.x & 15] == 'd' && m[i][j] == 12);
	m[i][j] = 100;
	MARK(122, m[1][2] == 100);
	m[j % 3][i] += (int)in.y;
	MARK(123, m[2][0] == 51 && j == 2);
	MARK(124, table[(in.x + in.y) & 15] == table[in.y & 7] && table[in.y & 7] == 'i' && i == 2);
	NEVER(125, m[0][0] == 2 && i && j % 3);
	return 0;
}

/* rule: writes through symbolic indices, read by others */
static int scattered(struct in in)
{
	unsigned char a[8] = { 0 };

	a[in.x & 7] = 3;
	a[in.y & 7] += 4;
	MARK(131, a[5] == 7);
	MARK(132, a[in.y >> 3 & 7] == 4 && a[6] == 3);
	a[a[2]] = 9;
	MARK(133, a[4] == 9 && a[3] == 0);
	NEVER(134, a[(in.x + 1) & 7] == 7);
	return 0;
}

/* rule: pointers to pointers */
static int pointers(struct in in)
{
	int a = (int)in.x, b = 5, *p = &a, *q = &b, **pp = in.y & 1 ? &p : &q, ***ppp = &pp;

	MARK(141, ***ppp == 77);
	*pp = &b;
	**ppp = &a;
	***ppp += 10;
	MARK(142, *q == 93 && *p == 93);
	NEVER(143, p != &a && q != &a);
	return 0;
}

/* rule: comparison and difference of pointers */
static int differences(struct in in)
{
	int a[10], *p = a + (unsigned)in.x % 10, *q = &a[(unsigned)in.y % 11];

	MARK(151, q - p == 7 && in.x > 1000);
	MARK(152, p > q && (char *)p - (char *)q == 24 && in.y > 50);
	MARK(153, q == a + 10 && p == &a[9]);
	NEVER(154, q - p > 10);
	NEVER(155, p - q == 10);
	return 0;
}

RULES(bit_fields, bit_fields_kept, copied, moved, punned, unions, structures, literals, designated,
	enumerations, booleans, indices, scattered, pointers, differences)
