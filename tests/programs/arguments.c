/* An argument of the command line.
 *
 * duct: concolic --argument - --arg 1=3
 * expect: failures=0 branches.unknown=0
 */
#include <stdio.h>

int main(int argc, char **argv)
{
	if (argc < 2)
		return 1;
	if (argv[1][0] == '-' && argv[1][1] == 'v' && argv[1][2] == '\0') {
		puts("version");
		return 0;
	}
	return argv[1][0] == '\0' ? 3 : 2;
}
