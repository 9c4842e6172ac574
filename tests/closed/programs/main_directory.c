/* entry: main
 * class: files
 * run: $P
 * run: touch a b c d e; $P
 * run: touch core; $P
 */
#include <dirent.h>
#include <string.h>

int
main(void)
{
	DIR *d = opendir(".");
	struct dirent *e;
	int n = 0;

	if (!d)
		return 2;
	while ((e = readdir(d))) {
		if (!strcmp(e->d_name, "core"))
			return 1;
		n++;
	}
	if (n > 6)
		return 3;
	return 0;
}
