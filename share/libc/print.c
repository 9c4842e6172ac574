/* printf into memory, in the C locale: each character of the output is an expression over the
 * arguments. The number of digits of a number is decided by path conditions, the digits are not.
 * Floating point is converted by the C library; so are formats with positions and wide characters.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "share/libc/print.h"
#include "share/libc/format.h"
#include "share/libc/stream.h"
#include "share/libc/names.h"

struct directive {
	char kind, size; /* size: 'H' hh, 'h', 0, 'l' (any of 64 bits), 'L' */
	int minus, plus, space, alternate, zero;
	int width, precision; /* precision -1: none; *_given: -1 an argument, 1 in the format */
	int width_given, precision_given;
};

static inline void put(struct print_buffer *o, int c)
{
	if (o->n < o->room)
		o->to[o->n] = (char)c;
	o->n++;
}

static void pad(struct print_buffer *o, int c, long n)
{
	for (; n > 0 && o->n < o->room; n--)
		put(o, c);
	if (n > 0)
		o->n += (size_t)n;
}

/* ---- formats */

static const char *parse_flags(const char *f, struct directive *d)
{
	for (;; f++)
		switch (*f) {
		case '-': d->minus = 1; break;
		case '+': d->plus = 1; break;
		case ' ': d->space = 1; break;
		case '#': d->alternate = 1; break;
		case '0': d->zero = 1; break;
		case '\'': break; /* no grouping in the C locale */
		default: return f;
		}
}

/* More than INT_MAX is no directive. */
static const char *parse_number(const char *f, int *value, int *given)
{
	long v = 0;

	if (*f == '*') {
		*given = -1;
		return f + 1;
	}
	for (; *f >= '0' && *f <= '9'; f++) {
		v = v * 10 + (*f - '0');
		*given = 1;
		if (v > INT_MAX)
			return "";
	}
	*value = (int)v;
	return f;
}

/* The parts of a conversion behind a percent sign. */
static const char *parse(const char *f, struct directive *d)
{
	*d = (struct directive){ .precision = -1 };
	f = parse_flags(f, d);
	f = parse_number(f, &d->width, &d->width_given);
	if (*f == '.') {
		d->precision_given = 1;
		f = parse_number(f + 1, &d->precision, &d->precision_given);
	}
	f = format_size(f, &d->size);
	d->size = d->size == 'q' ? 'l' : d->size;
	d->kind = *f;
	return *f ? f + 1 : f;
}

static int understood(const char *f)
{
	struct directive d;

	while ((f = strchr(f, '%'))) {
		f = parse(f + 1, &d);
		if (!d.kind || !strchr("diuoxXbBcspn%fFeEgGaAm", d.kind))
			return 0;
		if ((d.size == 'l' && strchr("cs", d.kind)) || (d.kind == 'm' && d.alternate))
			return 0;
		if (d.kind == '%' && f[-2] != '%')
			return 0;
	}
	return 1;
}

/* ---- conversions */

static void letters(struct print_buffer *o, const struct directive *d, const char *s, size_t n)
{
	long left = d->width - (long)n;

	if (!d->minus)
		pad(o, ' ', left);
	while (n--)
		put(o, *s++);
	if (d->minus)
		pad(o, ' ', left);
}

/* Powers of ten that 64 bits hold. */
static const unsigned long long ten[20] = {
	1,
	10,
	100,
	1000,
	10000,
	100000,
	1000000,
	10000000,
	100000000,
	1000000000,
	10000000000,
	100000000000,
	1000000000000,
	10000000000000,
	100000000000000,
	1000000000000000,
	10000000000000000,
	100000000000000000,
	1000000000000000000,
	10000000000000000000u,
};

/* The n decimal digits of v, first one first, by comparing and subtracting 8, 4, 2 and 1 times each
 * power, which is easier for solvers than a division. */
#define DECIMAL(name, type, top) \
	static void name(char *to, type v, int n) \
	{ \
		int digit, times; \
		for (; n--; *to++ = (char)('0' + digit)) \
			for (digit = 0, times = 8; times; times >>= 1) { \
				type p = (type)(ten[n] * (unsigned)times), is; \
				if (ten[n] > top / (unsigned)times) \
					continue; \
				is = v >= p; \
				v -= is * p; \
				digit += (int)is * times; \
			} \
	}
DECIMAL(decimal, unsigned long long, ULLONG_MAX)
DECIMAL(short_decimal, unsigned, UINT_MAX)

static int decimal_digits(char *to, unsigned long long v)
{
	int n = 1;

	if (!v)
		return 0;
	while (n < 20 && v >= ten[n])
		n++;
	if (n < 10)
		short_decimal(to, (unsigned)v, n);
	else
		decimal(to, v, n);
	return n;
}

/* In base 2^bits. */
static int binary_digits(char *to, unsigned long long v, int bits, int letter)
{
	int n = 0, i, c;

	while (n * bits < 64 && v >> n * bits)
		n++;
	for (i = n; i--; *to++ = (char)c) {
		c = (int)(v >> i * bits) & ((1 << bits) - 1);
		c += '0' + (c > 9) * (letter - '0' - 10);
	}
	return n;
}

/* Sign or prefix, zeros and digits, blanks around. */
static void number(
    struct print_buffer *o, const struct directive *d, unsigned long long v, const char *sign)
{
	char digit[64], kind = d->kind == 'p' ? 'x' : d->kind;
	int letter = kind == 'X' ? 'A' : 'a',
	    bits = strchr("xX", kind) ? 4
	    : kind == 'o'             ? 3
	    : strchr("bB", kind)      ? 1
	                              : 0;
	int n = bits ? binary_digits(digit, v, bits, letter) : decimal_digits(digit, v);
	long zeros = (d->precision < 0 ? 1 : d->precision) - n, left, i;
	int prefix = (d->alternate || d->kind == 'p') && (bits == 4 || bits == 1) && n;

	zeros = zeros < 0 ? 0 : zeros;
	if (d->alternate && kind == 'o' && !zeros)
		zeros = 1;
	left = d->width - n - zeros - (*sign != 0) - 2 * prefix;
	left = left < 0 ? 0 : left;
	if (d->zero && !d->minus && d->precision < 0) {
		zeros += left;
		left = 0;
	}
	if (!d->minus)
		pad(o, ' ', left);
	if (*sign)
		put(o, *sign);
	if (prefix) {
		put(o, '0');
		put(o, kind);
	}
	pad(o, '0', zeros);
	for (i = 0; i < n; i++)
		put(o, digit[i]);
	if (d->minus)
		pad(o, ' ', left);
}

static const char *plain_sign(const struct directive *d)
{
	return d->plus ? "+" : d->space ? " " : "";
}

static void signed_number(struct print_buffer *o, const struct directive *d, long long v)
{
	if (d->size == 'H')
		v = (signed char)v;
	else if (d->size == 'h')
		v = (short)v;
	else if (!d->size)
		v = (int)v;
	if (v < 0)
		number(o, d, -(unsigned long long)v, "-");
	else
		number(o, d, (unsigned long long)v, plain_sign(d));
}

static void unsigned_number(struct print_buffer *o, const struct directive *d, unsigned long long v)
{
	if (d->size == 'H')
		v = (unsigned char)v;
	else if (d->size == 'h')
		v = (unsigned short)v;
	else if (!d->size)
		v = (unsigned)v;
	number(o, d, v, "");
}

static void pointer(struct print_buffer *o, const struct directive *d, const void *p)
{
	if (p)
		number(o, d, (unsigned long long)(uintptr_t)p, plain_sign(d));
	else
		letters(o, d, "(nil)", 5);
}

static void string(struct print_buffer *o, const struct directive *d, const char *s)
{
	size_t most = d->precision < 0 ? SIZE_MAX : (size_t)d->precision,
	       n = !s          ? 0
	    : d->precision < 0 ? strlen(s)
	                       : strnlen(s, most);

	if (s) {
		duct_rt_written(s, n == most ? n : n + 1);
		letters(o, d, s, n);
	} else if (d->precision < 0 || d->precision >= 6) {
		letters(o, d, "(null)", 6);
	} else {
		letters(o, d, "", 0);
	}
}

/* A directive like this one, width and precision as arguments, for the C library. */
static void rebuild(char *f, const struct directive *d)
{
	*f++ = '%';
	if (d->minus)
		*f++ = '-';
	if (d->plus)
		*f++ = '+';
	if (d->space)
		*f++ = ' ';
	if (d->alternate)
		*f++ = '#';
	if (d->zero)
		*f++ = '0';
	*f++ = '*';
	*f++ = '.';
	*f++ = '*';
	if (d->size == 'L')
		*f++ = 'L';
	*f++ = d->kind;
	*f = 0;
}

static void floating(struct print_buffer *o, const struct directive *d, va_list ap)
{
	char f[16], *made = NULL;
	long double l = 0;
	double v = 0;
	int n, lost;

	rebuild(f, d);
	if (d->size == 'L') {
		l = va_arg(ap, long double);
		lost = duct_rt_symbolic(&l, 10);
		n = CALL_QUIETLY("asprintf", asprintf, &made, f, d->width, d->precision, l);
	} else {
		v = va_arg(ap, double);
		lost = duct_rt_symbolic(&v, sizeof v);
		n = CALL_QUIETLY("asprintf", asprintf, &made, f, d->width, d->precision, v);
	}
	if (lost)
		duct_rt_lost(
		    duct_block_unit, duct_block, "printf of a symbolic floating-point number");
	duct_rt_set(NULL, 0, &made, sizeof made, 0, 0, 0);
	for (int i = 0; i < n; i++)
		put(o, made[i]);
	if (n >= 0)
		CALL_REAL(free, made);
}

static void store(const struct directive *d, size_t n, void *p)
{
	switch (d->size) {
	case 'H': *(signed char *)p = (signed char)n; break;
	case 'h': *(short *)p = (short)n; break;
	case 'l': *(long *)p = (long)n; break;
	default: *(int *)p = (int)n;
	}
}

static void convert(struct print_buffer *o, struct directive *d, va_list *ap, int error)
{
	const char *s;
	char c;

	switch (d->kind) {
	case 'c':
		c = (char)va_arg(*ap, int);
		letters(o, d, &c, 1);
		break;
	case 's': string(o, d, va_arg(*ap, const char *)); break;
	case 'm':
		s = strerror(error);
		string(o, d, s);
		break;
	case 'p': pointer(o, d, va_arg(*ap, const void *)); break;
	case 'n': store(d, o->n, va_arg(*ap, void *)); break;
	case 'd':
	case 'i':
		signed_number(o, d,
		    d->size == 'l' || d->size == 'L' ? va_arg(*ap, long long) : va_arg(*ap, int));
		break;
	case 'u':
	case 'o':
	case 'x':
	case 'X':
	case 'b':
	case 'B':
		unsigned_number(o, d,
		    d->size == 'l' || d->size == 'L' ? va_arg(*ap, unsigned long long)
		                                     : va_arg(*ap, unsigned));
		break;
	default: floating(o, d, *ap);
	}
}

/* Width and precision that are arguments. */
static void take_numbers(struct directive *d, va_list *ap)
{
	if (d->width_given < 0)
		d->width = va_arg(*ap, int);
	if (d->width < 0) {
		d->minus = 1;
		d->width = d->width == INT_MIN ? INT_MAX : -d->width;
	}
	if (d->precision_given < 0)
		d->precision = va_arg(*ap, int);
	if (d->precision < 0)
		d->precision = -1;
}

int duct_print(struct print_buffer *o, const char *f, va_list list)
{
	struct directive d;
	int error = errno;
	va_list ap;

	va_copy(ap, list);
	while (*f) {
		if (*f != '%') {
			put(o, *f++);
			continue;
		}
		f = parse(f + 1, &d);
		if (d.kind == '%') {
			put(o, '%');
			continue;
		}
		take_numbers(&d, &ap);
		convert(o, &d, &ap, error);
	}
	va_end(ap);
	if (o->n <= INT_MAX)
		return (int)o->n;
	errno = EOVERFLOW;
	return -1;
}

int duct_print_native(const char *f, va_list ap, const void *to, size_t room)
{
#ifdef DUCT_FLOWS
	(void)f, (void)ap, (void)to, (void)room;
	return !duct_live;
#else
	return !duct_live || duct_rt_native_print(f, ap, to, room);
#endif
}

int duct_print_modelled(const char *f)
{
	if (!duct_live)
		return 0;
	if (understood(f))
		return 1;
	duct_rt_lost(duct_block_unit, duct_block, "printf with a conversion that has no model");
	(void)strlen(f); /* the C library reads the format to its end */
	return 0;
}

/* ---- the functions; those with a size of the object end the run when it is exceeded */

void __chk_fail(void) __attribute__((noreturn));

/* A function of its own: its local objects cost time when the C library prints. */
#define APART __attribute__((noinline)) static

APART int model_into(char *s, size_t size, const char *f, va_list ap)
{
	struct print_buffer o = { .to = s, .room = size ? size - 1 : 0 };
	int n;

	if (!duct_print_modelled(f))
		return CALL_REAL(vsnprintf, s, size, f, ap);
	n = duct_print(&o, f, ap);
	if (size)
		s[o.n < o.room ? o.n : o.room] = 0;
	return n;
}

APART int model_unlimited(char *s, const char *f, va_list ap)
{
	struct print_buffer o = { .to = s, .room = SIZE_MAX };
	int n;

	if (!duct_print_modelled(f))
		return CALL_REAL(vsprintf, s, f, ap);
	n = duct_print(&o, f, ap);
	s[o.n] = 0;
	return n;
}

/* native: the C library has printed, and nothing is symbolic. */
static int printed(char *s, size_t size, int n, int native)
{
	size_t bytes = n < 0 ? 0 : (size_t)n < size ? (size_t)n + 1 : size;

	if (native && duct_live)
		duct_rt_set(NULL, 0, s, bytes, 0, 0, 0);
	duct_rt_written(s, bytes);
	return n;
}

static int into(char *s, size_t size, const char *f, va_list ap)
{
	int native = duct_print_native(f, ap, s, size);

	return printed(s, size,
	    native ? CALL_QUIETLY("vsnprintf", vsnprintf, s, size, f, ap)
	           : model_into(s, size, f, ap),
	    native);
}

static int unlimited(char *s, const char *f, va_list ap)
{
	int native = duct_print_native(f, ap, s, 0);

	return printed(s, SIZE_MAX,
	    native ? CALL_QUIETLY("vsprintf", vsprintf, s, f, ap) : model_unlimited(s, f, ap),
	    native);
}

static int into_checked(char *s, size_t size, size_t object, const char *f, va_list ap)
{
	if (size > object)
		__chk_fail();
	return into(s, size, f, ap);
}

static int unlimited_checked(char *s, size_t object, const char *f, va_list ap)
{
	int n = into(s, object, f, ap);

	if (n >= 0 && (size_t)n >= object)
		__chk_fail();
	return n;
}

/* Twice the same: the second time no condition is new. */
static int allocated(char **s, const char *f, va_list ap)
{
	struct print_buffer o = { 0 };
	int n;

	if (!duct_print_modelled(f))
		return CALL_REAL(vasprintf, s, f, ap);
	if ((n = duct_print(&o, f, ap)) < 0)
		return n;
	o.room = o.n;
	o.n = 0;
	if (!(*s = o.to = malloc(o.room + 1)))
		return -1;
	n = duct_print(&o, f, ap);
	o.to[o.n] = 0;
	return n;
}

#define ARGUMENTS(...) __VA_ARGS__
#define NEVER(name) 0
#define NO_MEMORY(name) FAILS(name, ENOMEM)
#define PAIR(plain, listed, given, fails, function, ...) \
	int plain(ARGUMENTS given, const char *f, ...); \
	int listed(ARGUMENTS given, const char *f, va_list ap); \
	MODEL int listed(ARGUMENTS given, const char *f, va_list ap) \
	{ \
		return fails(#listed) ? -1 : function(__VA_ARGS__, f, ap); \
	} \
	MODEL int plain(ARGUMENTS given, const char *f, ...) \
	{ \
		va_list ap; \
		int n; \
		va_start(ap, f); \
		n = fails(#plain) ? -1 : function(__VA_ARGS__, f, ap); \
		va_end(ap); \
		return n; \
	}

#define CHECKED __attribute__((unused)) int flag, size_t object
PAIR(snprintf, vsnprintf, (char *s, size_t size), NEVER, into, s, size)
PAIR(sprintf, vsprintf, (char *s), NEVER, unlimited, s)
PAIR(asprintf, vasprintf, (char **s), NO_MEMORY, allocated, s)
PAIR(__snprintf_chk, __vsnprintf_chk, (char *s, size_t size, CHECKED), NEVER, into_checked, s, size,
    object)
PAIR(__sprintf_chk, __vsprintf_chk, (char *s, CHECKED), NEVER, unlimited_checked, s, object)
PAIR(__asprintf_chk, __vasprintf_chk, (char **s, __attribute__((unused)) int flag), NO_MEMORY,
    allocated, s)
