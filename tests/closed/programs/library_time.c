/* entry: f
 * class: time
 */
#include <time.h>

int
f(time_t t)
{
	struct tm *tm = gmtime(&t);

	if (!tm)
		return -1;
	if (tm->tm_mon == 1 && tm->tm_mday == 29)
		return 1;
	if (clock() < 0)
		return 2;
	if (time(0) > t)
		return 3;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f(0);
	f(951782400);
	f(9999999999);
	f((time_t)1 << 62);
	f(951782400 - 86400);
	return 0;
}
#endif
