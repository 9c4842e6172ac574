/* entry: f
 * class: variadics, faults
 * compilers: differ
 */
#include <stdarg.h>

static int
third(int n, ...)
{
	va_list list;
	int v = 0;

	va_start(list, n);
	for (int i = 0; i < 3; i++)
		v = va_arg(list, int);
	va_end(list);
	return v;
}

int
f(int a)
{
	int v = a > 0 ? third(3, 1, 2, a) : third(1, a);

	if (v == 9)
		return 1;
	if (v != a)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f(9);
	f(1);
	f(0);
	f(-3);
	return 0;
}
#endif
