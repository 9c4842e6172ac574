/* open: 3 (a descriptor that is open when the program begins)
 * Calls that fail, which once were said not to. */
#include <stdio.h>
#include <sys/mman.h>
#include <sys/uio.h>

int main(void)
{
	char b[4];
	struct iovec v = { b, sizeof b };
	FILE *f;

	if (readv(0, &v, 1) < 0)
		return 1;
	if (writev(1, &v, 1) < 0)
		return 2;
	if (mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
		return 3;
	f = fdopen(7, "r");
	if (f)
		return getc(f) == 'x' ? 4 : 5;
	return 0;
}
