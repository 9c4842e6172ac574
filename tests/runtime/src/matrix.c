/* Two dimensions, both symbolic, read after writes that may alias.
 * duct: --entry matrix
 * expect: covered=8 infeasible=0 failures=0 */
static int m[3][4];

int matrix(unsigned char i, unsigned char j, unsigned char k, int v)
{
	if (i >= 3 || j >= 4 || k >= 3)
		return -1;
	m[i][j] = v;
	m[k][j] += 5;
	if (m[i][j] == v + 5)
		return 1;       /* i == k */
	return 0;
}
