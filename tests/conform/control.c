/* Control: every way to go somewhere. (limits: volatile atomic) */
#include "tests/conform/conform.h"
#include <setjmp.h>

/* rule: switch: ranges, fall through, large values */
static int switches(struct in in)
{
	int t = 0;

	switch ((int)in.x) {
	case 10 ... 20: t = 1; break;
	case -5 ... -3: t += 10; /* fall through */
	case 0x7fffffff: t += 100;
	default: t += 1000; break;
	case 'a': case 'b': t = 5;
	}
	MARK(1, t == 1 && in.x % 19 == 0);
	MARK(2, t == 1110 && in.y == 1);
	MARK(3, t == 1100);
	MARK(4, t == 5 && in.x & 1);
	switch (in.y) {
	case 0x123456789abcdefl: MARK(5, t == 1000); break;
	case -1: t = 9; break;
	}
	switch ((unsigned char)in.y) { case 200: t += 1; case 201: t += 2; }
	MARK(6, t == 1003 && in.y < -100000);
	NEVER(7, t == 1002 && (in.y & 1) == 0);
	return 0;
}

/* rule: Duff's device */
static int duff(struct in in)
{
	unsigned char from[8], to[8] = { 0 };
	int n = (int)((unsigned)in.y % 7 + 1), i = 0, k = (n + 3) / 4;

	memcpy(from, &in.x, 8);
	switch (n % 4) {
	case 0: do { to[i] = from[i] + 1; i++;
	case 3: to[i] = from[i] + 1; i++;
	case 2: to[i] = from[i] + 1; i++;
	case 1: to[i] = from[i] + 1; i++;
		} while (--k > 0);
	}
	MARK(11, n == 6 && to[5] == 0 && to[0] == 42 && to[6] == 0);
	NEVER(12, i != n);
	NEVER(13, n < 8 && to[7]);
	return 0;
}

/* rule: sequencing of comma, && and ||, ?: */
static int count;
static int tick(int v) { count++; return v; }

static int sequenced(struct in in)
{
	int a = (int)in.x, b = (int)in.y, c;

	count = 0;
	c = (a++, b -= a, a * 2);
	MARK(21, c == 246 && b == 7);
	(void)(tick(a > 5) && tick(b > 5) || tick(a == b));
	MARK(22, count == 3 && a == b + 10);
	MARK(23, count == 2 && a == 1000 && b == 2000);
	c = tick(a) ? b ? 3 : 4 : tick(b) ?: 6;
	MARK(24, c == 4 && a == -9);
	MARK(25, c == 6);
	NEVER(26, c == 3 && !b);
	NEVER(27, count < 3);
	return 0;
}

/* rule: computed goto, labels as values */
static int computed(struct in in)
{
	static void *const table[] = { &&add, &&sub, &&twice, &&stop };
	static const int offset[] = { &&add - &&add, &&twice - &&add };
	int acc = (int)in.y, steps = 0;
	unsigned long code = (unsigned long)in.x;

	goto *table[code & 3];
add:	acc += 7; steps++; code >>= 2; if (steps < 4) goto *table[code & 3]; goto stop;
sub:	acc -= 5; steps++; code >>= 2; if (steps < 4) goto *table[code & 3]; goto stop;
twice:	acc *= 2; steps++; code >>= 2; if (steps < 4) goto *table[code & 3];
stop:
	MARK(31, steps == 2 && acc == 1 && (in.x & 3) == 0);
	MARK(32, steps == 3 && acc == 70 && in.y == 14);
	if (steps == 0)
		goto *((char *)&&add + offset[in.y & 1]);
	NEVER(33, steps == 0);
	return 0;
}

/* rule: goto into blocks */
static int into(struct in in)
{
	int i = 0, t = 0;

	if (in.x == 33)
		goto inside;
	for (i = 0; i < 3; i++) {
		t += 10;
inside:
		t += (int)in.y;
		if (t > 1000) {
			if (in.x & 1)
				goto out;
			t = -1;
		}
	}
	MARK(41, t == 119 && in.x == 33);
	MARK(42, t == 90);
out:
	MARK(43, t == 1002 && i == 1 && in.x != 33);
	NEVER(44, in.x == 33 && t == 12);
	return 0;
}

/* rule: setjmp and longjmp */
static jmp_buf env;

static void leap(long v, int depth)
{
	if (depth == 0 && v % 7 == 3)
		longjmp(env, (int)v);
	if (depth)
		leap(v + 1, depth - 1);
}

static int jumps(struct in in)
{
	volatile int n = 0;
	int r = setjmp(env);

	n++;
	if (r == 0) {
		leap(in.x, 2);
		MARK(51, in.x == 79);
		return 0;
	}
	MARK(52, r == 101 && n == 2);
	MARK(53, r < -1000 && n == 2);
	NEVER(54, n != 2 || r % 7 == 2 && r == in.x);
	return 0;
}

/* rule: longjmp over loops, a value that is 0 */
static int jump_again(struct in in)
{
	volatile int left = (int)((unsigned)in.x % 4), seen = 0;

	switch (setjmp(env)) {
	case 0: seen = 1; break;
	case 1: seen += 10; break;
	default: seen += 100;
	}
	if (left-- > 0)
		longjmp(env, in.y & 1 ? 0 : (int)in.y);
	MARK(61, seen == 31);
	MARK(62, seen == 201 && in.y == 8);
	NEVER(63, seen == 111);
	return 0;
}

/* rule: statement expressions */
#define MAX(a, b) ({ __typeof__(a) p = (a), q = (b); p > q ? p : q; })

static int expressions(struct in in)
{
	int t = ({ int i = 0; for (long v = in.x & 0xff; v; v >>= 1) i += v & 1; i; });

	MARK(71, t == 7 && (in.x & 0xff) < 0xc0);
	MARK(72, MAX(in.x, in.y) == 5000 && MAX(-in.x, -in.y) == 5000 + t);
	NEVER(73, MAX(in.x, in.y) < in.x);
	return 0;
}

/* rule: loops: break, continue, do, several variables */
static int loops(struct in in)
{
	int n = 0, i, j;

	for (i = 0, j = (int)(in.x & 31); i < j; i++, j--) {
		if (((int)in.y ^ i) & 4)
			continue;
		if (i == 6)
			break;
		n++;
	}
	MARK(81, n == 4 && i == 8);
	MARK(82, n == 2 && i == 6 && j == 20);
	do n--; while (n > 0 && (in.y & 1));
	MARK(83, n == 3);
	NEVER(84, n > 10);
	return 0;
}

/* rule: static locals */
static int next(int by)
{
	static int total = 100, calls;

	calls++;
	return total += by * calls;
}

static int kept(struct in in)
{
	int a = next((int)in.x), b = next((int)in.y);

	MARK(91, a == 1100 && b == 1000);
	NEVER(92, (a ^ b) & 1 && (in.y & 1) == 0 && a == b + 1);
	return 0;
}

/* rule: volatile, restrict, _Atomic, register, const */
static volatile int port;
static _Atomic long shared;

static void blend(int *restrict d, const int *restrict s, int n)
{
	while (n--)
		*d++ += *s++ * 3;
}

static int qualified(struct in in)
{
	register int r = (int)in.x;
	int d[2] = { r, 1 };
	const int s[2] = { (int)in.y, 4 };

	port = r;
	port += (int)in.y;
	MARK(101, port == 4096 && r == 4000);
	shared = in.x;
	shared += in.y;
	shared ^= 0xff;
	MARK(102, shared == 0x12345678);
	MARK(103, shared++ == -3 && shared-- == -2);
	blend(d, s, 2);
	MARK(104, d[0] == 50 && d[1] == 13 && in.x == 2);
	NEVER(105, d[1] != 13);
	return 0;
}

/* rule: _Generic */
#define KIND(v) _Generic((v), char: 1, int: 2, unsigned: 3, long: 4, double: 5, char *: 6, const int *: 7, default: 9)

static int generic(struct in in)
{
	short h = (short)in.x;
	int t = KIND(h) * 100 + KIND(h + 1) * 10 + KIND(h + 1u);

	MARK(111, t == 923 && _Generic(h, short: h, default: 0) == -444);
	MARK(112, _Generic(&h, short *: in.y, default: in.x) == 31 && KIND('a') == 2);
	NEVER(113, KIND((char)in.x) != 1 || KIND(1.0) != 5 || KIND((const int *)0) != 7);
	return 0;
}

RULES(switches, duff, sequenced, computed, into, jumps, jump_again, expressions, loops, kept, qualified, generic)
