/* options: --string s=5 (limits: order string volatile) */
/* Rules that meet: each mixes features that other programs have alone. */
#include "tests/conform/conform.h"
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>

/* rule: bit-fields of every kind */
enum tone { LOW, MID, HIGH = 3 };
struct odd { enum tone e : 2; int one : 1; long wide : 63; char : 0; unsigned short s : 16; _Bool b : 1; };
struct __attribute__((packed)) tight { unsigned a : 7; unsigned long b : 40; int c : 17; };

static int fields(struct in in)
{
	struct odd o = { (enum tone)in.x, (int)in.x, in.y, (unsigned short)in.x, in.x & 8 };
	struct tight t = { (unsigned)in.x, (unsigned long)in.y, (int)in.y };

	MARK(1, o.e == HIGH && o.one == -1 && o.s == 0xfff7 && !o.b);
	MARK(2, o.wide == -0x3fffffffffffffff - 1 && o.one == 0);
	MARK(3, sizeof t == 8 && t.b == 0xfedcba9876 && t.c == 0x9876 && t.a == 99);
	t.c <<= 3;
	t.b -= t.a;
	MARK(4, t.c == -8 && t.b == 0xffffffff80 && t.a == 127);
	NEVER(5, o.one == 1);
	NEVER(6, t.c > 65535);
	return 0;
}

/* rule: structures with arrays, by value in recursion */
struct stack { int n, v[4]; };

static struct stack push(struct stack s, int v)
{
	s.v[s.n++ & 3] = v;
	return s;
}

static struct stack fill(struct stack s, long v, int depth)
{
	return depth == 0 ? s : fill(push(s, (int)(v & 0xff)), v >> 8, depth - 1);
}

static int stacks(struct in in)
{
	struct stack s = fill((struct stack){ 0 }, in.x, (int)(in.y & 3) + 1);

	MARK(11, s.n == 4 && s.v[3] == 'k' && s.v[0] == 's');
	MARK(12, s.n == 2 && s.v[1] == 200 && s.v[2] == 0);
	NEVER(13, s.v[3] && s.n < 4);
	return 0;
}

/* rule: an interpreter */
static int interpreter(struct in in)
{
	long stack[4] = { 0 };
	unsigned n = 0;

	for (const char *p = in.s; *p; p++) {
		if (n > 3)
			return 0;
		if (*p >= '0' && *p <= '9')
			stack[n++] = *p - '0';
		else if ((*p == '*' || *p == '-') && n >= 2) {
			n--;
			stack[n - 1] = *p == '*' ? stack[n - 1] * stack[n] : stack[n - 1] - stack[n];
		} else
			return 0;
	}
	MARK(21, n == 1 && stack[0] == -15 && in.s[1] == '7');
	MARK(22, n == 1 && stack[0] == 8 * 9);
	NEVER(23, n == 1 && stack[0] > 6561);
	return 0;
}

/* rule: longjmp out of a callback of qsort */
static jmp_buf away;

static int wary(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	if (x == y)
		longjmp(away, x);
	return x < y ? -1 : 1;
}

static int unwound(struct in in)
{
	int v[3] = { (int)in.x, 70, (int)in.y }, r = setjmp(away);

	if (r == 0) {
		qsort(v, 3, sizeof *v, wary);
		MARK(31, v[0] == 69 && v[2] == 71);
		return 0;
	}
	MARK(32, r == 70 && in.x != 70);
	MARK(33, r == -5);
	NEVER(34, r != 1 && r != (int)in.x && r != (int)in.y);
	return 0;
}

/* rule: a variadic callee behind a pointer */
static int add_up(int n, ...)
{
	va_list l;
	int t = 0;

	va_start(l, n);
	while (n-- > 0)
		t += va_arg(l, int);
	va_end(l);
	return t;
}

static int (*volatile adder)(int, ...) = add_up;

static int behind(struct in in)
{
	MARK(41, adder(3, (int)in.x, 5, (int)in.y) == 1005 && in.y == 7);
	MARK(42, adder((int)(in.x & 1) + 1, 5, 6) == 11 && in.y == 3);
	NEVER(43, adder(0) != 0);
	return 0;
}

/* rule: a hash table with chains */
struct item { const char *key; int value; struct item *next; };

static unsigned hash(const char *s)
{
	unsigned h = 5381;

	while (*s)
		h = h * 33 + (unsigned char)*s++;
	return h;
}

static int hashed(struct in in)
{
	static struct item items[3] = { { "ab", 1, 0 }, { "cd", 2, 0 }, { "ef", 3, 0 } };
	struct item *bucket[4] = { 0 };

	if (in.y > 0)
		return 0;
	for (int i = 0; i < 3; i++) {
		struct item **at = &bucket[hash(items[i].key) & 3];

		items[i].next = *at;
		*at = &items[i];
	}
	if (in.s[0] && in.s[1] && !in.s[2]) {
		struct item *p = bucket[hash(in.s) & 3];

		while (p && (p->key[0] != in.s[0] || p->key[1] != in.s[1]))
			p = p->next;
		MARK(51, p && p->value == 2);
		MARK(52, !p && hash(in.s) == hash("cd"));
	}
	return 0;
}

/* rule: dates */
static int leap(int y) { return y % 4 == 0 && (y % 100 != 0 || y % 400 == 0); }

static int dates(struct in in)
{
	static const unsigned char days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	int y = (int)(short)in.x, m = (int)((unsigned long)in.y % 12), d = (int)(in.y >> 8 & 31);

	MARK(61, y > 1900 && leap(y) && m == 1 && d == days[m] + 1 && y % 100 == 0);
	MARK(62, !leap(y) && y % 4 == 0 && days[m] == 30 && d == 31);
	NEVER(63, leap(y) && y % 2);
	return 0;
}

/* rule: state kept in static tables between calls */
static unsigned char state[8];

static int step(unsigned char c)
{
	static unsigned at;

	state[at++ & 7] ^= c;
	return state[c & 7];
}

static int machine(struct in in)
{
	int a = step((unsigned char)in.x), b = step((unsigned char)in.y), c = step((unsigned char)(a + b));

	MARK(71, a == 0xf8 && b == 0xf8 && c == 0xf8);
	MARK(72, b == 0xa1 && a == 0);
	NEVER(73, a && (in.x & 7));
	return 0;
}

RULES(fields, stacks, interpreter, unwound, behind, hashed, dates, machine)
