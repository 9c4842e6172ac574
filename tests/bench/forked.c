/* For tests/bench/speed: an entry whose run asks the kernel for something that cannot be undone. */
#include <unistd.h>

int forked(int x)
{
	alarm(0);
	return x > 3;
}
