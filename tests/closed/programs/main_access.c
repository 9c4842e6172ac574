/* entry: main
 * class: files, environment
 * run: env -i $P
 * run: mkdir etc; env -i ROOT=. $P
 * run: mkdir etc; : >etc/app; env -i ROOT=. $P
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int
main(void)
{
	char path[256];
	const char *root = getenv("ROOT");

	if (!root)
		root = "/nonexistent";
	snprintf(path, sizeof path, "%s/etc", root);
	if (access(path, F_OK) != 0)
		return 1;
	snprintf(path, sizeof path, "%s/etc/app", root);
	if (access(path, R_OK) == 0)
		return 2;
	return 0;
}
