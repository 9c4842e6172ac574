/* entry: main
 * class: machine
 * run: $P
 * run: mkdir work; cd work && $P
 * run: cd / && $P
 */
#include <string.h>
#include <unistd.h>

int
main(void)
{
	char path[4096];

	if (!getcwd(path, sizeof path))
		return 3;
	if (!strcmp(path, "/"))
		return 1;
	if (strlen(path) > 5 && !strcmp(path + strlen(path) - 5, "/work"))
		return 2;
	return 0;
}
