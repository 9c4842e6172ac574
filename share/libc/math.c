/* Functions on floating-point numbers that are exact or correctly rounded. The others (sin, pow,
 * ...) are called as they are and lose precision. Errors of the domain set errno without a branch.
 */
#define _GNU_SOURCE 1
#include <complex.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>

#include "lib/protocol/op.h"
#include "share/libc/model.h"

#undef isnan
#undef isinf
#undef finite

#define TYPES(M, ...) \
	M(float, f, 32, __VA_ARGS__) M(double, , 64, __VA_ARGS__) M(long double, l, 80, __VA_ARGS__)

static void set_errno(int when, int value)
{
	errno ^= -when & (errno ^ value);
}

/* ---- of one number, by an operation */

#define ROUND(T, s, width, name, op) \
	MODEL T name##s(T x) \
	{ \
		T r; \
		NATIVE(name##s, x); \
		duct_rt_math(op, width, &r, &x, 0); \
		return r; \
	}
TYPES(ROUND, floor, OP_FFLOOR)
TYPES(ROUND, ceil, OP_FCEIL)
TYPES(ROUND, trunc, OP_FTRUNC)
TYPES(ROUND, rint, OP_FRINT)
TYPES(ROUND, nearbyint, OP_FRINT)
TYPES(ROUND, round, OP_FROUND)

#define SQRT(T, s, width, ...) \
	MODEL T sqrt##s(T x) \
	{ \
		T r; \
		NATIVE(sqrt##s, x); \
		duct_rt_math(OP_FSQRT, width, &r, &x, 0); \
		set_errno(x < 0, EDOM); \
		return r; \
	}
TYPES(SQRT, )

#define TO_LONG(T, s, width, name, type, op) \
	MODEL type name##s(T x) \
	{ \
		T r; \
		NATIVE(name##s, x); \
		duct_rt_math(op, width, &r, &x, 0); \
		return (type)r; \
	}
TYPES(TO_LONG, lrint, long, OP_FRINT)
TYPES(TO_LONG, llrint, long long, OP_FRINT)
TYPES(TO_LONG, lround, long, OP_FROUND)
TYPES(TO_LONG, llround, long long, OP_FROUND)

#define SIGNS(T, s, width, ...) \
	MODEL T fabs##s(T x) \
	{ \
		return __builtin_fabs##s(x); \
	} \
	MODEL T copysign##s(T x, T y) \
	{ \
		return __builtin_copysign##s(x, y); \
	}
TYPES(SIGNS, )

/* ---- of two */

#define REMAINDER(T, s, width, ...) \
	MODEL T fmod##s(T x, T y) \
	{ \
		T r; \
		NATIVE(fmod##s, x, y); \
		duct_rt_math(OP_FREM, width, &r, &x, &y); \
		set_errno((x == x) & (y == y) & (r != r), EDOM); \
		return r; \
	}
TYPES(REMAINDER, )

/* Signaling NaNs, by the first bit of the fraction; results of operations are none. */
#define SIGNALS(T, s, width, ...) \
	static int signals##s(T x) \
	{ \
		union { \
			T x; \
			uint64_t i; \
		} u = { x }; \
		if (duct_rt_computed(&u, width)) \
			return 0; \
		return x != x && !(u.i >> (width == 32 ? 22 : width == 64 ? 51 : 62) & 1); \
	}
TYPES(SIGNALS, )

#define EXTREMES(T, s, width, ...) \
	MODEL T fmin##s(T x, T y) \
	{ \
		NATIVE(fmin##s, x, y); \
		if (x != x || y != y) \
			return signals##s(x) || signals##s(y) ? x + y : x != x ? y : x; \
		return y < x || (y == x && width != 80) ? y : x; \
	} \
	MODEL T fmax##s(T x, T y) \
	{ \
		NATIVE(fmax##s, x, y); \
		if (x != x || y != y) \
			return signals##s(x) || signals##s(y) ? x + y : x != x ? y : x; \
		return y >= x ? y : x; \
	} \
	MODEL T fdim##s(T x, T y) \
	{ \
		T r; \
		NATIVE(fdim##s, x, y); \
		if (x <= y) \
			return 0; \
		r = x - y; \
		set_errno( \
		    __builtin_isinf(r) & __builtin_isfinite(x) & __builtin_isfinite(y), ERANGE); \
		return r; \
	}
TYPES(EXTREMES, )

/* ---- what kind of number */

#define CLASSES(T, s, width, prefix) \
	int prefix##isnan##s(T x); \
	int prefix##isinf##s(T x); \
	int prefix##finite##s(T x); \
	MODEL int prefix##isnan##s(T x) \
	{ \
		return x != x; \
	} \
	MODEL int prefix##isinf##s(T x) \
	{ \
		return (x == (T)INFINITY) - (x == -(T)INFINITY); \
	} \
	MODEL int prefix##finite##s(T x) \
	{ \
		return __builtin_isfinite(x); \
	}
TYPES(CLASSES, )
TYPES(CLASSES, __)

/* ---- exponents */

union double_bits {
	double d;
	uint64_t i;
};
union long_bits {
	long double l;
	struct {
		uint64_t low;
		uint16_t high;
	} i;
};

static double power(int n)
{
	return (union double_bits){ .i = (uint64_t)(1023 + n) << 52 }.d;
}

static long double powerl(int n)
{
	return (union long_bits){ .i = { (uint64_t)1 << 63, (uint16_t)(16383 + n) } }.l;
}

/* x * 2^n, rounded once: on the way down the number stays out of reach of the denormals. */
#define SCALE(T, s, most, digits) \
	static T scaled##s(T x, int n) \
	{ \
		for (int i = 0; i < 2 && n > most; i++) { \
			x *= power##s(most); \
			n -= most; \
		} \
		for (int i = 0; i < 2 && n < 1 - most; i++) { \
			x *= power##s(1 - most) * power##s(digits); \
			n += most - 1 - digits; \
		} \
		n = n > most ? most : n < 1 - most ? 1 - most : n; \
		return x * power##s(n); \
	}
SCALE(double, , 1023, 53)
SCALE(long double, l, 16383, 64)

#define LDEXP(T, s, inner, name, type) \
	MODEL T name##s(T x, type n) \
	{ \
		T r; \
		NATIVE(name##s, x, n); \
		r = (T)scaled##inner(x, n > 99999 ? 99999 : n < -99999 ? -99999 : (int)n); \
		set_errno(__builtin_isfinite(x) & (x != 0) & (!__builtin_isfinite(r) | (r == 0)), \
		    ERANGE); \
		return r; \
	}
LDEXP(float, f, , ldexp, int)
LDEXP(double, , , ldexp, int)
LDEXP(long double, l, l, ldexp, int)
LDEXP(float, f, , scalbn, int)
LDEXP(double, , , scalbn, int)
LDEXP(long double, l, l, scalbn, int)
LDEXP(float, f, , scalbln, long)
LDEXP(double, , , scalbln, long)
LDEXP(long double, l, l, scalbln, long)

MODEL double frexp(double x, int *e)
{
	union double_bits u = { x };
	int exponent, low = 0;

	NATIVE(frexp, x, e);
	*e = 0;
	if (x == 0 || !__builtin_isfinite(x))
		return x + x;
	if (!(u.i >> 52 & 0x7ff)) {
		u.d = x * 0x1p64;
		low = 64;
	}
	exponent = (int)(u.i >> 52 & 0x7ff);
	*e = exponent - 1022 - low;
	u.i = (u.i & ~((uint64_t)0x7ff << 52)) | (uint64_t)1022 << 52;
	return u.d;
}

MODEL float frexpf(float x, int *e)
{
	NATIVE(frexpf, x, e);
	return (float)frexp(x, e);
}

MODEL long double frexpl(long double x, int *e)
{
	union long_bits u = { x };
	int low = 0;

	NATIVE(frexpl, x, e);
	*e = 0;
	if (x == 0 || !__builtin_isfinite(x))
		return x + x;
	if (!(u.i.high & 0x7fff)) {
		u.l = x * 0x1p64L;
		low = 64;
	}
	*e = (u.i.high & 0x7fff) - 16382 - low;
	u.i.high = (uint16_t)((u.i.high & 0x8000) | 16382);
	return u.l;
}

#define MODF(T, s, width, ...) \
	MODEL T modf##s(T x, T *whole) \
	{ \
		T r; \
		NATIVE(modf##s, x, whole); \
		duct_rt_math(OP_FTRUNC, width, &r, &x, 0); \
		*whole = r; \
		return __builtin_copysign##s(__builtin_isinf(x) ? 0 : x - r, x); \
	}
TYPES(MODF, )

/* ---- complex numbers */

#define PARTS(T, s, ...) \
	MODEL T creal##s(T complex z) \
	{ \
		return __real__ z; \
	} \
	MODEL T cimag##s(T complex z) \
	{ \
		return __imag__ z; \
	} \
	MODEL T complex conj##s(T complex z) \
	{ \
		return ~z; \
	}
TYPES(PARTS, )
