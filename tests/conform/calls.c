/* Calls: arguments and results of all kinds. (limits: volatile) */
#include "tests/conform/conform.h"
#include <stdarg.h>

/* rule: variable arguments */
static long gather(const char *kinds, ...)
{
	va_list list, copy;
	long t = 0;

	va_start(list, kinds);
	va_copy(copy, list);
	for (const char *k = kinds; *k; k++)
		t = t * 10 + (*k == 'i' ? va_arg(list, int) : *k == 'l' ? va_arg(list, long) : *va_arg(list, int *));
	va_end(list);
	if (kinds[0] == 'l')
		t += va_arg(copy, long) * 1000000;
	va_end(copy);
	return t;
}

static int variadic(struct in in)
{
	int i = (int)in.y;
	long t = gather("ilpil", 1, in.x, &i, i + 1, 5L);

	MARK(1, t == 12345 && i == 3);
	MARK(2, gather("iiiiiiiiii", 1, 2, (int)in.x, 4, 5, 6, 7, (char)in.y, 9, 0) == 1234567890 && in.x == 3);
	MARK(3, gather("ll", in.x, in.y) == 7000070 && in.y == 0);
	NEVER(4, gather("") != 0);
	return 0;
}

/* rule: structures among variable arguments */
struct one { int a; };
struct two { long a; short b; };
struct big { long a[5]; };
struct mixed { double d; int i; };

static long gather_structs(int n, ...)
{
	va_list list;
	long t = n;

	va_start(list, n);
	t += va_arg(list, struct one).a;
	struct two w = va_arg(list, struct two);
	struct big b = va_arg(list, struct big);
	t = t * 3 + w.a * w.b;
	t = t * 7 + b.a[0] - b.a[4];
	struct mixed m = va_arg(list, struct mixed);
	t += m.i + va_arg(list, int);
	va_end(list);
	return t;
}

static int structs_among(struct in in)
{
	struct big b = { { in.x, 0, 0, 0, in.y } };
	long t = gather_structs(2, (struct one){ (int)in.x }, (struct two){ in.y, 3 }, b, (struct mixed){ 1.5, (int)in.y }, 5);

	MARK(11, t == 1000 && in.y == 11);
	MARK(12, t == -1 && in.x == in.y);
	NEVER(13, in.x == 1 && in.y == 1 && t != 7 * (3 * 3 + 3) + 6);
	return 0;
}

/* rule: variable arguments that are handed on */
static long sum_list(int n, va_list list)
{
	long t = 0;

	while (n--)
		t += va_arg(list, int);
	return t;
}

static long sum_all(int n, ...)
{
	va_list list;

	va_start(list, n);
	long t = sum_list(n - 1, list);
	t = t * 100 + va_arg(list, int);
	va_end(list);
	return t;
}

static int handed(struct in in)
{
	MARK(21, sum_all(3, (int)in.x, (int)in.y, 42) == 77742 && in.x == 700);
	NEVER(22, sum_all(1, 7, in.x) != 7);
	return 0;
}

/* rule: structures by value, every size */
#define SIZED(n) \
	struct s##n { unsigned char b[n]; }; \
	static struct s##n spin##n(struct s##n s, unsigned char k) \
	{ \
		for (int i = 0; i < n; i++) \
			s.b[i] = (unsigned char)(s.b[i] + k * (i + 1)); \
		return s; \
	} \
	static int sized##n(struct in in) \
	{ \
		struct s##n s; \
		memset(&s, 0, sizeof s); \
		memcpy(&s, &in.x, n < 8 ? n : 8); \
		s = spin##n(s, (unsigned char)in.y); \
		MARK(10##n, s.b[0] == 0x5a && s.b[n - 1] == 0x40); \
		return 0; \
	}
SIZED(11) SIZED(12) SIZED(15) SIZED(16) SIZED(17) SIZED(24) SIZED(31) SIZED(64)
struct s1 { unsigned char b[1]; };
struct s3 { unsigned char b[3]; };
struct s6 { short h[3]; };
struct s9 { long l; char c; };

static struct s9 join(struct s1 a, struct s3 b, struct s6 c)
{
	return (struct s9){ a.b[0] + b.b[2] * 256L + c.h[1] * 65536L, (char)c.h[2] };
}

static int sized(struct in in)
{
	struct s1 a;
	struct s3 b;
	struct s6 c;

	memcpy(&a, &in.x, 1);
	memcpy(&b, (char *)&in.x + 1, 3);
	memcpy(&c, &in.y, 6);
	struct s9 r = join(a, b, c);
	MARK(31, r.l == 0x12345678 - 0x80000000L && r.c == 'q');
	NEVER(32, (r.l & 255) != a.b[0]);
	return 0;
}

/* rule: structures of two classes, by value */
struct fields { int i; short s; char c; long l; };
struct nested { struct { int a; char b; } in[2]; long tail; int *p; };

static struct fields turn(struct fields f, struct nested n)
{
	f.i += n.in[1].a;
	f.s ^= n.in[0].b;
	f.l -= n.tail * *n.p;
	return f;
}

static int classes(struct in in)
{
	int k = 3;
	struct fields f = { (int)in.x, (short)in.y, 'c', in.y };
	struct nested n = { { { 1, (char)in.x }, { 2, 'z' } }, in.x, &k };

	f = turn(f, n);
	MARK(41, f.i == 102 && f.s == 0x1234);
	MARK(42, f.l == 999 && f.i == 3 && f.c == 'c');
	NEVER(43, f.i != (int)in.x + 2);
	return 0;
}

/* rule: function pointers and tables */
static long add(long a, long b) { return a + b; }
static long sub(long a, long b) { return a - b; }
static long mul(long a, long b) { return a * b; }
static long rem_(long a, long b) { return b ? a % b : -1; }
typedef long operation(long, long);
static operation *choose(int c) { return c == '+' ? add : c == '-' ? sub : c == '*' ? mul : rem_; }

static int tables(struct in in)
{
	static operation *const table[] = { add, sub, mul, rem_ };
	operation *op = choose((int)in.y & 0xff), **at = &op;

	MARK(51, (*at)(in.x, 12) == 144 && op == mul);
	MARK(52, op(in.x, 1000) == 999 && op == rem_ && in.x > 5000);
	MARK(53, (****op)(in.x, 5) == -2 && op == sub);
	for (int i = 0; i < 4; i++)
		if (i == (in.y >> 8 & 3))
			MARK(54, table[i](in.x, in.x) == 0 && i == 2 || table[i](in.x, 3) == 4321);
	NEVER(55, op == choose);
	return 0;
}

/* rule: a table at a symbolic index */
static int called_at(struct in in)
{
	static operation *const table[] = { add, sub, mul, rem_ };
	long r = table[in.y & 3](in.x, 77);

	MARK(61, r == 7700);
	MARK(62, r == -76 && in.x == 1);
	return 0;
}

/* rule: recursion */
static int ackermann(int m, int n)
{
	return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
static int is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

static unsigned gcd(unsigned a, unsigned b) { return b ? gcd(b, a % b) : a; }

static int recursion(struct in in)
{
	MARK(71, ackermann((int)(in.x & 1) + 1, (int)(in.y & 1) + 1) == 5);
	MARK(72, is_even((unsigned)in.x & 7) && in.y == 3 && (in.x & 7) > 4);
	MARK(73, gcd((unsigned)in.x & 63, 36) == 12);
	return 0;
}

/* rule: a concrete result after a symbolic inner one */
static long inner(long v, int depth)
{
	static long last;

	if (depth == 0)
		return v;
	last = inner(v * 2, depth - 1);
	return 7;
}

__attribute__((noinline)) static long outer(long v)
{
	long r = inner(v, 3);

	(void)inner(v, 0);
	return r;
}

static long (*volatile through)(long) = outer;

static int concrete_result(struct in in)
{
	long a = outer(in.x), b = inner(in.x, 0), c = through(in.x), d = inner(in.y, 1);

	NEVER(81, a != 7 || c != 7 || d != 7);
	MARK(82, b == 12321 && a == 7);
	return 0;
}

/* rule: results that are dropped, results of nested calls */
static long half(long v) { return v / 2; }
static void drop(long v) { (void)half(v); half(v + 1); }

static int nested(struct in in)
{
	long t = half(half(in.x) + half(half(in.y)));

	drop(t);
	MARK(91, t == 1000 && in.y == 400);
	NEVER(92, in.x == 0 && in.y == 0 && t);
	return 0;
}

/* rule: calls in tail position */
__attribute__((noinline)) static int count_down(unsigned n, int t)
{
	if (n == 0)
		return t;
	return count_down(n - 1, t * 3 + 1);
}

#if defined __clang__
#define TAIL __attribute__((musttail))
#else
#define TAIL
#endif
__attribute__((noinline)) static long last_step(long a, long b) { return a * 2 - b; }
__attribute__((noinline)) static long tail(long a, long b) { TAIL return last_step(b, a); }

static int tails(struct in in)
{
	MARK(101, count_down((unsigned)in.x & 3, (int)in.y) == 40 && (in.x & 3) == 3);
	MARK(102, tail(in.x, in.y) == 12345 && in.x == 5);
	NEVER(103, tail(2, 1) != 0);
	return 0;
}

/* rule: K&R definitions */
static int old(a, b, c)
	char a;
	short b;
	long c;
{
	return a * 2 + b - c;
}

static int no_prototype();

static int old_style(struct in in)
{
	MARK(111, old((char)in.x, (short)in.y, 10L) == -300 && in.x == 50);
	MARK(112, no_prototype((int)in.x, in.y) == 88 && in.y == 80);
	return 0;
}

static int no_prototype(a, b)
	int a;
	long b;
{
	return a + b;
}

/* rule: inline functions, external and static */
inline int plus_one(int v) { return v + 1; }
extern int plus_one(int v);
static inline __attribute__((always_inline)) int square(int v) { return v * v; }

static int inlined(struct in in)
{
	MARK(121, square(plus_one((int)in.x)) == 1 << 20 && in.x > 0);
	NEVER(122, square((int)in.x) == 2);
	return 0;
}

/* rule: arrays and results through pointer parameters */
static int split(const char *s, int *whole, int part[static 2])
{
	*whole = s[0] - '0';
	part[0] = s[1] == '.';
	part[1] = s[2];
	return s[0] >= '0' && s[0] <= '9';
}

static int outputs(struct in in)
{
	int w, part[2];
	int ok = split(in.s, &w, part);

	MARK(131, ok && w == 7 && part[0] && part[1] == 'x');
	NEVER(132, ok && w > 9);
	return 0;
}

/* rule: many arguments, some in memory */
static long many(char a, short b, int c, long d, unsigned char e, int f, long g, char h, int i, struct two j, long k)
{
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j.a + 11 * j.b + 12 * k;
}

static int crowded(struct in in)
{
	long t = many(1, 2, (int)in.x, 4, (unsigned char)in.y, 6, in.x, (char)in.y, 9, (struct two){ in.y, 1 }, in.x);

	MARK(141, t == 5000 && in.y == -3);
	NEVER(142, in.x == 0 && in.y == 0 && t != 1 + 4 + 16 + 36 + 81 + 11);
	return 0;
}

RULES(variadic, structs_among, handed, sized11, sized12, sized15, sized16, sized17, sized24, sized31, sized64, sized,
	classes, tables, called_at, recursion, concrete_result, nested, tails, old_style, inlined, outputs, crowded)
