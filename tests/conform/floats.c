/* options: --string s=1 (hard) */
/* Floating point: numbers are the bits of the inputs, or converted from them; each mark a path of its
 * own, chosen by s. */
#include "tests/conform/conform.h"
#include <math.h>
#include <stdarg.h>

#define WHEN(n, e) do { if (in.s[0] == n) MARK(n, e); } while (0)
#define UNLESS(n, e) do { if (in.s[0] == n) NEVER(n, e); } while (0)

static double real(long bits) { double d; memcpy(&d, &bits, sizeof d); return d; }
static float single(long bits) { float f; memcpy(&f, &bits, sizeof f); return f; }

/* rule: comparisons of doubles and floats */
static int compared(struct in in)
{
	double d = real(in.x);
	float f = single(in.y);

	WHEN(1, d == 2.5);
	WHEN(2, d > 1e300 && d < INFINITY && f == -0.125f);
	WHEN(3, d < 0x1p-1070 && d > 0);
	WHEN(4, f > 16777216.0f && f < 16777219.0f);
	UNLESS(5, d < d);
	UNLESS(6, f > 1e39 && f < INFINITY);
	return 0;
}

/* rule: NaN, infinities, signed zeros */
static int special(struct in in)
{
	double d = real(in.x);

	WHEN(11, d != d && (in.x & 0xff) == 0x55);
	WHEN(12, d == 0 && in.x != 0);
	WHEN(13, d - d != d - d && d == d && d < 0);
	UNLESS(14, d != d && (d < 1 || d >= 1));
	UNLESS(15, d > INFINITY);
	return 0;
}

/* rule: arithmetic rounds */
static int arithmetic(struct in in)
{
	double d = real(in.x);
	float f = single(in.y);

	WHEN(21, d + 1.0 == 3.75);
	WHEN(22, d * 0.5 == -1.0 / 3 && in.y == 7);
	WHEN(23, d != 0 && 1e16 + d == 1e16 && d > 0.5);
	WHEN(24, f * f == 2.25f && f < 0);
	WHEN(25, 1.0f / f == 4.0f);
	UNLESS(26, f - f > 0);
	return 0;
}

/* rule: conversions from integers */
static int from_integers(struct in in)
{
	WHEN(31, (double)(int)in.x == -12345.0);
	WHEN(32, (float)(int)in.x == 16777216.0f && (int)in.x & 1);
	WHEN(33, (double)in.y == 9007199254740992.0 && in.y & 1);
	WHEN(34, (double)(unsigned)in.x == 4294967295.0);
	WHEN(35, (short)in.x / 4.0 == 2.75);
	UNLESS(36, (float)(char)in.x != (double)(char)in.x);
	return 0;
}

/* rule: conversions to integers truncate */
static int to_integers(struct in in)
{
	double d = (short)in.x / 8.0;

	WHEN(41, (int)d == -3 && d != -3);
	WHEN(42, (long)(d * 1000) == 125 && in.y == 2);
	WHEN(43, (unsigned char)d == 200 && d < 201 && d > 200.5);
	UNLESS(44, (int)d > d && d > 0);
	return 0;
}

/* rule: between float, double and integers of other widths */
static int widths(struct in in)
{
	float f = (float)real(in.x);

	WHEN(51, f == 0.1f && real(in.x) != 0.1f);
	WHEN(52, isinf(f) && real(in.x) < 1e39 && real(in.x) > 0);
	UNLESS(53, (double)f > 1 && (double)f < 1.0000001);
	return 0;
}

/* rule: in structures, arrays, arguments and results */
struct sample { float v[2]; double t; int n; };

static double mean(struct sample s) { return (s.v[0] + s.v[1]) / s.n; }

static double summed(int n, ...)
{
	va_list list;
	double t = 0;

	va_start(list, n);
	while (n--)
		t = t * 2 + va_arg(list, double);
	va_end(list);
	return t;
}

static int passed(struct in in)
{
	struct sample s = { { (short)in.x, (short)in.y }, 0.5, 2 }, u = s;

	WHEN(61, mean(u) == 10.5 && u.v[0] == 3.0f);
	WHEN(62, summed(3, (double)(char)in.x, 1.0, (double)(char)in.y) == 44.0 && (char)in.y == 2);
	UNLESS(63, u.v[0] > 32767);
	return 0;
}

/* rule: negation, absolute value, square root, rounding */
static int functions(struct in in)
{
	double d = (short)in.x / 4.0;

	WHEN(71, fabs(d) == 7.25 && d < 0);
	WHEN(72, sqrt(d) == 11.0);
	WHEN(73, floor(d) == -3 && ceil(d) == -2);
	WHEN(74, -d == 1.5);
	UNLESS(75, fabs(d) < 0);
	return 0;
}

RULES(compared, special, arithmetic, from_integers, to_integers, widths, passed, functions)
