/* Every operation on floating-point numbers, on any patterns of bits; the checking build compares. */
#include <complex.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "share/duct.h"

static uint64_t sum;

static void add(const void *p, size_t n)
{
	const unsigned char *c = p;
	while (n--)
		sum = sum * 31 + *c++;
}

/* A result's bits, of those that are numbers. */
#define ADD(T, e, size) do { T add_ = (e); if (add_ == add_) add(&add_, size); else sum += 7; } while (0)

#define OPS(T, name, size) \
static void name(T a, T b, int n) \
{ \
	ADD(T, a + b, size); \
	ADD(T, a - b, size); \
	ADD(T, a * b, size); \
	ADD(T, a / b, size); \
	ADD(T, -a, size); \
	ADD(T, a < b ? a : b, size); \
	sum = sum * 31 + (a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * (a > b) + 32 * (a >= b); \
	sum = sum * 31 + isless(a, b) + 2 * isunordered(a, b) + 4 * islessgreater(a, b) + 8 * isgreaterequal(a, b); \
	sum = sum * 31 + !a + 2 * !isnan(a) + 4 * !isinf(b) + 8 * !isfinite(a) + 16 * !isnormal(b) + 32 * !signbit(a); \
	sum = sum * 31 + (unsigned)fpclassify(a); \
	ADD(T, (T)n, size); \
	ADD(T, (T)(unsigned)n, size); \
	ADD(T, (T)(a * n), size); \
	if (a > -100 && a < 100) { \
		sum = sum * 31 + (uint64_t)(int)a + (uint64_t)(int64_t)(a * 1000) + (uint64_t)(int16_t)a; \
		sum = sum * 31 + (uint8_t)(a < 0 ? -a : a) + (uint64_t)(int8_t)a; \
	} \
	if (b >= 0 && b < 100) \
		sum = sum * 31 + (uint64_t)b + (uint32_t)b; \
}
OPS(float, singles, 4) OPS(double, doubles, 8) OPS(long double, extended, 10)

static void convert(float f, double d, uint64_t x, int64_t y)
{
	long double l = d;
	ADD(float, (float)d, 4);
	ADD(float, (float)l, 4);
	ADD(double, (double)f, 8);
	ADD(double, (double)(l * f), 8);
	ADD(long double, (long double)f, 10);
	ADD(float, (float)x, 4);
	ADD(float, (float)y, 4);
	ADD(double, (double)x, 8);
	ADD(double, (double)y, 8);
	ADD(long double, (long double)x, 10);
	ADD(long double, (long double)y, 10);
	ADD(double, (double)(unsigned __int128)x * (double)((__int128)y << 20), 8);
	ADD(double, (double)(x & 1) + (double)(char)y, 8);
}

/* Vector registers, and beyond them the stack. */
static void many(int n, ...)
{
	va_list ap, again;
	va_start(ap, n);
	va_copy(again, ap);
	for (int i = 0; i < n; i++) {
		ADD(double, va_arg(ap, double), 8);
		ADD(long double, va_arg(ap, long double), 10);
		sum = sum * 31 + va_arg(ap, unsigned);
	}
	va_end(ap);
	ADD(double, va_arg(again, double), 8);
	va_end(again);
}

struct pair { float x, y; };
struct mixed { float x; int n; double d; };
struct four { float x, y, z, w; };

static __attribute__((noinline)) struct pair swap(struct pair p) { return (struct pair){p.y, p.x}; }
static __attribute__((noinline)) struct mixed mix(struct mixed m) { return (struct mixed){m.x + 1, m.n * 2, m.d - m.x}; }
static __attribute__((noinline)) struct four turn(struct four f) { return (struct four){f.w, f.x, f.y, f.z + f.x}; }
static __attribute__((noinline)) double complex times(double complex a, double complex b) { return a + b * 2.0; }
static __attribute__((noinline)) float complex less(float complex a, float b) { return a - b; }

static void structs(float f, double d, int n)
{
	struct pair p = swap((struct pair){f, (float)n});
	struct mixed m = mix((struct mixed){f, n, d});
	struct four q = turn((struct four){f, (float)d, 3, (float)n});
	double complex z = times(d + f * I, n + 2 * I);
	float complex c = less(f + n * I, 2);
	ADD(float, p.x, 4);
	ADD(float, p.y, 4);
	ADD(float, m.x, 4);
	ADD(double, m.d + m.n, 8);
	ADD(float, q.x + q.y * q.z - q.w, 4);
	ADD(double, creal(z), 8);
	ADD(double, cimag(z), 8);
	ADD(float, crealf(c) + cimagf(c), 4);
}

static double sums(const double *a, size_t n)
{
	double s = 0, most = a[0];
	for (size_t i = 0; i < n; i++) {
		s += a[i] * (double)i;
		most = a[i] > most ? a[i] : most;
	}
	return s - most;
}

static void memory(float f, double d, uint64_t x)
{
	double a[8];
	float v[4] = {f, f, f, f};
	union { double d; uint64_t i; unsigned char c[8]; } u = {.d = d};
	for (int i = 0; i < 8; i++)
		a[i] = d * i + f;
	ADD(double, sums(a, 8), 8);
	u.c[0] ^= 1;
	ADD(double, u.d, 8);
	memcpy(&a[3], &x, 8);
	ADD(double, a[3], 8);
	for (int i = 0; i < 4; i++)
		v[i] += (float)i;
	ADD(float, v[0] * v[3] + v[1] * v[2], 4);
	sum ^= u.i;
}

static void builtins(double d, double e, float f, long double l)
{
	ADD(double, __builtin_fabs(d), 8);
	ADD(float, __builtin_fabsf(f), 4);
	ADD(long double, __builtin_fabsl(l), 10);
	ADD(double, __builtin_copysign(d, e), 8);
	ADD(double, __builtin_floor(d), 8);
	ADD(float, __builtin_ceilf(f), 4);
	ADD(long double, __builtin_truncl(l), 10);
	ADD(double, __builtin_rint(d), 8);
	ADD(double, __builtin_round(e), 8);
	ADD(double, __builtin_sqrt(__builtin_fabs(d)), 8);
}

int main(void)
{
	uint64_t x = 0x4008000000000000, y = 0x3fe00000;
	float f;
	double d, e;
	long double l;
	duct_symbolic(&x, sizeof x, "x");
	duct_symbolic(&y, sizeof y, "y");
	memcpy(&d, &x, 8);
	memcpy(&e, &y, 8);
	memcpy(&f, &y, 4);
	l = (long double)x * d + y;
	singles(f, (float)d, (int)x);
	doubles(d, e, (int)y);
	extended(l, d, (int)x);
	convert(f, d, x, (int64_t)y);
	many(5, d, l, (unsigned)x, e, l, 1u, d + 1, l, 2u, e - 1, l, 3u, e, l, (unsigned)y);
	many(10, d, l, 1u, e, l, 1u, d, l, 1u, d, l, 1u, d, l, 1u, d, l, 1u, d, l, 1u, d, l, 1u, d, l, 1u, e, l, 1u);
	structs(f, d, (int)y);
	memory(f, d, x);
	builtins(d, e, f, l);
	printf("%llx\n", (unsigned long long)sum);
	return 0;
}
