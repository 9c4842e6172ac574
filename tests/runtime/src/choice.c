/* A pointer that is one of several, by a condition that leaves no branch.
 * duct: --entry choose
 * expect: covered=4 infeasible=0 failures=0 */
int choose(int c, unsigned char i, int v)
{
	int a[4] = { 1, 2, 3, 4 }, b[8] = { 0 };
	int *p = c > 7 ? a : b;

	p[i & 3] = v;
	if (b[2] == 9)
		return 1;
	return a[1];
}
