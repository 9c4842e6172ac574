/* Functions called through a table at a symbolic index: each target is a path.
 * duct: --entry calc
 * expect: covered=4 infeasible=0 failures=0 */
#include <stdlib.h>
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static int (*const ops[])(int, int) = { add, sub, mul };
int calc(unsigned char op, int a, int b)
{
	if (op >= 3)
		return -1;
	int r = ops[op](a, b);
	if (r == 77)
		return 1;
	return 0;
}
