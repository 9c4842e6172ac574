/* A checksum in front of everything. Outcomes: 17 */
#include <stdint.h>
#include <stddef.h>
static uint32_t crc32(const uint8_t *p, size_t n) { uint32_t c = ~0u; while (n--) { c ^= *p++; for (int k = 0; k < 8; k++) c = c & 1 ? (c >> 1) ^ 0xEDB88320u : c >> 1; } return ~c; }
int packet(const uint8_t *p, size_t n) {
	if (n < 8) return -1;
	uint32_t want = p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
	if (crc32(p + 4, n - 4) != want) return -2;
	switch (p[4]) { case 1: return p[5] > 3 ? 1 : 2; case 7: return p[6] == 'x' ? 3 : 4; default: return 0; }
}
