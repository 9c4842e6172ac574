/* entry: main
 * class: files
 * run: $P
 * run: printf 'size = 12\ncolour = red\n' >app.conf; $P
 * run: printf 'size = 9\n\n# comment\n' >app.conf; $P
 * run: printf 'nonsense\n' >app.conf; $P
 */
#include <stdio.h>
#include <string.h>

int
main(void)
{
	FILE *f = fopen("app.conf", "r");
	char line[64], key[32], value[32];
	int size = 0;

	if (!f)
		return 2;
	while (fgets(line, sizeof line, f)) {
		if (line[0] == '#' || line[0] == '\n')
			continue;
		if (sscanf(line, "%31s = %31s", key, value) != 2)
			return 3;
		if (!strcmp(key, "size") && sscanf(value, "%d", &size) == 1)
			continue;
	}
	if (size > 10)
		return 1;
	return 0;
}
