#include <stdarg.h>
static int sum(int n, ...)
{
	va_list l;
	int s = 0;
	va_start(l, n);
	for (int i = 0; i < n; i++)
		s += va_arg(l, int);
	va_end(l);
	if (s == 6) /* taken */
		s = 9;
	return s;
}
static void put(int n, ...)
{
	va_list l;
	va_start(l, n);
	*va_arg(l, int *) = 4;
	va_end(l);
}
int main(void)
{
	int x = 0;
	put(1, &x);
	if (x == 4) /* taken */
		x = 1;
	if (sum(3, 1, 2, 3) == 9) /* taken */
		x = 2;
	return x;
}
