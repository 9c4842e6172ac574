/* UTF-8 and properties of characters, from tables of 10,000 entries and of two levels (tables.h). */
#include <stdint.h>
#include "tables.h"

static int decode(const unsigned char *s, uint32_t *c)
{
	if (s[0] < 0x80) {
		*c = s[0];
		return 1;
	}
	if ((s[0] & 0xe0) == 0xc0 && (s[1] & 0xc0) == 0x80) {
		*c = (s[0] & 31u) << 6 | (s[1] & 63);
		return *c < 0x80 ? -1 : 2;
	}
	if ((s[0] & 0xf0) == 0xe0 && (s[1] & 0xc0) == 0x80 && (s[2] & 0xc0) == 0x80) {
		*c = (s[0] & 15u) << 12 | (s[1] & 63u) << 6 | (s[2] & 63);
		return *c < 0x800 || (*c >= 0xd800 && *c < 0xe000) ? -1 : 3;
	}
	return -1;
}
static int category(uint32_t c)
{
	return c < 10000 ? prop[c] : 0;
}
static int width(uint32_t c)
{
	return c < 65536 ? block[page[c >> 6]][c & 63] : 1;
}
int measure(const unsigned char *s)
{
	int n = 0, up = 0, wide = 0, odd = 0;
	while (*s) {
		uint32_t c;
		int k = decode(s, &c);
		if (k < 0)
			return -1;
		switch (category(c)) {
		case 1: up++; break;
		case 2: n += 2; break;
		case 3: n += 3; break;
		case 5: odd++; break;
		case 7:
			if (c > 5000)
				odd += 2;
			break;
		default: n++;
		}
		if (width(c) == 9)
			wide++;
		else if (width(c) == 3 && c > 0x4000)
			wide += 2;
		s += k;
	}
	if (up == 2 && odd == 2)
		return 1;
	if (wide == 3)
		return 2;
	return n;
}
