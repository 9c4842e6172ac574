/* Conversions of strings to floating point. A decimal number of few digits and a small exponent is
 * one division or product of two exact values, so that it is rounded once, as in the C library;
 * other numbers are left to the C library. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdlib.h>

#include "share/libc/stream.h"
#include "share/libc/names.h"

/* sign * digits * 10^exponent */
struct decimal {
	long long digits;
	int negative, count, exponent;
	const char *end; /* NULL: no number of this kind */
};

static int is_digit(char c)
{
	return IN(c, '0', '9');
}

/* The only condition on a digit is that it is one. */
static const char *digits(const char *s, struct decimal *d, int most)
{
	for (; is_digit(*s) && d->count < most; s++, d->count++)
		d->digits = d->digits * 10 + (*s - '0');
	return s;
}

/* The path decides the exponent's value, which selects the power. */
static const char *exponent(const char *s, struct decimal *d, int most)
{
	const char *p = s + 1;
	int negative = *p == '-', v = 0, k = 0;

	if (*p == '-' || *p == '+')
		p++;
	if (!is_digit(*p))
		return s;
	for (; is_digit(*p); p++)
		v = v < 1000 ? v * 10 + (*p - '0') : v;
	while (k < v && k < 2 * most)
		k++;
	d->exponent += negative ? -k : k;
	return p;
}

/* At most `most` digits and a power of at most `power`, else there is no end. */
static struct decimal parse(const char *s, int most, int power)
{
	struct decimal d = { 0 }, none = { 0 }, nothing = { .end = s };
	const char *point;

	while (IS_SPACE((unsigned char)*s))
		s++;
	d.negative = *s == '-';
	if (*s == '-' || *s == '+')
		s++;
	if (*s == '0' && (s[1] | 32) == 'x')
		return none;
	s = digits(s, &d, most);
	if (*s == '.') {
		point = ++s;
		s = digits(s, &d, most);
		d.exponent = (int)(point - s);
	}
	if (!d.count)
		return (*s | 32) == 'i' || (*s | 32) == 'n' ? none : nothing;
	if (is_digit(*s))
		return none;
	if ((*s | 32) == 'e')
		s = exponent(s, &d, power);
	d.end = s;
	return d.exponent > power || -d.exponent > power ? none : d;
}

#define REAL(symbol, name, type, most, power) \
	__attribute__((noinline)) static type modelled_##name(const char *s, char **end) \
	{ \
		static const type ten[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, \
			1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, \
			1e22 }; \
		struct decimal d = parse(s, most, power); \
		char *stop; \
		type v; \
		if (!d.end) { \
			v = CALL_QUIETLY(symbol, name, s, &stop); \
			d.end = stop; \
			if (duct_rt_symbolic(s, (size_t)(stop - s) + 1)) \
				duct_rt_lost( \
				    duct_block_unit, duct_block, "symbolic value into " symbol); \
		} else { \
			v = (type)d.digits; \
			v = d.exponent < 0 ? v / ten[-d.exponent] : v * ten[d.exponent]; \
			v = d.negative ? -v : v; \
		} \
		duct_read_number(s, d.end); \
		if (end) \
			*end = (char *)d.end; \
		return v; \
	} \
	type name(const char *s, char **end) \
	{ \
		NATIVE_NUMBER(symbol, name, type, s, end); \
		return modelled_##name(s, end); \
	}

REAL("strtod", strtod, double, 15, 22)
ALIAS(strtod)
REAL("strtof", strtof, float, 7, 10)
ALIAS(strtof)

MODEL double atof(const char *s)
{
	return strtod(s, NULL);
}
