/* Builtins of gcc and clang, and GNU C's extensions. (limits: compiler atomic) */
#include "tests/conform/conform.h"

/* rule: popcount, clz, ctz, parity, ffs */
static int counted(struct in in)
{
	unsigned u = (unsigned)in.x;
	unsigned long l = (unsigned long)in.y;

	MARK(1, __builtin_popcount(u) == 5 && u % 1000 == 5);
	MARK(2, u && __builtin_clz(u) == 13 && __builtin_ctz(u) == 7);
	MARK(3, __builtin_popcountl(l) == 63 && !(l & 0x100000));
	MARK(4, l && __builtin_clzl(l) + __builtin_ctzl(l) == 63 && l > 1000 && l < 2000);
	MARK(5, __builtin_parity(u) && __builtin_ffsl(in.y) == 40 && u == 0x70);
	NEVER(6, u && __builtin_clz(u) + __builtin_ctz(u) > 31);
	return 0;
}

/* rule: byte swaps and rotations */
static int swapped(struct in in)
{
	unsigned u = (unsigned)in.x, n = (unsigned)in.y & 31;

	MARK(11, __builtin_bswap32(u) == 0x11223344);
	MARK(12, __builtin_bswap64((unsigned long)in.x) == 0x0102030405060708);
	MARK(13, __builtin_bswap16((unsigned short)in.y) == 0xcafe);
	MARK(14, (u << n | u >> (-n & 31)) == 0x80000003 && n == 9);
	NEVER(15, __builtin_bswap32(__builtin_bswap32(u)) != u);
	return 0;
}

/* rule: arithmetic that tells overflow */
static int overflows(struct in in)
{
	int i;
	unsigned u;
	long l;
	short h;

	MARK(21, __builtin_add_overflow((int)in.x, 2147483000, &i) && i == -2147483647);
	MARK(22, __builtin_mul_overflow((int)in.x, 1000, &i) && i == 1000 && in.x > 1);
	MARK(23, __builtin_sub_overflow((unsigned)in.x, (unsigned)in.y, &u) && u == 0xfffffff0 && (int)in.y == 0x20);
	MARK(24, __builtin_mul_overflow(in.x, 3, &l) && l == 2);
	MARK(25, !__builtin_add_overflow(in.x, in.y, &h) && h == -300 && in.x == 12345);
	NEVER(26, !__builtin_add_overflow((int)in.x, (int)in.y, &i) && (long)(int)in.x + (int)in.y != i);
	return 0;
}

/* rule: expect, constant_p, choose_expr, unreachable */
static int hinted(struct in in)
{
	int v = (int)in.x;

	if (__builtin_expect(v == 123456, 0))
		MARK(31, v % 7 == 123456 % 7);
	MARK(32, __builtin_constant_p(v) ? 0 : v == -8);
	MARK(33, __builtin_choose_expr(sizeof v == 4, v, in.y) == 17 && in.y == 18);
	switch (v & 3) {
	case 0: case 1: case 2: MARK(34, v == 1 << 20); break;
	case 3: MARK(35, v == -1); break;
	default: __builtin_unreachable();
	}
	NEVER(36, !__builtin_types_compatible_p(__typeof__(v), int));
	return 0;
}

/* rule: absolute values, minima and maxima */
static int bounds(struct in in)
{
	int a = (int)in.x, b = (int)in.y, low = a < b ? a : b, high = a < b ? b : a;

	MARK(41, low == -5 && high == 1000000);
	MARK(42, __builtin_abs(a) == 99 && a < 0);
	MARK(43, (a < 0 ? 0 : a > 255 ? 255 : a) == 254);
	MARK(44, __builtin_labs(in.x) == 0x123456789 && in.x < 0);
	NEVER(45, low > high);
	return 0;
}

/* rule: __typeof__, __auto_type, ?: with no middle */
static int typed(struct in in)
{
	__auto_type a = (short)in.x;
	__typeof__(a + 0) b = a * a;

	MARK(51, b > 1000000000 && a < 0 && sizeof a == 2);
	MARK(52, ((int)in.y ?: 7) == 7 && a == 9);
	NEVER(53, sizeof(__typeof__(in.x ?: 0)) != 8);
	return 0;
}

/* rule: closures by hand */
struct closure { long (*call)(struct closure *, long); long state; };

static long accumulate(struct closure *c, long v) { return c->state += v; }
static long decay(struct closure *c, long v) { return c->state = c->state / 2 - v; }

static int closures(struct in in)
{
	struct closure c[2] = { { accumulate, 0 }, { decay, in.y } };

	for (int i = 0; i < 4; i++)
		c[i & 1].call(&c[i & 1], in.x);
	MARK(61, c[0].state == 2000 && c[1].state == -1500 - 1);
	NEVER(62, c[0].state & 1);
	return 0;
}

/* rule: zero-length arrays, packed and aligned structures */
struct packed { char a; int b; short c; } __attribute__((packed));
struct aligned { char a; int b __attribute__((aligned(16))); };

static int placed(struct in in)
{
	struct packed p[2];
	struct aligned q = { 'a', (int)in.y };

	memcpy(p, &in.x, 7);
	p[1] = p[0];
	p[1].b += q.b;
	MARK(71, sizeof p == 14 && p[1].b == 0x10203040 && p[1].a == 'p' && q.b == 1);
	MARK(72, ((char *)&q)[16] == 'x' && p[0].c == 0x1234);
	NEVER(73, p[0].a != p[1].a);
	return 0;
}

/* rule: atomic builtins */
static int atomics(struct in in)
{
	static int word, flag;
	int want = 5, old;

	word = (int)in.x;
	old = __atomic_fetch_add(&word, (int)in.y, __ATOMIC_SEQ_CST);
	MARK(81, old == 40 && word == 42);
	__sync_fetch_and_or(&word, 0x100);
	MARK(82, word == 0x1ff && old == 0xf0);
	MARK(83, __atomic_exchange_n(&word, 3, __ATOMIC_RELAXED) == 0x777 && word == 3);
	flag = (int)in.y & 7;
	MARK(84, __atomic_compare_exchange_n(&flag, &want, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && flag == 9 && in.x == 8);
	MARK(85, want == 6 && flag == 6);
	return 0;
}

RULES(counted, swapped, overflows, hinted, bounds, typed, closures, placed, atomics)
