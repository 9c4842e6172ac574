/* entry: f
 * class: hidden state of the library, locale
 */
#include <locale.h>
#include <stdlib.h>

int
f(const char *name)
{
	const char *now = setlocale(LC_CTYPE, 0);

	if (now[0] != 'C' || now[1])
		return 2;
	if (setlocale(LC_CTYPE, name) && MB_CUR_MAX > 1)
		return 1;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f("C");
	f("nowhere");
	f("C.UTF-8");
	f("C");
	return 0;
}
#endif
