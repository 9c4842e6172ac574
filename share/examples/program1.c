/* program1 of Majumdar and Sen (LATEST), Table 1: as Figure 7, with two calls to locate on
 * different input buffers.
 *
 * Each buffer of at most n characters, not empty, has 3n - 1 paths: (3n - 1)^2 in all,
 * 676 for n = 9. (LATEST: at most 59 runs.)
 *
 * duct: concolic --entry program1 --search dfs --string p=4 --string q=4 --distinct all
 * expect: exhausted=true paths=121 branches.unknown=0
 * oracle: -DLENGTH=4
 */
#include <duct.h>

static int locate(const char *s, int c)
{
	int i = 0;

	while (s[i] != c) {
		if (s[i] == 0)
			return -1;
		i++;
	}
	return i;
}

int program1(const char *p, const char *q)
{
	int y, z, result = 0;

	duct_assume(p[0] != 0);
	duct_assume(q[0] != 0);
	y = locate(p, 'a');
	z = locate(q, 'b');
	if (y == -1)
		result = -1;
	else if (p[y + 1] != ':')
		result = 1;
	if (z == -1)
		result -= 10;
	else if (q[z + 1] != ':')
		result += 10;
	return result;
}
