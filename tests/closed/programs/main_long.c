/* entry: main
 * class: arguments
 * run: $P
 * run: $P abc
 * run: $P abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz0123456789
 * run: $P =abcdefghijklmnopqrstuvwxyz0123456789
 */
#include <string.h>

int
main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	if (strlen(argv[1]) > 64)
		return 1;
	if (argv[1][0] == '=' && strlen(argv[1]) > 20)
		return 3;
	return 0;
}
