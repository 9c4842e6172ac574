/* Every integer operation on inputs of every width; the checking build compares. */
#include <stdint.h>
#include <stdio.h>
#include "share/duct.h"

#define OPS(T, name) \
static uint64_t name(T a, T b) \
{ \
	uint64_t r = 0; \
	r = r * 31 + (uint64_t)(T)(a + b); \
	r = r * 31 + (uint64_t)(T)(a - b); \
	r = r * 31 + (uint64_t)(T)(a * b); \
	if (b != 0 && b != (T)-1) { \
		r = r * 31 + (uint64_t)(T)(a / b); \
		r = r * 31 + (uint64_t)(T)(a % b); \
	} \
	r = r * 31 + (uint64_t)(T)(a & b); \
	r = r * 31 + (uint64_t)(T)(a | b); \
	r = r * 31 + (uint64_t)(T)(a ^ b); \
	r = r * 31 + (uint64_t)(T)~a; \
	r = r * 31 + (uint64_t)(T)-a; \
	r = r * 31 + (uint64_t)(T)(a << (b & (sizeof(T) * 8 - 1) & 31)); \
	r = r * 31 + (uint64_t)(T)(a >> (b & (sizeof(T) * 8 - 1))); \
	r = r * 31 + (a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * (a > b) + 32 * (a >= b); \
	r = r * 31 + (uint64_t)(T)(a < b ? a : b) + (uint64_t)(T)(a > b ? a : b); \
	r = r * 31 + !a + 2 * !!b; \
	return r; \
}

OPS(int8_t, s8) OPS(uint8_t, u8) OPS(int16_t, s16) OPS(uint16_t, u16)
OPS(int32_t, s32) OPS(uint32_t, u32) OPS(int64_t, s64) OPS(uint64_t, u64)
OPS(unsigned __int128, u128) OPS(__int128, s128)

static uint64_t bits(uint32_t x, uint64_t y)
{
	uint64_t r = 0;
	r = r * 7 + __builtin_popcount(x) + __builtin_popcountll(y);
	r = r * 7 + __builtin_bswap32(x) + __builtin_bswap64(y) + __builtin_bswap16((uint16_t)x);
	r = r * 7 + __builtin_bitreverse32(x) + __builtin_bitreverse8((uint8_t)y);
	if (x && y)
		r = r * 7 + __builtin_clz(x) + __builtin_ctz(x) + __builtin_clzll(y) + __builtin_ctzll(y);
	r = r * 7 + __builtin_rotateleft32(x, y) + __builtin_rotateright64(y, x);
	r = r * 7 + (x << 7 | x >> 25) + __builtin_parity(x) + __builtin_ffs((int)x);
	return r;
}

static uint64_t checked(int a, int b, uint64_t c, uint64_t d)
{
	int i = 0;
	uint64_t u = 0;
	int64_t l = 0;
	uint64_t r = 0;
	r = r * 3 + __builtin_add_overflow(a, b, &i) + i;
	r = r * 3 + __builtin_sub_overflow(a, b, &i) + i;
	r = r * 3 + __builtin_mul_overflow(a, b, &i) + i;
	r = r * 3 + __builtin_add_overflow(c, d, &u) + u;
	r = r * 3 + __builtin_sub_overflow(c, d, &u) + u;
	r = r * 3 + __builtin_mul_overflow(c, d, &u) + u;
	r = r * 3 + __builtin_mul_overflow((int64_t)c, (int64_t)d, &l) + l;
	r = r * 3 + (a < 0 ? -a : a) + (c > d ? c - d : 0);
	return r;
}

struct pack { unsigned a : 3; int b : 5; unsigned c : 17; _Bool d : 1; uint64_t e : 40; };

static uint64_t fields(uint32_t x, uint64_t y)
{
	struct pack p = {0};
	p.a = x;
	p.b = (int)(x >> 3);
	p.c = x * 7;
	p.d = y;
	p.e = y + x;
	struct pack q = p;
	q.c++;
	q.b--;
	return q.a + 3 * (uint64_t)q.b + 5 * (uint64_t)q.c + 7 * q.d + 11 * q.e;
}

int main(void)
{
	uint64_t x = 0, y = 0;
	duct_symbolic(&x, sizeof x, "x");
	duct_symbolic(&y, sizeof y, "y");
	printf("%llx %llx\n", (unsigned long long)s8(x, y), (unsigned long long)u8(x, y));
	printf("%llx %llx\n", (unsigned long long)s16(x, y), (unsigned long long)u16(x, y));
	printf("%llx %llx\n", (unsigned long long)s32(x, y), (unsigned long long)u32(x, y));
	printf("%llx %llx\n", (unsigned long long)s64(x, y), (unsigned long long)u64(x, y));
	unsigned __int128 w = (unsigned __int128)x << 64 | y, v = (unsigned __int128)(x ^ y) * y;
	printf("%llx %llx\n", (unsigned long long)u128(w, v), (unsigned long long)s128(w, v));
	printf("%llx\n", (unsigned long long)bits(x, y));
	printf("%llx\n", (unsigned long long)checked(x, y, x * 3, y));
	printf("%llx\n", (unsigned long long)fields(x, y));
	return 0;
}
