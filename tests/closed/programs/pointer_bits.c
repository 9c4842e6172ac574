/* entry: f
 * class: pointers as values
 * compilers: differ
 */
#include <stdint.h>
#include <stdlib.h>

int
f(const char *p)
{
	int local;
	char *heap = malloc(3);

	if ((uintptr_t)p & 3)
		return 1;
	if ((uintptr_t)&local & 16)
		return 2;
	if ((uintptr_t)heap & 32)
		return 3;
	return 0;
}

#ifdef NATIVE
#include <alloca.h>
int
main(void)
{
	static _Alignas(16) char s[16];

	for (int i = 0; i < 20; i++) {
		volatile char *more = alloca((size_t)i * 16 + 1);

		*more = 0;
		f(s + i % 4);
		f(s);
	}
	return 0;
}
#endif
