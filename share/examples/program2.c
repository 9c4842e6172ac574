/* program2 of Majumdar and Sen (LATEST), Table 1: as Figure 7, with two calls to locate on
 * the same input buffer. (LATEST: at most 63 runs where our own depth-first search needs at least 651 paths.)
 *
 * duct: concolic --entry program2 --search dfs --string input=5
 * expect: exhausted=true branches.unknown=0
 * oracle: -DLENGTH=5
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

int program2(const char *input)
{
	int y, z;

	duct_assume(input[0] != 0);
	y = locate(input, 'a');
	z = locate(input, 'b');
	if (y == -1 && z == -1)
		return -1;
	if (y != -1 && input[y + 1] != ':')
		return 1;
	if (z != -1 && input[z + 1] != ';')
		return 2;
	return 0;
}
