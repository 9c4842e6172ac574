/* entry: main
 * class: arguments
 * run: $P
 * run: ln -s $P gunzip && bash -c 'exec -a gunzip $P'
 * run: bash -c 'exec -a "" $P'
 */
#include <string.h>

int
main(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/');
	const char *name = slash ? slash + 1 : argv[0];

	if (!strcmp(name, "gunzip"))
		return 1;
	if (!*name)
		return 2;
	return 0;
}
