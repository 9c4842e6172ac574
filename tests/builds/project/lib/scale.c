/* A static library, with what only GNU C has. */
#include "scale.h"

static int __attribute__((noinline)) doubled(int x)
{
#if defined __x86_64__
	__asm__("addl %0, %0" : "+r"(x));
	return x;
#else
	return 2 * x;
#endif
}

int scale(int x)
{
	int y = ({ int t = x * FACTOR; t > 100 ? 100 : t; });

	switch (y) {
	case -10 ... -1:
		return -1;
	default:
		return __builtin_expect(x > 20, 0) ? doubled(x) : y;
	}
}
