/* entry: f
 * class: variadics
 */
#include <stdarg.h>

static int
sum(int n, ...)
{
	va_list list;
	int s = 0;

	va_start(list, n);
	for (int i = 0; i < n; i++)
		s += va_arg(list, int);
	va_end(list);
	return s;
}

int
f(int a, int b, unsigned n)
{
	if (n > 3)
		return -1;
	if (sum((int)n, a, b, 5) == 42)
		return 1;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f(0, 0, 4);
	f(20, 17, 3);
	f(1, 1, 1);
	return 0;
}
#endif
