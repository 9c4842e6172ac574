/* Bytes of an int through a union and through char pointers.
 * duct: --entry bytes
 * expect: covered=6 infeasible=0 failures=0 */
#include <string.h>

int bytes(unsigned x, unsigned char which)
{
	union { unsigned word; unsigned char byte[4]; unsigned short half[2]; } u;
	unsigned char copy[4];

	u.word = x;
	u.byte[1] ^= 0x55;
	memcpy(copy, &u, sizeof copy);
	if (u.half[0] == 0x1234)
		return 1;
	if (copy[which & 3] == 0x99)
		return 2;
	memmove(copy + 1, copy, 3);
	if (copy[3] == 7)
		return 3;
	return 0;
}
