/* entry: main
 * class: environment
 * run: env -i $P
 * run: env -i TZ=Mars $P
 * run: env -i TZ=x $P
 */
#include <stdlib.h>
#include <string.h>

int
main(void)
{
	setenv("TZ", "UTC", 0);
	const char *tz = getenv("TZ");

	if (strcmp(tz, "UTC") == 0)
		return 1;
	if (strlen(tz) > 3)
		return 2;
	return 0;
}
