/* Calls: recursion, pointers to functions, structs by value, variable arguments, static and
 * function-local state.
 *
 * duct: concolic --entry calls --calls 1
 * expect: failures=0 branches.unknown=0
 */
#include <stdarg.h>

struct pair {
	int a, b;
};

static int twice(int x) { return 2 * x; }
static int negate(int x) { return -x; }
static int (*const operations[2])(int) = { twice, negate };

static struct pair swap(struct pair p)
{
	struct pair q = { p.b, p.a };

	return q;
}

static int sum(int n, ...)
{
	va_list ap;
	int total = 0;

	va_start(ap, n);
	while (n-- > 0)
		total += va_arg(ap, int);
	va_end(ap);
	return total;
}

static int fibonacci(int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int calls(int x, int y)
{
	static int count;
	struct pair p = swap((struct pair){ x, y });

	count = 0;
	if (p.a == 4 && p.b == 9)
		count++;
	if (sum(3, x, 5, y) == 1234)
		count += 2;
	if (operations[y > 0](x) == 10)
		count += 4;
	if (x >= 0 && x < 5 && fibonacci(x) == 2)
		count += 8;
	return count;
}
