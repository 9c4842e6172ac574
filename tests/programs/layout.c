/* Structs, unions and bit-fields byte by byte.
 *
 * duct: concolic --entry layout
 * expect: exhausted=true failures=0 branches.unknown=0 branches.infeasible=0
 */
#include <string.h>

union word {
	unsigned w;
	unsigned char b[4];
	struct { unsigned low : 5; int mid : 11; unsigned high : 16; } f;
};

struct record {
	char tag;
	union word word;
	struct { short x[2]; } inner;
};

int layout(struct record r, unsigned long mixed)
{
	struct record copy;
	unsigned char bytes[8];

	memcpy(&copy, &r, sizeof copy);
	if (copy.word.b[2] == 0x5a)
		return 1;
	if (copy.word.f.mid == -3)
		return 2;
	copy.word.f.low = 9;
	if ((copy.word.w >> 8) == 0x1234)
		return 3;
	if (copy.inner.x[1] == r.tag * 100 && r.tag == 7)
		return 4;
	memcpy(bytes, &mixed, sizeof bytes);
	if (bytes[0] == 'd' && bytes[7] == 'c' && mixed >> 32 == 0x63000001)
		return 5;
	return 0;
}
