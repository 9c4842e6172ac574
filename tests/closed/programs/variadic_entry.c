/* entry: f
 * class: variadics, strings
 */
#include <stdarg.h>

int
f(const char *kinds, ...)
{
	va_list list;
	long s = 0;

	va_start(list, kinds);
	for (; *kinds; kinds++) {
		if (*kinds == 'i')
			s += va_arg(list, int);
		else if (*kinds == 'l')
			s += va_arg(list, long);
		else
			break;
	}
	va_end(list);
	if (s == 42)
		return 1;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f("");
	f("x");
	f("il", 2, 40L);
	f("l", 4L);
	return 0;
}
#endif
