/* Conversions of strings to integers. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "share/libc/model.h"
#include "share/libc/names.h"

/* Value of a digit, 99 or more for what is none; branch-free, so that the only path condition
 * that a digit makes is whether it is one in the base. */
static unsigned digit(unsigned char c, unsigned base)
{
	unsigned decimal, letter;

	if (base <= 10) /* anything else is beyond 10 */
		return c - (unsigned)'0';
	decimal = IN(c, '0', '9');
	letter = IN(c | 32, 'a', 'z');
	return decimal * (c - (unsigned)'0') + letter * ((c | 32) - 'a' + 10u)
	    + (1 - (decimal | letter)) * 99;
}

struct scanned_number {
	unsigned long long value; /* magnitude */
	int negative, any, overflow;
	const char *end;
};

/* Digits that cannot exceed max, whichever they are. */
static int safe_digits(unsigned base, unsigned long long max)
{
	int n = 0;

	for (; max >= base - 1; max = (max - (base - 1)) / base)
		n++;
	return n;
}

/* After blanks: sign, prefix, digits. No symbolic value is divided. */
static void scan(const char *s, int given, unsigned long long max, struct scanned_number *n)
{
	unsigned base = (unsigned)given, d;
	int count = 0, safe;

	while (IS_SPACE((unsigned char)*s))
		s++;
	if (*s == '-') {
		n->negative = 1;
		s++;
	} else if (*s == '+') {
		s++;
	}
	if ((base == 0 || base == 16) && *s == '0' && (s[1] | 32) == 'x'
	    && digit((unsigned char)s[2], 16) < 16) {
		s += 2;
		base = 16;
	}
	if (base == 0)
		base = *s == '0' ? 8 : 10;
	safe = safe_digits(base, max);
	for (; (d = digit((unsigned char)*s, base)) < base; s++, count++) {
		n->any = 1;
		n->end = s + 1;
		if (count >= safe
		    && (n->overflow || n->value > max / base
		        || (n->value == max / base && d > max % base)))
			n->overflow = 1;
		else
			n->value = n->value * base + d;
	}
}

static int bad_base(int base)
{
	if (base >= 0 && base != 1 && base <= 36)
		return 0;
	errno = EINVAL;
	return 1;
}

/* The number as one expression over the text. With information flow, each way to read it is a path.
 */
static int number_at_once(struct duct_number *n, const char *s, char **end, int base, int is_signed)
{
#ifdef DUCT_FLOWS
	(void)n, (void)s, (void)end, (void)base, (void)is_signed;
	return 0;
#else
	if (!duct_live || !duct_rt_number(n, s, base, is_signed))
		return 0;
	if (end)
		*end = (char *)s + n->length;
	if (n->over)
		errno = ERANGE;
	return 1;
#endif
}

static long long to_signed(const char *s, char **end, int base, long long min, long long max)
{
	struct scanned_number n = { .end = s };
	struct duct_number all;

	if (bad_base(base))
		return 0;
	if (number_at_once(&all, s, end, base, 1))
		return !all.over ? (long long)all.value : all.negative ? min : max;
	scan(s, base, (unsigned long long)max + 1, &n);
	duct_read_number(s, n.end);
	if (end)
		*end = (char *)n.end;
	if (!n.negative && (n.overflow || n.value > (unsigned long long)max)) {
		errno = ERANGE;
		return max;
	}
	if (n.overflow) {
		errno = ERANGE;
		return min;
	}
	return n.negative ? (long long)-n.value : (long long)n.value;
}

static unsigned long long to_unsigned(const char *s, char **end, int base, unsigned long long max)
{
	struct scanned_number n = { .end = s };
	struct duct_number all;

	if (bad_base(base))
		return 0;
	if (number_at_once(&all, s, end, base, 0))
		return all.over ? max : all.value;
	scan(s, base, max, &n);
	duct_read_number(s, n.end);
	if (end)
		*end = (char *)n.end;
	if (n.overflow) {
		errno = ERANGE;
		return max;
	}
	return n.negative ? (-n.value & max) : n.value;
}

#define SIGNED(symbol, name, type, min, max) \
	MODEL type name(const char *s, char **end, int base) \
	{ \
		NATIVE_NUMBER(symbol, name, type, s, end, base); \
		return (type)to_signed(s, end, base, min, max); \
	}
#define UNSIGNED(symbol, name, type, max) \
	MODEL type name(const char *s, char **end, int base) \
	{ \
		NATIVE_NUMBER(symbol, name, type, s, end, base); \
		return (type)to_unsigned(s, end, base, max); \
	}

/* Newer headers call these instead: they know binary prefixes, which are left out here. */
long __isoc23_strtol(const char *s, char **end, int base);
long long __isoc23_strtoll(const char *s, char **end, int base);
unsigned long __isoc23_strtoul(const char *s, char **end, int base);
unsigned long long __isoc23_strtoull(const char *s, char **end, int base);
intmax_t __isoc23_strtoimax(const char *s, char **end, int base);
uintmax_t __isoc23_strtoumax(const char *s, char **end, int base);

SIGNED("strtol", strtol, long, LONG_MIN, LONG_MAX)
SIGNED("strtoll", strtoll, long long, LLONG_MIN, LLONG_MAX)
SIGNED("strtoimax", strtoimax, intmax_t, INTMAX_MIN, INTMAX_MAX)
SIGNED("__isoc23_strtol", __isoc23_strtol, long, LONG_MIN, LONG_MAX)
SIGNED("__isoc23_strtoll", __isoc23_strtoll, long long, LLONG_MIN, LLONG_MAX)
SIGNED("__isoc23_strtoimax", __isoc23_strtoimax, intmax_t, INTMAX_MIN, INTMAX_MAX)
UNSIGNED("strtoul", strtoul, unsigned long, ULONG_MAX)
UNSIGNED("strtoull", strtoull, unsigned long long, ULLONG_MAX)
UNSIGNED("strtoumax", strtoumax, uintmax_t, UINTMAX_MAX)
UNSIGNED("__isoc23_strtoul", __isoc23_strtoul, unsigned long, ULONG_MAX)
UNSIGNED("__isoc23_strtoull", __isoc23_strtoull, unsigned long long, ULLONG_MAX)
UNSIGNED("__isoc23_strtoumax", __isoc23_strtoumax, uintmax_t, UINTMAX_MAX)
ALIAS(strtol)
ALIAS(strtoll)
ALIAS(strtoul)

MODEL int atoi(const char *s)
{
	return (int)strtol(s, NULL, 10);
}

MODEL long atol(const char *s)
{
	return strtol(s, NULL, 10);
}

MODEL long long atoll(const char *s)
{
	return strtoll(s, NULL, 10);
}

MODEL int abs(int x)
{
	int sign = x >> (8 * sizeof x - 1);

	return (x ^ sign) - sign;
}

MODEL long labs(long x)
{
	long sign = x >> (8 * sizeof x - 1);

	return (x ^ sign) - sign;
}

MODEL long long llabs(long long x)
{
	long long sign = x >> (8 * sizeof x - 1);

	return (x ^ sign) - sign;
}

MODEL intmax_t imaxabs(intmax_t x)
{
	intmax_t sign = x >> (8 * sizeof x - 1);

	return (x ^ sign) - sign;
}

MODEL div_t div(int a, int b)
{
	return (div_t){ a / b, a % b };
}

MODEL ldiv_t ldiv(long a, long b)
{
	return (ldiv_t){ a / b, a % b };
}

MODEL lldiv_t lldiv(long long a, long long b)
{
	return (lldiv_t){ a / b, a % b };
}
