/* The models of share/libc/math.c, compiled plainly here, agree with the C library to the bit, in
 * every rounding mode; but which NaN comes of NaNs is left open. */
#ifdef __SANITIZE_ADDRESS__
#include <stdio.h>

extern const char duct_without_shadow; /* of lib/runtime */
const char duct_without_shadow = 1;

int main(void)
{
	puts("1..0 # SKIP shadow memory lies where the sanitizer's does");
	return 0;
}
#else
#include "lib/expr/bits.h"
#include "tests/unit/tap.h"

#include <dlfcn.h>
#include <fenv.h>
#include <stdio.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#include "share/libc/math.c"

static void *libm;
#define LIBC(name) ((__typeof__(&name))dlsym(libm, #name))

/* Any pattern, small numbers with few digits, and the extremes. */
static double number(void)
{
	static const double some[] = { 0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0x1p52, 0x1p63,
		-0x1p63, 0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023, INFINITY, -INFINITY, NAN,
		1e-310 };
	union {
		uint64_t i;
		double d;
	} u = { draw() };
	switch (draw() % 4) {
	case 0: return some[draw() % (sizeof some / sizeof *some)];
	case 1: return (double)(int64_t)(draw() % 4000) / 8 - 200;
	case 2: return u.d;
	default: return (double)(int64_t)draw() / (double)(1ull << draw() % 62);
	}
}

static long double long_number(void)
{
	long double l = number();
	return draw() % 3 ? l + l * 0x1p-60L : l * powerl((int)(draw() % 30000) - 15000);
}
static float float_number(void)
{
	return (float)number();
}

/* The same bits, or no number both. */
#define SAME(x, y) ((x) == (y) ? signbit(x) == signbit(y) : (x) != (x) && (y) != (y))

/* Both with errno 0 before; what they leave there is part of the result. */
#define BOTH(T, model, libc, args) \
	T a_, b_; \
	int e_; \
	errno = 0; \
	a_ = model args; \
	e_ = errno; \
	errno = 0; \
	b_ = libc args; \
	good &= SAME(a_, b_) && (e_ == errno || !strict)

#define TEST(name, strict_, T, draw_, R, s, args) \
	do { \
		bool good = true, strict = strict_; \
		__typeof__(&name##s) volatile model = name##s, libc = LIBC(name##s); \
		for (int i_ = 0; i_ < 20000 && good; i_++) { \
			T x = draw_(), y = draw_(); \
			int n = (int)(draw() % 3 ? draw() % 80 - 40 : draw() % 40000 - 20000); \
			(void)y, (void)n; \
			BOTH(R, model, libc, args); \
			if (!good) \
				printf("# %La %La %d: %La %La errno %d %d\n", (long double)x, \
				    (long double)y, n, (long double)a_, (long double)b_, e_, \
				    errno); \
		} \
		ok(good, #name #s); \
	} while (0)
#define TEST_ALL(name, strict, args) \
	TEST(name, strict, float, float_number, float, f, args); \
	TEST(name, strict, double, number, double, , args); \
	TEST(name, strict, long double, long_number, long double, l, args)
#define TEST_LONG(name) \
	TEST(name, 0, float, float_number, long double, f, (x)); \
	TEST(name, 0, double, number, long double, , (x)); \
	TEST(name, 0, long double, long_number, long double, l, (x))

static int e_model, e_libc;

/* The part that a pointer argument receives, put into the result. */
#define PARTS_OF(T, s, draw_) \
	do { \
		bool good = true; \
		__typeof__(&frexp##s) volatile frexp_ = frexp##s, libc_frexp = LIBC(frexp##s); \
		__typeof__(&modf##s) volatile modf_ = modf##s, libc_modf = LIBC(modf##s); \
		for (int i = 0; i < 20000 && good; i++) { \
			T x = draw_(), v, w, a = frexp_(x, &e_model), b = libc_frexp(x, &e_libc); \
			good &= SAME(a, b) && e_model == e_libc; \
			a = modf_(x, &v), b = libc_modf(x, &w); \
			good &= SAME(a, b) && SAME(v, w); \
			if (!good) \
				printf("# %La\n", (long double)x); \
		} \
		ok(good, "frexp and modf of " #T); \
	} while (0)

static void all(void)
{
	TEST_ALL(floor, 1, (x));
	TEST_ALL(ceil, 1, (x));
	TEST_ALL(trunc, 1, (x));
	TEST_ALL(rint, 1, (x));
	TEST_ALL(nearbyint, 1, (x));
	TEST_ALL(round, 1, (x));
	TEST_ALL(sqrt, 1, (x));
	TEST_ALL(fabs, 1, (x));
	TEST_ALL(copysign, 1, (x, y));
	TEST_ALL(fmod, 1, (x, y));
	TEST_ALL(fmin, 1, (x, y));
	TEST_ALL(fmax, 1, (x, y));
}

int main(void)
{
	static const int mode[] = { FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
	libm = dlopen("libm.so.6", RTLD_NOW);
	duct_live = 1; /* or the models call the C library */
	all();
	TEST_ALL(fdim, 1, (x, y));
	TEST_ALL(ldexp, 1, (x, n));
	TEST_ALL(scalbn, 1, (x, n));
	TEST_ALL(scalbln, 1, (x, n));
	TEST_LONG(lrint);
	TEST_LONG(llrint);
	TEST_LONG(lround);
	TEST_LONG(llround);
	PARTS_OF(float, f, float_number);
	PARTS_OF(double, , number);
	PARTS_OF(long double, l, long_number);
	for (int i = 0; i < 3; i++) {
		fesetround(mode[i]);
		all();
	}
	return finish();
}
#endif
