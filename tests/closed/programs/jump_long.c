/* entry: f
 * class: longjmp
 * compilers: differ
 */
#include <setjmp.h>
static jmp_buf env;
static void leave(int x) { if (x > 5) longjmp(env, x - 6); }
int f(int x)
{
	int local = 1;
	volatile int kept = 1;

	switch (setjmp(env)) {
	case 0:
		local = 2;
		kept = 2;
		leave(x);
		break;
	case 1:
		if (local == 2)
			return 3;
		if (kept == 2)
			return 4;
		return 5;
	default:
		if (local == 1)
			return 6;
		return 7;
	}
	return 0;
}
#ifdef NATIVE
int main(void)
{
	for (int i = 0; i < 10; i++)
		f(i);
	return 0;
}
#endif
