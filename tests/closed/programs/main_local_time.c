/* entry: main
 * class: time, environment
 * run: TZ=UTC-23 $P
 * run: TZ=UTC+23 $P
 * run: TZ=UTC $P
 * run: for i in 1 2 3 4 5 6 7 8 9 10 11; do TZ=UTC-$i $P; TZ=UTC+$i $P; done
 */
#include <time.h>

int
main(void)
{
	time_t now = time(0);
	struct tm *tm = localtime(&now);

	if (tm->tm_hour < 12)
		return 1;
	if (tm->tm_gmtoff > 3600)
		return 2;
	return 0;
}
