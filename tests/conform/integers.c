/* Integers: conversions, promotions, operators. */
#include "tests/conform/conform.h"

/* rule: integer promotions */
static int promotions(struct in in)
{
	unsigned char c = (unsigned char)in.x, d = (unsigned char)in.y;
	unsigned short h = (unsigned short)in.x;
	char plain = (char)in.y;

	MARK(11, c - d == -200 && (unsigned char)(c - d) == 56);
	MARK(12, ~c == -17 && (c << 25) < 0 == 0);
	MARK(13, h * h < 0 && h > 0xfff0);
	MARK(14, -c + plain == -300);
	MARK(15, (c + d) / 2 != (unsigned char)(c + d) / 2 && c == 129 && d == 130);
	NEVER(16, c + d < 0);
	NEVER(17, (short)c < 0);
	return 0;
}

/* rule: signed and unsigned compared */
static int mixed(struct in in)
{
	int i = (int)in.x;
	unsigned u = (unsigned)in.y;
	short h = (short)in.x;

	MARK(21, i > u && i < 0 && u > 5000000);
	MARK(22, i + u > 0x80000000u && (long)i + u < 0);
	MARK(23, (long)i * u == -77 && h == -7);
	MARK(24, h < u && h == (short)0x8000);
	NEVER(25, i >= 0 && u <= 0x7fffffff && (i < u) != ((long)i < (long)u));
	return 0;
}

/* rule: shifts */
static int shifts(struct in in)
{
	unsigned n = (unsigned)in.y & 31;
	int i = (int)in.x;
	unsigned u = (unsigned)in.x;
	long l = in.x;

	MARK(31, i >> n == -3 && n > 5 && (i & 0xf) == 9);
	MARK(32, u >> n == 0x1abcd && n == 13);
	MARK(33, u << n == 0xf0000000 && n == 27);
	MARK(34, l >> (in.y & 63) == 1 && (in.y & 63) == 40 && (l & 0xffff) == 0x1234);
	MARK(35, (char)i >> 3 == -9 && (short)(i << 4) == 0x7bc0);
	MARK(36, 1l << (in.x & 63) == in.y && in.y < 0);
	NEVER(37, u >> n > u);
	NEVER(38, (signed char)i >> 7 != 0 && (signed char)i >> 7 != -1);
	return 0;
}

/* rule: division truncates towards zero */
static int divisions(struct in in)
{
	int a = (int)in.x, b = (int)in.y;
	short h = (short)in.x;

	if (b == 0 || b == -1)
		return 0;
	MARK(41, a / b == -3 && a % b == 2 && b == -5);
	MARK(42, a / b == 0 && a % b == -99);
	MARK(43, a % 7 == -4 && a / 7 == -1000);
	MARK(44, h / -3 == 1234 && h % -3 == -1);
	MARK(45, (unsigned)a / 10 == 429496729 && (unsigned)a % 10 == 3);
	NEVER(46, a > 0 && a % 16 < 0);
	NEVER(47, a % 5 > 4);
	return 0;
}

/* rule: division of longs, by powers of two */
static int divided(struct in in)
{
	MARK(51, in.x / 8 == -5 && in.x % 8 == -1);
	MARK(52, (unsigned long)in.x / 1000 == 18446744073709551 && in.x % 10 == -9);
	MARK(53, in.y / 1024 != in.y >> 10 && in.y > -1024);
	NEVER(54, in.x % 8 == 5 && in.x < 0);
	return 0;
}

/* rule: products that wrap */
static int products(struct in in)
{
	int a = (int)in.x;
	unsigned char c = (unsigned char)(in.x * 7);

	MARK(61, a * 3 == 1 && a < 0);
	MARK(62, (short)(a * 1000) == -12344 && c == 59);
	MARK(63, in.y * 0x123456789abcdefl == 0x0fedcba987654321);
	MARK(64, -a == a && a != 0);
	NEVER(65, (a * 2) & 1);
	return 0;
}

/* rule: increments, compound assignment narrow */
static int compound(struct in in)
{
	unsigned char c = (unsigned char)in.x;
	short h = (short)in.y;
	_Bool b = in.x & 0x400;

	c += 300;
	h -= c;
	MARK(71, c == 10 && h == 32767 && (short)in.y < 0);
	h *= h;
	h >>= 2;
	MARK(72, h == -4096 && c == 4);
	MARK(73, c++ == 255 && c == 0 && --c == 255 && b);
	c = c << 1 | c >> 7;
	MARK(74, c == 0x5b && (in.y & 0xff) == 1);
	h ^= -1;
	NEVER(75, c > 255 || h > 32767);
	return 0;
}

/* rule: constants and their types */
static int constants(struct in in)
{
	MARK(81, in.x == 2147483648 && in.x > 0x7fffffff);
	MARK(82, (int)in.x == 0xffffffff && in.x == 037777777777);
	MARK(83, in.y == -1u && in.y > 0);
	MARK(84, in.y < -1ul && in.y > 'ab' && in.y < 0x7000);
	NEVER(85, in.x < 0ul);
	return 0;
}

/* rule: 128-bit integers */
typedef __int128 i128;
typedef unsigned __int128 u128;

static int wide(struct in in)
{
	i128 p = (i128)in.x * in.y;
	u128 u = (u128)(unsigned long)in.x << 64 | (unsigned long)in.y;

	MARK(91, in.y == 0x4000000000000000 && p >> 64 == -2);
	MARK(92, (long)(u >> 60) == 0x123456789abcdef0 && (in.y & 0xff) == 0x77);
	MARK(93, u / 10 == ((u128)1 << 100) && in.y == 4);
	MARK(94, (i128)u < 0 && -(i128)u == 5);
	MARK(95, (u << 3) >> 120 == 0xa5 && in.y == 7);
	NEVER(96, (u128)(unsigned)in.x * (unsigned)in.y >> 64);
	return 0;
}

/* rule: sums with carries through 128 bits */
static int carries(struct in in)
{
	u128 a = (unsigned long)in.x, b = (unsigned long)in.y;
	i128 s = (i128)in.x - in.y;

	MARK(101, (a + b) >> 64 == 1 && (unsigned long)(a + b) == 5 && in.x > 0);
	MARK(102, s > 0x7fffffffffffffffl && (long)s == -3);
	NEVER(103, (a + b) >> 65);
	return 0;
}

RULES(promotions, mixed, shifts, divisions, divided, products, compound, constants, wide, carries)
