/* sha256: FIPS 180-4, 6.2. The constants are the fractions of square and cube roots of primes, computed. */
#include "lib/report/sha256.h"

#include <stdint.h>
#include <string.h>

static uint32_t
rotate(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

/* The largest r with r^power <= p << (32 * power): its low half is the fraction of the root. */
static uint32_t
fraction_of_root(unsigned p, int power)
{
	uint64_t r = 0;

	for (int bit = 35; bit >= 0; bit--) {
		unsigned __int128 t = r | (uint64_t)1 << bit, all = t * t;
		/* t^3 < 2^108 */
		if ((power == 3 ? all * t : all) <= (unsigned __int128)p << (32 * power))
			r = (uint64_t)t;
	}
	return (uint32_t)r;
}

static void
constants(uint32_t h[8], uint32_t k[64])
{
	int n = 0;

	for (unsigned p = 2; n < 64; p++) {
		unsigned d = 2;
		while (p % d)
			d++;
		if (d < p)
			continue;
		if (n < 8)
			h[n] = fraction_of_root(p, 2);
		k[n++] = fraction_of_root(p, 3);
	}
}

static void
block(uint32_t h[8], const uint32_t k[64], const unsigned char *s)
{
	uint32_t w[64], v[8];

	for (int t = 0; t < 16; t++)
		w[t] = (uint32_t)s[4 * t] << 24 | (uint32_t)s[4 * t + 1] << 16 | (uint32_t)s[4 * t + 2] << 8 | s[4 * t + 3];
	for (int t = 16; t < 64; t++) {
		uint32_t a = w[t - 15], b = w[t - 2];
		w[t] = w[t - 16] + w[t - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
	}
	memcpy(v, h, sizeof v);
	for (int t = 0; t < 64; t++) {
		uint32_t a = v[0], e = v[4];
		uint32_t t1 = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & v[5]) ^ (~e & v[6])) + k[t] + w[t];
		uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
		memmove(v + 1, v, 7 * sizeof *v);
		v[4] += t1;
		v[0] = t1 + t2;
	}
	for (int i = 0; i < 8; i++)
		h[i] += v[i];
}

void
sha256_stream(FILE *f, char text[65])
{
	uint32_t h[8], k[64];
	unsigned char s[128] = { 0 };
	uint64_t length = 0;
	size_t n;

	constants(h, k);
	while ((n = fread(s, 1, 64, f)) == 64) {
		block(h, k, s);
		length += 64;
	}
	length = 8 * (length + n);
	memset(s + n, 0, sizeof s - n);
	s[n] = 0x80;
	size_t end = n < 56 ? 64 : 128;
	for (int i = 0; i < 8; i++)
		s[end - 8 + (size_t)i] = (unsigned char)(length >> (56 - 8 * i));
	block(h, k, s);
	if (end == 128)
		block(h, k, s + 64);
	for (int i = 0; i < 8; i++)
		sprintf(text + 8 * i, "%08x", h[i]);
}
