/* Arrays of frames that longjmp skips.
 * duct: --entry jump --calls 1
 * expect: covered=10 infeasible=2 failures=0 */
#include <setjmp.h>
static jmp_buf env;
static void deep(int n, int *v, unsigned char i)
{
	int local[4] = {1,2,3,4};
	local[i & 3] = n;
	if (n == 3 && local[2] == 3) longjmp(env, *v > 3 ? 2 : 1);
	if (n < 3) deep(n + 1, v, i);
}
int jump(int x, unsigned char i)
{
	int arr[4] = {0, 5, 6, 7};
	int r = setjmp(env);
	if (r == 0) { deep(0, &x, i); r = 9; }
	arr[i & 3] = r;
	if (arr[1] == 2) return 100;
	return r;
}
