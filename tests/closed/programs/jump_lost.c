/* entry: f
 * class: setjmp, undefined behaviour
 * compilers: differ
 */
#include <setjmp.h>

static jmp_buf env;

int
f(int x)
{
	int n = x & 1;

	if (setjmp(env) == 0) {
		n = n + 10;
		longjmp(env, 1);
	}
	if (n > 5)
		return 1;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f(0);
	f(1);
	return 0;
}
#endif
