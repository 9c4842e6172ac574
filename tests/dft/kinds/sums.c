/* Messages behind a checksum: Jenkins, Adler-32 or CRC-32. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static uint32_t jenkins(const unsigned char *p, unsigned n)
{
	uint32_t h = 0;
	for (unsigned i = 0; i < n; i++) {
		h += p[i];
		h += h << 10;
		h ^= h >> 6;
	}
	h += h << 3;
	h ^= h >> 11;
	h += h << 15;
	return h;
}
static uint32_t adler(const unsigned char *p, unsigned n)
{
	uint32_t a = 1, b = 0;
	while (n--) {
		a = (a + *p++) % 65521;
		b = (b + a) % 65521;
	}
	return b << 16 | a;
}
static uint32_t crc(const unsigned char *p, unsigned n)
{
	uint32_t c = ~0u;
	while (n--) {
		c ^= *p++;
		for (int k = 0; k < 8; k++)
			c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
	}
	return ~c;
}
static int body(const unsigned char *p, unsigned n)
{
	if (n < 4)
		return 10;
	if (p[0] == 'G' && p[1] == 'O') {
		if (p[2] > 100 && p[3] < 3)
			return 11;
		return 12;
	}
	if (memcmp(p, "STOP", 4) == 0)
		return 13;
	return 14;
}
int main(void)
{
	unsigned char b[64];
	size_t n = fread(b, 1, sizeof b, stdin);
	uint32_t want;
	if (n < 9)
		return 1;
	want = b[1] | b[2] << 8 | b[3] << 16 | (uint32_t)b[4] << 24;
	switch (b[0]) {
	case 'J':
		if (jenkins(b + 5, n - 5) != want)
			return 2;
		break;
	case 'A':
		if (adler(b + 5, n - 5) != want)
			return 3;
		break;
	case 'C':
		if (crc(b + 5, n - 5) != want)
			return 4;
		break;
	default: return 5;
	}
	return body(b + 5, n - 5);
}
