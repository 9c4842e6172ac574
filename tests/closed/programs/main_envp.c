/* entry: main
 * class: environment
 * run: env -i $P
 * run: env -i HOME=/root $P
 * run: env -i HOME= $P
 */
#include <string.h>

int
main(int argc, char **argv, char **envp)
{
	if (!envp[0])
		return 1;
	if (!strcmp(envp[0], "HOME="))
		return 2;
	return 0;
}
