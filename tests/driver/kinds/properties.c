/* A table of properties in two levels. Outcomes: 17 */
#include <stdint.h>
static uint8_t stage1[256]; static uint16_t stage2[16][256];
static void init(void) { for (int i = 0; i < 256; i++) stage1[i] = (i * 7) & 15; for (int i = 0; i < 16; i++) for (int j = 0; j < 256; j++) stage2[i][j] = (uint16_t)((i * 256 + j) * 2654435761u >> 20 & 31); }
int category(uint32_t cp) {
	static int ready; if (!ready) { init(); ready = 1; }
	if (cp > 0xffff) return -1;
	switch (stage2[stage1[cp >> 8]][cp & 255]) { case 0: return 1; case 5: return 2; case 17: return cp > 0x8000 ? 3 : 4; case 31: return 5; default: return 0; }
}
