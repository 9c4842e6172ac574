/* CRC-32 by a table of 256 words over 64 MiB. */
#include "work.h"

static unsigned table[256];

static void make_table(void)
{
	for (unsigned i = 0; i < 256; i++) {
		unsigned c = i;
		for (int k = 0; k < 8; k++)
			c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
		table[i] = c;
	}
}

static unsigned crc(unsigned c, const unsigned char *p, unsigned n)
{
	while (n--)
		c = table[(c ^ *p++) & 255] ^ c >> 8;
	return c;
}

unsigned work(void)
{
	static unsigned char bytes[1 << 20];
	unsigned c = ~0u;

	make_table();
	for (unsigned i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)(i * 7 ^ i >> 8);
	for (int round = 0; round < 64; round++)
		c = crc(c, bytes, sizeof bytes);
	return ~c;
}
