/* Conversions between integers of each width and sign. */
#include "tests/conform/conform.h"

/* rule: conversions of every pair, compared */
typedef _Bool t1;
typedef signed char t2;
typedef unsigned char t3;
typedef short t4;
typedef unsigned short t5;
typedef int t6;
typedef unsigned t7;
typedef long t8;
typedef unsigned long t9;

/* x through both types is what a constant becomes, and compare otherwise than the inputs do. */
#define PAIR(a, b) \
	if (k == 0x##a##b) { \
		MARK(1##a##b, (t##b)(t##a)in.x == (t##b)(t##a)-0x3456789abcdef3l && in.y == b); \
		MARK(2##a##b, (((t##a)in.x < (t##b)in.y) != (in.x < in.y) || a * b == 64) && (t##a)in.x + (t##b)in.y == (a == 1 ? 1 : 100)); \
	}
#define ROW(a) PAIR(a, 1) PAIR(a, 2) PAIR(a, 3) PAIR(a, 4) PAIR(a, 5) PAIR(a, 6) PAIR(a, 7) PAIR(a, 8) PAIR(a, 9)

static int pairs(struct in in)
{
	int k = in.s[0] & 0xff;

	ROW(1) ROW(2) ROW(3) ROW(4) ROW(5) ROW(6) ROW(7) ROW(8) ROW(9)
	return 0;
}

RULES(pairs)
