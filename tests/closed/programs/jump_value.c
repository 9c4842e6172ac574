/* entry: f
 * class: setjmp
 */
#include <setjmp.h>

static jmp_buf env;

static void
check(int x)
{
	if (x < 0)
		longjmp(env, 2);
	if (x > 1000)
		longjmp(env, 3);
}

int
f(int x)
{
	volatile int stage = 0;
	int code = setjmp(env);

	if (code == 0) {
		stage = 1;
		check(x);
		stage = 2;
	}
	if (code == 3)
		return 1;
	if (stage == 1)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f(0);
	f(-1);
	f(1001);
	return 0;
}
#endif
