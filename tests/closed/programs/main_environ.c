/* entry: main
 * class: environment
 * run: env -i $P
 * run: env -i A=1 $P
 * run: env -i A=1 B=2 C=3 D=4 E=5 F=6 $P
 * run: env -i SECRET_KEY=1 $P
 */
#include <string.h>

extern char **environ;

int
main(void)
{
	int n = 0;

	for (char **e = environ; *e; e++) {
		if (strncmp(*e, "SECRET_", 7) == 0)
			return 1;
		n++;
	}
	if (n == 0)
		return 2;
	if (n > 5)
		return 3;
	return 0;
}
