/* float: 32 and 64 bits are computed with SSE, 80 bits with the x87. Rounding to integers and
 * remainders use the x87 for all formats, which it represents exactly. */
#include "lib/protocol/float.h"

typedef unsigned __int128 bits;
typedef __int128 integer;

static bits ones(unsigned w)
{
	return w >= 128 ? ~(bits)0 : ((bits)1 << w) - 1;
}

/* Significand bits after the leading one. */
static unsigned fraction(unsigned w)
{
	return w == 32 ? 23 : w == 64 ? 52 : 63;
}

/* A number and its bit pattern. */
union single {
	float f;
	uint32_t i;
};
union wide {
	double f;
	uint64_t i;
};
union extended {
	long double f;
	struct {
		uint64_t low;
		uint16_t high;
	} i;
};

static float single_of(bits v)
{
	return (union single){ .i = (uint32_t)v }.f;
}
static double double_of(bits v)
{
	return (union wide){ .i = (uint64_t)v }.f;
}
static long double extended_of(bits v)
{
	return (union extended){ .i = { (uint64_t)v, (uint16_t)(v >> 64) } }.f;
}

static bits of_single(float f)
{
	return (union single){ f }.i;
}
static bits of_double(double f)
{
	return (union wide){ f }.i;
}
static bits of_extended(long double f)
{
	union extended u = { f };
	return (bits)u.i.high << 64 | u.i.low;
}

/* Converts any format to extended precision, exactly. */
static long double load(unsigned w, bits v)
{
	return w == 32 ? (long double)single_of(v)
	    : w == 64  ? (long double)double_of(v)
	               : extended_of(v);
}

static bits store(unsigned w, long double f)
{
	return w == 32 ? of_single((float)f) : w == 64 ? of_double((double)f) : of_extended(f);
}

bool duct_float_nan(unsigned w, bits v)
{
	unsigned f = fraction(w);
	bits exponent = (ones(w - 1) >> f) << f;
	if (w < 80)
		return (v & ones(w - 1)) > exponent;
	long double x = extended_of(v);
	return x != x;
}

/* The result of an SSE operation with a NaN operand; false if there is none. */
static bool take_nan(unsigned w, bits a, bits b, bits *out)
{
	bits quiet = (bits)1 << (fraction(w) - 1);
	if (w == 80)
		return false; /* the x87 handles NaNs itself */
	if (!duct_float_nan(w, a) && !duct_float_nan(w, b))
		return false;
	*out = (duct_float_nan(w, a) ? a : b) | quiet;
	return true;
}

#define ARITH(type, x, y) \
	static type arith_##type(enum op op, type x, type y) \
	{ \
		return op == OP_FADD ? x + y \
		    : op == OP_FSUB  ? x - y \
		    : op == OP_FMUL  ? x * y \
		                     : x / y; \
	}
typedef long double extended;
ARITH(float, x, y)
ARITH(double, x, y)
ARITH(extended, x, y)

static bits arithmetic(enum op op, unsigned w, bits a, bits b)
{
	switch (w) {
	case 32: return of_single(arith_float(op, single_of(a), single_of(b)));
	case 64: return of_double(arith_double(op, double_of(a), double_of(b)));
	default: return of_extended(arith_extended(op, extended_of(a), extended_of(b)));
	}
}

static long double remainder_of(long double x, long double y)
{
	uint16_t status;
	do
		__asm__ volatile("fprem\n\tfnstsw %1" : "+t"(x), "=a"(status) : "u"(y) : "cc");
	while (status & 0x400);
	return x;
}

static bits root(unsigned w, bits a)
{
	float s = single_of(a);
	double d = double_of(a);
	long double x = extended_of(a);
	switch (w) {
	case 32: __asm__("sqrtss %0, %0" : "+x"(s)); return of_single(s);
	case 64: __asm__("sqrtsd %0, %0" : "+x"(d)); return of_double(d);
	default: __asm__("fsqrt" : "+t"(x)); return of_extended(x);
	}
}

/* frndint with a rounding mode: 0 nearest, 1 down, 2 up, 3 towards 0. */
static long double integral(long double x, unsigned mode)
{
	uint16_t old, now;
	__asm__ volatile("fnstcw %0" : "=m"(old));
	now = (uint16_t)((old & ~0xc00u) | mode << 10);
	__asm__ volatile("fldcw %2\n\tfrndint\n\tfldcw %1" : "+t"(x) : "m"(old), "m"(now));
	return x;
}

static long double round_away(long double x)
{
	long double t = integral(x, 3), rest = x - t;
	if (!(rest <= -0.5L || rest >= 0.5L)) /* also infinities, where rest is NaN */
		return t;
	return x < 0 ? t - 1 : t + 1;
}

static long double round_by(enum op op, long double x)
{
	switch (op) {
	case OP_FFLOOR: return integral(x, 1);
	case OP_FCEIL: return integral(x, 2);
	case OP_FTRUNC: return integral(x, 3);
	case OP_FRINT: return integral(x, 0);
	default: return round_away(x);
	}
}

static bits from_integer(bool is_signed, unsigned w, unsigned wa, bits a)
{
	integer i = is_signed ? (integer)(a << (128 - wa)) >> (128 - wa) : (integer)a;
	bool wide = wa > 64;
	int64_t s = (int64_t)i;
	uint64_t u = (uint64_t)a;
	switch (w) {
	case 32:
		return of_single(wide ? is_signed ? (float)i : (float)a
		        : is_signed   ? (float)s
		                      : (float)u);
	case 64:
		return of_double(wide ? is_signed ? (double)i : (double)a
		        : is_signed   ? (double)s
		                      : (double)u);
	default:
		return of_extended(wide ? is_signed ? (extended)i : (extended)a
		        : is_signed     ? (extended)s
		                        : (extended)u);
	}
}

/* The integer part of |x|; false when it needs more than `w` bits. */
static bool magnitude(long double x, unsigned w, bits *out)
{
	bits v = of_extended(x);
	int exponent = (int)(v >> 64 & 0x7fff) - 16383;
	bits significand = (uint64_t)v;
	*out = 0;
	if (exponent < 0)
		return true;
	if (exponent >= (int)w)
		return false;
	*out = exponent <= 63 ? significand >> (63 - exponent) : significand << (exponent - 63);
	return true;
}

static bits to_signed(unsigned w, long double x)
{
	bits m, half = (bits)1 << (w - 1);
	if (x != x || !magnitude(x, w, &m) || (x < 0 ? m > half : m >= half))
		return half;
	return (x < 0 ? -m : m) & ones(w);
}

/* Conversion to unsigned as compilers do it for 64 bits. */
static bits to_unsigned(unsigned w, long double x)
{
	bits m = 0, half = (bits)1 << (w - 1);
	if (x > 0 && !magnitude(x, w, &m))
		return 0;
	return x > 0 && m >= half ? m : to_signed(w, x);
}

static bits compare(enum op op, long double x, long double y)
{
	return op == OP_FEQ ? x == y : op == OP_FLT ? x < y : x <= y;
}

bits duct_float_eval(enum op op, unsigned w, unsigned wa, bits a, bits b)
{
	bits v;
	switch (op) {
	case OP_FEQ:
	case OP_FLT:
	case OP_FLE: return compare(op, load(wa, a), load(wa, b));
	case OP_FCVT: return store(w, load(wa, a));
	case OP_SITOF: return from_integer(true, w, wa, a);
	case OP_UITOF: return from_integer(false, w, wa, a);
	case OP_FTOSI: return to_signed(w, load(wa, a));
	case OP_FTOUI: return to_unsigned(w, load(wa, a));
	default: break;
	}
	if (take_nan(w, a, b, &v))
		return v;
	switch (op) {
	case OP_FADD:
	case OP_FSUB:
	case OP_FMUL:
	case OP_FDIV: return arithmetic(op, w, a, b);
	case OP_FREM: return store(w, remainder_of(load(w, a), load(w, b)));
	case OP_FSQRT: return root(w, a);
	default: return store(w, round_by(op, load(w, a)));
	}
}

static bool is_format(unsigned w)
{
	return w == 32 || w == 64 || w == 80;
}

bool duct_float_fits(enum op op, unsigned w, unsigned wa, unsigned wb)
{
	switch (op) {
	case OP_FEQ:
	case OP_FLT:
	case OP_FLE: return w == 1 && wa == wb && is_format(wa);
	case OP_FCVT: return is_format(w) && is_format(wa) && w != wa;
	case OP_SITOF:
	case OP_UITOF: return is_format(w) && wa >= 1 && wa <= 128;
	case OP_FTOSI:
	case OP_FTOUI: return is_format(wa) && w >= 1 && w <= 128;
	default: return is_format(w) && wa == w && ((op >= OP_FSQRT && op <= OP_FROUND) || wb == w);
	}
}
