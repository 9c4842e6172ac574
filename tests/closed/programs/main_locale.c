/* entry: main
 * class: locale, environment
 * run: LC_ALL=C $P
 * run: LC_ALL=C.UTF-8 $P
 * run: LC_ALL=none $P
 */
#include <locale.h>
#include <stdlib.h>

int
main(void)
{
	if (!setlocale(LC_ALL, ""))
		return 1;
	if (MB_CUR_MAX > 1)
		return 2;
	return 0;
}
